// Binds Go: states, searches and the solver.
#include "games/go/go.hpp"

#include "bind/bind_game.hpp"
#include "bind/bind_solver.hpp"
#include "games/go/description.hpp"
#include "games/go/ending.hpp"
#include "games/go/heuristics.hpp"
#include "games/go/solver.hpp"

namespace tengen {
namespace {

using solver::GoGoal;
using solver::GoSolver;
using solver::Verdict;

template <int Max>
void bind_board(nb::module_& m, const char* name) {
  using B = Bound<Go<Max>>;
  bind_game<Go<Max>>(m, name, "A position of Go.")
      .def_prop_ro(
          "ko",
          [](const B& self) {
            const int cell = self.state.rules().superko ? -1 : self.state.ko_cell();
            return cell < 0 ? nb::none() : nb::object(nb::int_(cell));
          },
          nb::for_getter(nb::sig("def ko(self) -> int | None")), "The point that may not be retaken now.")
      .def_prop_ro(
          "prisoners", [](const B& self) { return pair(self.state.prisoners()); },
          "Stones captured by each seat.")
      .def_prop_ro(
          "passes", [](const B& self) { return self.state.passes(); }, "Passes in a row just made.")
      .def_prop_ro(
          "captured",
          [](const B& self) {
            nb::list cells;
            self.state.captured().for_each([&](int cell) { cells.append(cell); });
            return nb::tuple(cells);
          },
          nb::for_getter(nb::sig("def captured(self) -> tuple[int, ...]")),
          "The cells that the last move captured.")
      .def("liberties", &liberties<Go<Max>>,
           "The liberties of the chain on each cell, 0 where there is none.")
      .def(
          "count",
          [](const B& self, const std::vector<int>& dead, const std::vector<int>& neutral) {
            return self.state.score(dead, neutral);
          },
          "dead"_a = std::vector<int>{}, "neutral"_a = std::vector<int>{},
          "The whole score sheet; see GoScore. `dead` names a stone of each dead chain, `neutral` points of "
          "seki.")
      .def(
          "score",
          [](const B& self, const std::vector<int>& dead, const std::vector<int>& neutral) {
            return pair(self.state.score(dead, neutral).points);
          },
          "dead"_a = std::vector<int>{}, "neutral"_a = std::vector<int>{},
          nb::sig("def score(self, dead: collections.abc.Sequence[int] = (), "
                  "neutral: collections.abc.Sequence[int] = ()) -> tuple[float, float]"));
}

void bind_values(nb::module_& m) {
  nb::class_<GoRules>(m, "GoRules")
      .def(
          "__init__",
          [](GoRules* self, nb::dict options) {
            new (self) GoRules(go_rules(from_python(options)));
            self->validate();
          },
          "options"_a, nb::sig("def __init__(self, options: collections.abc.Mapping[str, object]) -> None"));
  nb::class_<GoScore>(m, "GoScore", "A score sheet; pairs are Black's and White's.")
      .def_prop_ro(
          "points", [](const GoScore& self) { return pair(self.points); }, "The result, komi included.")
      .def_prop_ro("territory", [](const GoScore& self) { return pair(self.territory); })
      .def_prop_ro(
          "stones", [](const GoScore& self) { return pair(self.stones); }, "Living stones.")
      .def_prop_ro(
          "lost", [](const GoScore& self) { return pair(self.lost); }, "Own stones captured in play.")
      .def_prop_ro(
          "dead", [](const GoScore& self) { return pair(self.dead); }, "Own stones dead on the board.")
      .def_prop_ro("owner", [](const GoScore& self) { return to_bytes(self.owner); });
}

template <int Max>
GoEndingReport go_ending(const Bound<Go<Max>>& bound, int playouts, int visits, int readings,
                         std::uint64_t seed) {
  nb::gil_scoped_release release;
  return GoEnding<Max>(bound.state, {playouts, visits, readings}, seed).judge();
}

void bind_ending(nb::module_& m) {
  nb::class_<GoEndingReport>(m, "GoEnding",
                             "How a game that may be over stands; see tengen.games.go.estimate.")
      .def_ro("dead", &GoEndingReport::dead)
      .def_ro("seki", &GoEndingReport::seki)
      .def_ro("neutral", &GoEndingReport::neutral)
      .def_ro("owner", &GoEndingReport::owner)
      .def_prop_ro("wasted", [](const GoEndingReport& self) { return to_bytes(self.wasted); })
      .def_ro("lead", &GoEndingReport::lead)
      .def_ro("settled", &GoEndingReport::settled);
  m.def(
      "go_judged",
      [](int empty, double win, double lead, double sharp, double points) {
        const Judged found = go_judged(empty, win, lead, {sharp, points});
        return std::make_pair(found.win, found.lead);
      },
      "empty"_a, "win"_a, "lead"_a, "sharp"_a, "points"_a, "See tengen.games.go.judgement.");
  m.def(
      "go_scale",
      [](int side, bool by_net) {
        const GoScale& scale = go_scale(side, by_net);
        return std::make_pair(scale.sharp, scale.points);
      },
      "side"_a, "by_net"_a);
  m.attr("GO_MOST_WIN") = kGoMost;
  const nb::object suggestion =
      nb::make_tuple(kGoSuggestion.playouts, kGoSuggestion.visits, kGoSuggestion.readings);
  m.attr("GO_SUGGESTION") = suggestion;
  m.def("go_ending", &go_ending<9>, "state"_a, "playouts"_a, "visits"_a, "readings"_a, "seed"_a);
  m.def("go_ending", &go_ending<19>, "state"_a, "playouts"_a, "visits"_a, "readings"_a, "seed"_a);
}

nb::object python_verdict(Verdict verdict) {
  return verdict == solver::kOpen ? nb::none() : nb::object(nb::bool_(verdict == solver::kProven));
}

GoGoal::Setting setting_of(const Go9& state) {
  GoGoal::Setting setting;
  setting.side = state.rules().size;
  setting.to_move = state.to_move();
  setting.passes = state.passes();
  setting.ko = state.ko_cell() >= 0;
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const auto colour = state.board().at(state.board().point(cell));
    if (colour == Go9::Board::kEmpty) continue;
    const solver::Board bit = solver::Board{1} << (8 * (cell / setting.side) + cell % setting.side);
    setting.stones[colour == Go9::Board::kBlack ? 0 : 1] |= bit;
  }
  return setting;
}

void bind_solver(nb::module_& m) {
  m.attr("SOLVER_LARGEST_SIDE") = solver::kMaxSide;
  nb::class_<GoSolver>(m, "GoSolver", "Exact play from one position; see tengen.search.solve.")
      .def(
          "__init__",
          [](GoSolver* self, const Bound<Go9>& state, int memory_mb) {
            new (self) GoSolver(setting_of(state.state), bytes_of(memory_mb));
          },
          "state"_a, "memory_mb"_a)
      .def(
          "attempt",
          [](GoSolver& self, int seat, int need, const nb::object& progress) {
            return python_verdict(
                run_watched(self.monitor(), progress, [&] { return self.attempt(seat, need); }));
          },
          "seat"_a, "need"_a, "progress"_a = nb::none(),
          nb::sig("def attempt(self, seat: int, need: int, "
                  "progress: collections.abc.Callable[[int, int], object] | None = None) -> bool | None"),
          "Whether the seat can force an area that much larger; None when neither could be shown.")
      .def(
          "line",
          [](GoSolver& self, int seat, int lead, const nb::object& progress) {
            return run_watched(self.monitor(), progress, [&] { return self.line(seat, lead); });
          },
          "seat"_a, "lead"_a, "progress"_a = nb::none(),
          nb::sig("def line(self, seat: int, lead: int, "
                  "progress: collections.abc.Callable[[int, int], object] | None = None) -> list[int]"),
          "Play of the seat that forces that lead, until what is left needs no search.")
      .def_prop_ro("nodes", [](GoSolver& self) { return self.monitor().total(); });
}

}  // namespace

void bind_go(nb::module_& m) {
  bind_values(m);
  bind_board<9>(m, "Go9");
  bind_board<19>(m, "Go19");
  bind_ending(m);
  bind_solver(m);
}

}  // namespace tengen
