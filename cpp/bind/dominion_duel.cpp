// Binds Dominion Duel: states and searches.
#include "games/dominion_duel/dominion_duel.hpp"

#include "bind/bind_game.hpp"
#include "games/dominion_duel/description.hpp"

namespace tengen {
namespace {

template <class Row>
void bind_row(nb::module_& m, const char* name) {
  bind_game<DominionDuel<Row>>(m, name, "A position of Dominion Duel.")
      .def("score", [](const Bound<DominionDuel<Row>>& self) { return pair(self.state.score()); })
      .def(
          "outcomes",
          [](const Bound<DominionDuel<Row>>& self) {
            nb::dict found;
            const auto known = Description<DominionDuel<Row>>::outcomes(self.state);
            for (const auto& [action, winner] : *known)
              found[nb::int_(action)] = winner == kDraw ? nb::none() : nb::object(nb::int_(winner));
            return found;
          },
          nb::sig("def outcomes(self) -> dict[int, int | None]"),
          "For each legal action the winner (None for a draw) when both play on without a mistake.");
}

}  // namespace

void bind_dominion_duel(nb::module_& m) {
  nb::class_<DominionDuelRules>(m, "DominionDuelRules")
      .def(
          "__init__",
          [](DominionDuelRules* self, nb::dict options) {
            new (self) DominionDuelRules(Description<ShortDominionDuel>::rules(from_python(options)));
            self->validate();
          },
          "options"_a, nb::sig("def __init__(self, options: collections.abc.Mapping[str, object]) -> None"))
      .def_prop_ro_static("largest", [](nb::handle) { return DominionDuelRules::kLargest; });
  m.def("dominion_duel_grundy", &grundy, "run"_a);
  bind_row<ShortRow>(m, "ShortDominionDuel");
  bind_row<LongRow>(m, "LongDominionDuel");
}

}  // namespace tengen
