// Binds Great Kingdom: states, searches and the solver.
#include "games/great_kingdom/great_kingdom.hpp"

#include "bind/bind_game.hpp"
#include "bind/bind_solver.hpp"
#include "games/great_kingdom/description.hpp"
#include "games/great_kingdom/heuristics.hpp"
#include "games/great_kingdom/solver.hpp"

namespace tengen {
namespace {

using solver::GreatKingdomSolver;

template <int Max>
void bind_board(nb::module_& m, const char* name) {
  using B = Bound<GreatKingdom<Max>>;
  bind_game<GreatKingdom<Max>>(m, name, "A position of Great Kingdom.")
      .def(
          "score", [](const B& self) { return pair(self.state.score()); },
          "The territory of both as it stands.")
      .def(
          "territory",
          [](const B& self) {
            return to_bytes(per_cell(self.state, [&](auto out) { self.state.territory(out); }));
          },
          "The owner of each cell: 0 nobody, 1 Blue, 2 Orange.")
      .def("liberties", &liberties<GreatKingdom<Max>>,
           "The liberties of the group on each cell, 0 where there is none.")
      .def(
          "would_lose",
          [](const B& self, nb::handle action) { return self.state.would_lose(to_action(action)); },
          nb::sig("def would_lose(self, action: typing.SupportsIndex, /) -> bool"),
          "A placement that is suicide.")
      .def_prop_ro(
          "passes", [](const B& self) { return self.state.passes(); }, "Passes in a row just made.")
      .def_prop_ro(
          "captured",
          [](const B& self) {
            const auto marks = per_cell(self.state, [&](auto out) { self.state.captured(out); });
            nb::list cells;
            for (std::size_t i = 0; i < marks.size(); ++i)
              if (marks[i]) cells.append(i);
            return nb::tuple(cells);
          },
          nb::for_getter(nb::sig("def captured(self) -> tuple[int, ...]")),
          "The castles without liberties that ended the game.")
      .def_prop_ro(
          "castles_left",
          [](const B& self) -> nb::object {
            if (self.state.castles_left(0) < 0) return nb::none();
            return nb::make_tuple(self.state.castles_left(0), self.state.castles_left(1));
          },
          nb::for_getter(nb::sig("def castles_left(self) -> tuple[int, int] | None")),
          "None without a limit.");
}

void bind_values(nb::module_& m) {
  using R = GreatKingdomRules;
  nb::class_<R>(m, "GreatKingdomRules")
      .def(
          "__init__",
          [](R* self, nb::dict options) {
            new (self) R(great_kingdom_rules(from_python(options)));
            self->validate();
          },
          "options"_a, nb::sig("def __init__(self, options: collections.abc.Mapping[str, object]) -> None"));
}

void bind_solver(nb::module_& m) {
  nb::class_<GreatKingdomSolver>(m, "GreatKingdomSolver",
                                 "Exact play from one position; see tengen.search.solve.")
      .def(
          "__init__",
          [](GreatKingdomSolver* self, const Bound<GreatKingdom<7>>& state, int memory_mb) {
            new (self) GreatKingdomSolver(state.state, bytes_of(memory_mb));
          },
          "state"_a, "memory_mb"_a)
      .def(
          "attempt",
          [](GreatKingdomSolver& self, int lead, const nb::object& progress) {
            return run_watched(self.monitor(), progress, [&] { return self.attempt(lead); }) ==
                   solver::kProven;
          },
          "lead"_a, "progress"_a = nb::none(),
          nb::sig("def attempt(self, lead: int, progress: collections.abc.Callable[[int, int], object] | "
                  "None = None)"
                  " -> bool"),
          "Whether Blue can force a capture or at least that lead.")
      .def(
          "line",
          [](GreatKingdomSolver& self, int held, int denied, const nb::object& progress) {
            return run_watched(self.monitor(), progress, [&] { return self.line(held, denied); });
          },
          "held"_a, "denied"_a, "progress"_a = nb::none(),
          nb::sig("def line(self, held: int, denied: int, "
                  "progress: collections.abc.Callable[[int, int], object] | None = None) -> list[int]"),
          "Play in which Blue holds the one lead and Orange denies the other.")
      .def_prop_ro("nodes", [](GreatKingdomSolver& self) { return self.monitor().total(); });
}

}  // namespace

void bind_great_kingdom(nb::module_& m) {
  bind_values(m);
  bind_board<7>(m, "GreatKingdom7");
  bind_board<9>(m, "GreatKingdom9");
  bind_board<19>(m, "GreatKingdom19");
  bind_solver(m);
}

}  // namespace tengen
