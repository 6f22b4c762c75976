// bind_game() binds all that every game has: its state, search, search with a net, self-play and batches.
#pragma once

#include "bind/bind_batch.hpp"
#include "bind/bind_net.hpp"
#include "bind/bind_search.hpp"
#include "bind/bind_state.hpp"

namespace tengen {

// The class of the state, to which a game adds what only it has. Its heuristics must be included before.
template <GameState S>
nb::class_<Bound<S>> bind_game(nb::module_& m, const char* name, const char* doc) {
  auto state = bind_state<S>(m, name, doc);
  bind_batch<S>(m);
  bind_search<S>(m, (std::string(name) + "Search").c_str());
  bind_net<S>(m, name);
  return state;
}

}  // namespace tengen
