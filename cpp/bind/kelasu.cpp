// Binds Kelasu: states and searches.
#include "games/kelasu/kelasu.hpp"

#include <algorithm>

#include "bind/bind_game.hpp"
#include "games/kelasu/heuristics.hpp"

namespace tengen {

// The last whole move or merge.
template <>
struct Noted<Kelasu> {
  std::vector<int> cells;  // of a move `from, to`, of a merge in order
  bool took = false;       // the move took a piece

  void note(const Kelasu& before, Action action, const Kelasu& after) {
    using Stage = Kelasu::Stage;
    if (before.stage() == Stage::Choose || (after.stage() != Stage::Choose && !after.is_over())) return;
    took = false;
    if (before.stage() == Stage::Move) {
      const int from = before.selected_from();
      const int to = Kelasu::square_of(action);
      const bool converts = before.kind(Kelasu::kDiplomat).test(Kelasu::square_of(from));
      took = before.code_at(to) != 0 && !converts;
      cells = {from, action};
    } else {
      cells = before.selected();
      cells.insert(std::upper_bound(cells.begin(), cells.end(), action), action);
    }
  }
};

void bind_kelasu(nb::module_& m) {
  using B = Bound<Kelasu>;
  const auto optional = [](int value) { return value < 0 ? nb::none() : nb::object(nb::int_(value)); };
  nb::class_<KelasuRules>(m, "KelasuRules")
      .def(
          "__init__",
          [](KelasuRules* self, bool may_end_turn_early) { new (self) KelasuRules{may_end_turn_early}; },
          "may_end_turn_early"_a);
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
          "stages",
          [](const B& self) {
            using Stage = Kelasu::Stage;
            const Stage stage = self.state.stage();
            const std::size_t begun = stage == Stage::Choose       ? 0
                                      : stage == Stage::MergeCells ? 1 + self.state.selected().size()
                                                                   : 1;
            return self.log.newest(begun);
          },
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
