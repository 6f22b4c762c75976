// Kelasu is searched by alpha-beta; beside a net its eye for wins at hand remains.
#pragma once

#include "search/kelasu_search.hpp"
#include "search/policy.hpp"

namespace tengen {

template <>
struct SearchOf<Kelasu> {
  using type = KelasuSearch;
};

template <>
struct Policy<Kelasu> {
  static constexpr float kPlayoutShare = 0;

  static SearchSettings settings() { return {}; }
  bool candidates(const Kelasu& state, ActionList& actions) const {
    state.legal_actions(actions);
    return true;
  }
  Certain certain(const Kelasu& state) const {
    const Action action = kelasu_win_this_turn(state);
    if (action < 0) return {};
    return {static_cast<std::int8_t>(state.to_move()), action, 0};
  }
  bool is_final(const Kelasu&) const { return true; }
};

}  // namespace tengen
