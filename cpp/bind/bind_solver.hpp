// What the bindings of the exact solvers share: calls run in a thread of their own, so that this one can
// report progress and look for Ctrl-C.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bind/bound.hpp"
#include "search/solver.hpp"

namespace tengen {

using solver::Monitor;

// Calls `work` in a thread. An exception of `progress`, or Ctrl-C, stops the search and comes out of here.
template <class F>
auto run_watched(Monitor& monitor, const nb::object& progress, F work) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;
  decltype(work()) result{};
  monitor.stop = false;
  std::thread worker([&] {
    try {
      result = work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  });
  const auto wait_briefly = [&] {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return done; });
  };
  std::exception_ptr wish;
  while (!wait_briefly()) {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) progress(monitor.nodes.load(), monitor.depth.load());
    } catch (...) {
      wish = std::current_exception();
      monitor.stop = true;
      break;
    }
  }
  {
    const nb::gil_scoped_release release;
    worker.join();
  }
  if (wish) std::rethrow_exception(wish);
  if (failure) std::rethrow_exception(failure);
  return result;
}

inline std::size_t bytes_of(int memory_mb) { return static_cast<std::size_t>(memory_mb) << 20; }

}  // namespace tengen
