// Binds Dominion Duel: states and searches.
#include "games/dominion_duel/dominion_duel.hpp"

#include "bind/bind_game.hpp"

namespace tengen {
namespace {

template <class Row>
void bind_row(nb::module_& m, const char* name) {
  bind_game<DominionDuel<Row>>(m, name, "A position of Dominion Duel.")
      .def("score", [](const Bound<DominionDuel<Row>>& self) { return pair(self.state.score()); });
}

}  // namespace

void bind_dominion_duel(nb::module_& m) {
  nb::class_<DominionDuelRules>(m, "DominionDuelRules")
      .def(
          "__init__",
          [](DominionDuelRules* self, int n) {
            new (self) DominionDuelRules{n};
            self->validate();
          },
          "n"_a)
      .def_prop_ro_static("largest", [](nb::handle) { return DominionDuelRules::kLargest; });
  bind_row<ShortRow>(m, "ShortDominionDuel");
  bind_row<LongRow>(m, "LongDominionDuel");
}

}  // namespace tengen
