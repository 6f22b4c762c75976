// Flat Monte Carlo: the same number of light random playouts after every move, and the best mean wins.
//
// No tree and no knowledge. It is the yardstick that searches are measured against.
#pragma once

#include <algorithm>

#include "search/heuristics.hpp"

namespace tengen {

// The action whose playouts the mover of a state that is not over won most often; the first of several. A
// pass is only for want of another.
template <GameState S>
Action flat_monte_carlo(const S& state, int playouts, Rng& rng) {
  ActionList actions;
  state.legal_actions(actions);
  if (actions.size() > 1) std::erase(actions, Heuristics<S>().pass(state));
  const int each = std::max(1, playouts / static_cast<int>(actions.size()));
  Action best = actions.front();
  double most = -1;
  for (const Action action : actions) {
    double wins = 0;
    for (int i = 0; i < each; ++i) {
      S copy = state;
      copy.play(action);
      const int winner = copy.is_over() ? copy.outcome().winner : copy.playout(rng).winner;
      wins += winner == kDraw ? 0.5 : winner == state.to_move() ? 1.0 : 0.0;
    }
    if (wins <= most) continue;
    most = wins;
    best = action;
  }
  return best;
}

}  // namespace tengen
