// Shapes of 3x3 points around an empty one where a local answer is often good for either side: hane, cuts,
// and moves on the edge. They are the shapes that MoGo made known (Gelly, Wang, Munos, Teytaud 2006).
//
// The eight neighbours are read row by row, two bits each, as GoBoard's colours; that number is a member of
// the set of good shapes or not.
#pragma once

#include <bitset>
#include <cstdint>

#include "games/go.hpp"

namespace tengen {

using GoShapes = std::bitset<1 << 16>;

// Made once, at the first call.
const GoShapes& go_shapes();

// The number of the shape around p.
template <int Max>
std::size_t go_shape(const GoBoard<Max>& board, int p) {
  constexpr int kStride = GoBoard<Max>::kStride;
  const auto at = [&](int q) { return static_cast<std::size_t>(board.at(q)); };
  return at(p - kStride - 1) | at(p - kStride) << 2 | at(p - kStride + 1) << 4 | at(p - 1) << 6 |
         at(p + 1) << 8 | at(p + kStride - 1) << 10 | at(p + kStride) << 12 | at(p + kStride + 1) << 14;
}

}  // namespace tengen
