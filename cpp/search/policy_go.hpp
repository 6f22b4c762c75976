// Go for Monte Carlo search. Reading starts at Policy<Go<Max>>::playout.
#pragma once

#include "games/go.hpp"
#include "search/policy.hpp"

namespace tengen {

template <int Max>
struct Policy<Go<Max>> {
  using S = Go<Max>;
  using Board = typename S::Board;
  static constexpr bool kAmaf = true;
  static constexpr bool kOwner = true;

  static SearchSettings settings() {
    SearchSettings s;
    s.exploration = 0.0f;
    s.amaf_visits = 3000;
    s.first_play_loss = 0.0f;
    s.expand_visits = 4;
    return s;
  }

  bool candidates(const S& state, ActionList& actions) const {
    state.legal_actions(actions);
    return true;
  }
  void priors(const S&, const ActionList&, std::span<Prior>) const {}
  Certain certain(const S&) const { return {}; }
  // Under territory scoring two passes only stop play: who owns what is for the playouts to say.
  bool is_final(const S& state) const { return state.rules().area || state.outcome().reason[0] == 'r'; }

  Value playout(S& state, const SearchSettings&, Rng& rng, Trace& trace) {
    (void)trace;
    const PlayoutResult result = state.playout(rng);
    return {result.winner == kDraw ? 0.5f : result.winner == 0 ? 1.0f : 0.0f, 0};
  }
};

}  // namespace tengen
