// How a level chooses among the moves that its search has looked at: by visits, or by win rates seen through
// noise (blur), so that a weak level makes plausible moves that are a little worse. And the dice it is done
// with, the same in every home of the core.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "rng.hpp"

namespace tengen {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : rng_(seed) {}

  std::uint64_t bits() { return rng_.next(); }
  std::uint32_t below(std::uint32_t bound) { return rng_.below(bound); }
  double share() { return static_cast<double>(rng_.next() >> 11) * 0x1p-53; }  // from 0, below 1
  // Of the normal distribution (Box and Muller).
  double gauss(double deviation) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - share()));
    return deviation * radius * std::cos(2.0 * std::numbers::pi * share());
  }

 private:
  Rng rng_;
};

// A move that was looked at, best first in a list.
struct Seen {
  std::int64_t visits;
  double win;
  bool wins;   // proven
  bool loses;  // proven
};

constexpr std::int64_t kSerious = 8;  // a move with less than this part of the best one's visits is luck

// The place in the list of the move that is made; the list must not be empty.
inline std::size_t pick(std::span<const Seen> moves, double blur, Dice& dice) {
  if (blur == 0 || moves[0].wins) return 0;
  const std::int64_t serious = std::max<std::int64_t>(1, moves[0].visits / kSerious);
  std::size_t best = 0;
  bool found = false;
  double most = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].visits < serious || moves[i].loses) continue;
    const double win = moves[i].win + dice.gauss(blur);
    if (found && win <= most) continue;
    found = true;
    most = win;
    best = i;
  }
  return best;
}

}  // namespace tengen
