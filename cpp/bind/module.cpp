// The compiled module tengen._core. Only this folder knows Python.
//
// Every game has a file that binds all of it; a new one is one more line in each of the two lists below.
#include "bind/bound.hpp"
#include "bind/values.hpp"

namespace tengen {

void bind_dominion_duel(nb::module_& m);
void bind_go(nb::module_& m);
void bind_great_kingdom(nb::module_& m);
void bind_kelasu(nb::module_& m);
void bind_python_game(nb::module_& m);

namespace {

constexpr auto kGames = {&bind_great_kingdom, &bind_go, &bind_kelasu, &bind_dominion_duel};

}  // namespace
}  // namespace tengen

NB_MODULE(_core, m) {
  using namespace tengen;
  nb::set_leak_warnings(false);  // at exit the interpreter may not free all; tests look for real leaks
  nb::exception<IllegalAction>(m, "IllegalAction", PyExc_ValueError);
  nb::exception<InvalidOption>(m, "InvalidOption", PyExc_ValueError);
  nb::exception<InvalidPosition>(m, "InvalidPosition", PyExc_ValueError);
  bind_batch_values(m);
  bind_search_values(m);
  bind_net_values(m);
  bind_text(m);
  for (const auto bind : kGames) bind(m);
  bind_python_game(m);  // takes any state, so it comes last
}
