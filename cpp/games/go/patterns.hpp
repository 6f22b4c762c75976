// Shapes of 3x3 points around an empty one where a local answer is often good for either side: hane, cuts,
// and moves on the edge. They are the shapes that MoGo made known (Gelly, Wang, Munos, Teytaud 2006).
//
// The eight neighbours are read row by row, two bits each, as GoBoard's colours; that number is a member of
// the set of good shapes or not.
#pragma once

#include <bitset>
#include <cstdint>

#include "games/go/go.hpp"

namespace tengen {

using GoShapes = std::bitset<1 << 16>;

// Made once, at the first call.
const GoShapes& go_shapes();

// The number of the shape around p.
template <int Max>
std::size_t go_shape(const GoBoard<Max>& board, int p) {
  constexpr int kStride = GoBoard<Max>::kStride;
  const std::size_t above = board.three_from(p - kStride - 1);
  const std::size_t beside = board.three_from(p - 1);
  const std::size_t below = board.three_from(p + kStride - 1);
  return above | (beside & 3) << 6 | (beside & 0x30) << 4 | below << 10;
}

}  // namespace tengen
