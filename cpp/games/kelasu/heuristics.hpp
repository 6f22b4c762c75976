// Kelasu is searched by alpha-beta; beside a net its eye for wins at hand remains.
#pragma once

#include "games/kelasu/search.hpp"
#include "search/heuristics.hpp"

namespace tengen {

template <>
struct SearchOf<Kelasu> {
  using type = KelasuSearch;
};

template <>
struct Heuristics<Kelasu> : PlainHeuristics<Kelasu> {
  Certain certain(const Kelasu& state) const {
    const Action action = kelasu_win_this_turn(state);
    if (action < 0) return {};
    return {static_cast<std::int8_t>(state.to_move()), action, 0};
  }
};

}  // namespace tengen
