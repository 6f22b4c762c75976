// Threads where there are any. WebAssembly without shared memory has one, and its library has neither
// std::thread nor std::mutex.
#pragma once

#if defined(__wasi__) && !defined(_REENTRANT)
#define TENGEN_ONE_THREAD
#else
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace tengen {

#ifdef TENGEN_ONE_THREAD

struct Mutex {};
struct Lock {
  explicit Lock(Mutex&) {}
};
constexpr int threads_of(int) { return 1; }

template <class Work, class Ended>
void run_together(int, Work&& work, Ended&& ended) {
  work(0);
  ended();
}

#else

using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
// As many as are asked for, at least one.
constexpr int threads_of(int wanted) { return wanted < 1 ? 1 : wanted; }

// Calls work(0) here and work(1) to work(count - 1) in threads of their own. `ended` is called when this
// thread's share is done, before the others are waited for.
template <class Work, class Ended>
void run_together(int count, Work&& work, Ended&& ended) {
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  work(0);
  ended();
  for (std::thread& thread : threads) thread.join();
}

#endif

}  // namespace tengen
