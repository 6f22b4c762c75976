// Binds Monte Carlo search: a search class for each compiled state, with the same methods.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <condition_variable>

#include "bound.hpp"
#include "games/dominion_duel.hpp"
#include "search/flat.hpp"
#include "search/mcts.hpp"
#include "search/policy_go.hpp"
#include "search/policy_great_kingdom.hpp"
#include "search/policy_kelasu.hpp"

namespace tengen {
namespace {

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
void bind_one(nb::module_& m, const char* name) {
  using Search = typename SearchOf<S>::type;
  nb::class_<Search>(m, name, "A search tree; see tengen.search.Search.")
      .def(
          "run",
          [](Search& self, std::int64_t visits, std::int64_t ms, int threads, bool stop_when_clear) {
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
      "search_settings", [](const Bound<S>&) { return Policy<S>::settings(); }, "state"_a,
      "The settings that suit the state's game.");
  m.def(
      "new_search",
      [](const Bound<S>& state, const SearchSettings& settings, std::uint64_t seed) {
        return std::make_unique<Search>(state.state, settings, seed);
      },
      "state"_a, "settings"_a, "seed"_a, "The search class that fits the state.");
  m.def(
      "flat_monte_carlo",
      [](const Bound<S>& state, int playouts, std::uint64_t seed) {
        nb::gil_scoped_release release;
        Rng rng(seed);
        return flat_monte_carlo(state.state, playouts, rng, true);
      },
      "state"_a, "playouts"_a, "seed"_a, "See tengen.players.machine.FlatPlayer.");
}

// The mean owner of each point over playouts from a position whose passes are forgotten, each side first in
// turn: +1 Black's to -1 White's.
template <int Max>
std::vector<float> go_ownership(const Bound<Go<Max>>& bound, int playouts, std::uint64_t seed) {
  nb::gil_scoped_release release;
  using S = Go<Max>;
  Rng rng(seed);
  Policy<S> policy;
  const SearchSettings settings = Policy<S>::settings();
  Trace trace;
  trace.first.resize(static_cast<std::size_t>(bound.state.action_count()));
  trace.owner.resize(static_cast<std::size_t>(bound.state.cell_count()));
  std::vector<float> sum(trace.owner.size());
  for (int i = 0; i < playouts; ++i) {
    S state = bound.state;
    state.resume(i % 2);
    policy.playout(state, settings, rng, trace);
    for (std::size_t cell = 0; cell < sum.size(); ++cell) sum[cell] += static_cast<float>(trace.owner[cell]);
  }
  for (float& value : sum) value /= static_cast<float>(std::max(1, playouts));
  return sum;
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<SearchSettings>(m, "SearchSettings", "How the tree is searched; see cpp/search/policy.hpp.")
      .def_rw("exploration", &SearchSettings::exploration)
      .def_rw("amaf_visits", &SearchSettings::amaf_visits)
      .def_rw("first_play_loss", &SearchSettings::first_play_loss)
      .def_rw("expand_visits", &SearchSettings::expand_visits)
      .def_rw("light_playouts", &SearchSettings::light_playouts);
  nb::class_<SearchedMove>(m, "SearchedMove", "A move of the root; win and score from the side of its mover.")
      .def_ro("action", &SearchedMove::action)
      .def_ro("visits", &SearchedMove::visits)
      .def_ro("win", &SearchedMove::win)
      .def_ro("score", &SearchedMove::score)
      .def_ro("winner", &SearchedMove::winner, "0, 1 or -1 (a draw) when proven, else -2.")
      .def_ro("line", &SearchedMove::line);
  nb::class_<SearchReport>(m, "SearchReport", "What a search has found so far.")
      .def_ro("visits", &SearchReport::visits)
      .def_ro("win", &SearchReport::win)
      .def_ro("score", &SearchReport::score)
      .def_ro("winner", &SearchReport::winner)
      .def_ro("moves", &SearchReport::moves, nb::rv_policy::copy)
      .def_ro("owner", &SearchReport::owner, nb::rv_policy::copy);
  m.def("go_ownership", &go_ownership<9>, "state"_a, "playouts"_a, "seed"_a);
  m.def("go_ownership", &go_ownership<19>, "state"_a, "playouts"_a, "seed"_a);
  bind_one<GreatKingdom<7>>(m, "GreatKingdom7Search");
  bind_one<GreatKingdom<9>>(m, "GreatKingdom9Search");
  bind_one<GreatKingdom<19>>(m, "GreatKingdom19Search");
  bind_one<Go9>(m, "Go9Search");
  bind_one<Go19>(m, "Go19Search");
  bind_one<Kelasu>(m, "KelasuSearch");
  bind_one<ShortDominionDuel>(m, "ShortDominionDuelSearch");
  bind_one<LongDominionDuel>(m, "LongDominionDuelSearch");
}

}  // namespace tengen
