// bind_search() binds the search that a game is played with (SearchOf): a class for each compiled state, with
// the same methods. The values that they share are in bind_search.cpp.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <condition_variable>

#include "bind/bound.hpp"
#include "search/flat.hpp"
#include "search/mcts.hpp"

namespace tengen {

// Runs the search in threads of its own, so that this one can look for Ctrl-C.
template <class Search>
void run_interruptibly(Search& search, const SearchLimits& limits) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::thread worker([&] {
    search.run(limits);
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  });
  bool interrupted = false;
  while (true) {
    {
      nb::gil_scoped_release release;
      std::unique_lock lock(mutex);
      if (ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) break;
    }
    if (PyErr_CheckSignals() != 0) {
      interrupted = true;
      search.stop();
      break;
    }
  }
  {
    nb::gil_scoped_release release;
    worker.join();
  }
  if (interrupted) throw nb::python_error();
}

template <GameState S>
void bind_search(nb::module_& m, const char* name) {
  using Search = typename SearchOf<S>::type;
  nb::class_<Search>(m, name, "A search tree; see tengen.search.Search.")
      .def(
          "run",
          [](Search& self, std::int64_t visits, std::int64_t ms, int threads, bool stop_when_clear) {
            if constexpr (Binding<S>::kHoldsLock)
              self.run(SearchLimits{visits, ms, 1, stop_when_clear});
            else
              run_interruptibly(self, SearchLimits{visits, ms, threads, stop_when_clear});
          },
          "visits"_a, "ms"_a, "threads"_a, "stop_when_clear"_a)
      .def("stop", &Search::stop)
      .def(
          "advance",
          [](Search& self, nb::handle action) {
            const Action number = to_action(action);
            if (const char* why = self.root_state().why_illegal(number)) throw IllegalAction(why);
            self.advance(number);
          },
          nb::sig("def advance(self, action: typing.SupportsIndex, /) -> None"))
      .def("report", &Search::report);
  m.def(
      "search_settings", [](typename Binding<S>::Given) { return Heuristics<S>::settings(); }, "state"_a,
      "The settings that suit the state's game.");
  m.def(
      "new_search",
      [](typename Binding<S>::Given state, const SearchSettings& settings, std::uint64_t seed) {
        return std::make_unique<Search>(own_copy(Binding<S>::state(state)), settings, seed);
      },
      "state"_a, "settings"_a, "seed"_a, "The search class that fits the state.");
  m.def(
      "flat_monte_carlo",
      [](typename Binding<S>::Given given, int playouts, std::uint64_t seed) {
        const S& state = Binding<S>::state(given);
        if (state.is_over()) throw nb::value_error("The game is over: there is nothing to choose.");
        [[maybe_unused]] typename Binding<S>::Unlocked unlocked;
        Rng rng(seed);
        return flat_monte_carlo(state, playouts, rng);
      },
      "state"_a, "playouts"_a, "seed"_a, "See tengen.players.machine.FlatPlayer.");
}

}  // namespace tengen
