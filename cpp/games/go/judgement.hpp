// What a search's raw win rate and lead of Go mean: one judgement, so that the two never contradict.
//
// Playouts play worse than their search, so their win rates are too timid, and while much is open their leads
// are means of wide guesses. So an open game's lead is told by the win rate, a decided one's by what playouts
// count. The numbers were fitted to self-played games; tools/go_calibration.py repeats that and tests them on
// games held back.
#pragma once

#include <algorithm>
#include <cmath>

#include "describe/description.hpp"

namespace tengen {

struct GoScale {
  double sharp;   // what a unit of log odds is worth in truth
  double points;  // and in points, over the root of the empty points
};

constexpr GoScale kGoSmall{1.5, 0.4};  // boards of up to kGoSmallSide
constexpr GoScale kGoLarge{1.5, 0.4};  // others
constexpr GoScale kGoNet{1.0, 0.25};   // the shipped brain
constexpr int kGoSmallSide = 12;
constexpr double kGoMost = 0.99;  // a raw win rate beyond this says no more

// The win rate and lead for the same side, on a board with so many empty points.
inline Judged go_judged(int empty, double win, double lead, const GoScale& scale) {
  const double share = std::clamp(win, 1 - kGoMost, kGoMost);
  const double odds = std::log(share / (1 - share));
  const double sure = (2 * share - 1) * (2 * share - 1);
  const double told = scale.points * odds * std::sqrt(static_cast<double>(std::max(empty, 1)));
  const double counted = lead * odds > 0 ? lead : told;  // a lead that contradicts the win rate says nothing
  return {1 / (1 + std::exp(-scale.sharp * odds)), sure * counted + (1 - sure) * told};
}

inline const GoScale& go_scale(int side, bool by_net) {
  if (by_net) return kGoNet;
  return side <= kGoSmallSide ? kGoSmall : kGoLarge;
}

}  // namespace tengen
