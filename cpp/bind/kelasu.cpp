// Binds Kelasu: states and searches.
#include "games/kelasu/kelasu.hpp"

#include "bind/bind_game.hpp"
#include "games/kelasu/description.hpp"
#include "games/kelasu/heuristics.hpp"

namespace tengen {

void bind_kelasu(nb::module_& m) {
  using B = Bound<Kelasu>;
  const auto optional = [](int value) { return value < 0 ? nb::none() : nb::object(nb::int_(value)); };
  nb::class_<KelasuRules>(m, "KelasuRules")
      .def(
          "__init__",
          [](KelasuRules* self, nb::dict options) {
            new (self) KelasuRules(Description<Kelasu>::rules(from_python(options)));
          },
          "options"_a, nb::sig("def __init__(self, options: collections.abc.Mapping[str, object]) -> None"));
  nb::object costs = nb::tuple(nb::cast(Kelasu::kMergeCost));
  nb::object tiles = nb::tuple(nb::cast(Description<Kelasu>::kVictoryTiles));
  m.attr("KELASU_COSTS") = costs;
  m.attr("KELASU_VICTORY_TILES") = tiles;
  m.def("kelasu_move_length", &Description<Kelasu>::move_length, "first"_a);
  m.def(
      "kelasu_move_kind",
      [](const nb::bytes& cells, int start, int to) {
        const auto inside = [](int cell) { return cell >= 0 && cell < Kelasu::kCells; };
        if (cells.size() != Kelasu::kCells || !inside(start) || !inside(to))
          throw nb::value_error("A move goes from a cell of the board to another.");
        return Description<Kelasu>::move_kind(as_span(cells), start, to);
      },
      "cells"_a, "start"_a, "to"_a,
      nb::sig("def kelasu_move_kind(cells: bytes, start: int, to: int) -> "
              "typing.Literal['move', 'capture', 'convert', 'recall']"));
  m.def(
      "kelasu_features",
      [](const B& state) { return nb::list(nb::cast(KelasuEval(state.state).features())); }, "state"_a,
      nb::sig("def kelasu_features(state: Kelasu) -> list[int]"),
      "What the search counts in a position beside where the pieces stand.");
  bind_game<Kelasu>(m, "Kelasu", "A position of Kelasu, maybe in the midst of a staged move.")
      .def_prop_ro(
          "energy", [](const B& self) { return self.state.energy(); }, "What is left of it this turn.")
      .def_prop_ro("quiet_rounds", [](const B& self) { return self.state.quiet_rounds(); })
      .def_prop_ro(
          "stage",
          [](const B& self) {
            static constexpr std::array<const char*, 4> kNames{"choose", "move", "merge-target",
                                                               "merge-cells"};
            return kNames[static_cast<std::size_t>(self.state.stage())];
          },
          "What the next action chooses: choose, move, merge-target or merge-cells.")
      .def_prop_ro(
          "selected_from", [=](const B& self) { return optional(self.state.selected_from()); },
          nb::for_getter(nb::sig("def selected_from(self) -> int | None")),
          "The cell of the piece that is to move.")
      .def_prop_ro(
          "merge_kind", [=](const B& self) { return optional(self.state.merge_kind()); },
          nb::for_getter(nb::sig("def merge_kind(self) -> int | None")), "0 to 5 for W R D C G S.")
      .def_prop_ro(
          "merge_target", [=](const B& self) { return optional(self.state.merge_target()); },
          nb::for_getter(nb::sig("def merge_target(self) -> int | None")))
      .def_prop_ro(
          "selected", [](const B& self) { return self.state.selected(); }, "The cells of the merge so far.")
      .def_prop_ro(
          "stages", [](const B& self) { return Description<Kelasu>::under_way(self); },
          "The actions of the move that has begun and is not complete.")
      .def_prop_ro(
          "last_move", [](const B& self) { return nb::tuple(nb::cast(self.noted.cells)); },
          nb::for_getter(nb::sig("def last_move(self) -> tuple[int, ...]")),
          "The cells of the last whole move or merge, of a move `from, to`.")
      .def_prop_ro(
          "captured",
          [](const B& self) {
            return self.noted.took ? nb::make_tuple(self.noted.cells.back()) : nb::tuple();
          },
          nb::for_getter(nb::sig("def captured(self) -> tuple[int, ...]")),
          "The cell where the last move took a piece, or none.")
      .def_prop_ro(
          "moved", [](const B& self) { return self.state.moved(); }, "Pieces that have moved this turn.")
      .def(
          "movable", [](const B& self) { return self.state.movable(); }, "The pieces that may move now.")
      .def(
          "targets", [](const B& self, int cell) { return self.state.targets(cell); }, "cell"_a,
          "Where the piece on that cell goes, moved or not.")
      .def(
          "merge_targets", [](const B& self, int kind) { return self.state.merge_targets(kind); }, "kind"_a,
          "The cells where a merge into that kind may stand.");
}

}  // namespace tengen
