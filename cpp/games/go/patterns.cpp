#include "games/go/patterns.hpp"

#include <array>
#include <string_view>

namespace tengen {
namespace {

// Row by row without the middle. a and b are the two colours, either way round; A is anything but a, B
// anything but b; '.' empty, '-' off the board, '?' anything.
constexpr std::array<std::string_view, 13> kShapes{
    "aba..???",  // hane around an enclosed stone
    "ab...?.?",  // hane at the head
    "ab?a.A.?",  // turning around a stone
    ".b.a....",  // shoulder hit, diagonal attachment
    "ab?bB?B?",  // cut that nobody protects
    "ab?ba???",  // cut that is peeped at
    "?a?bbBBB",  // pushing through between two stones
    "ba?Bb???",  // cutting a knight's move
    "a.?b?---",  // chasing along the edge
    "ba?ab---",  // stopping a cut on the edge
    "?a?Ab---",  // stopping a connection on the edge
    "?abAA---",  // descending to the edge
    "?baab---",  // cutting on the edge
};

// Where the neighbour goes when the board is turned by a quarter, and when it is mirrored left to right.
constexpr std::array<std::size_t, 8> kTurned{2, 4, 7, 1, 6, 0, 3, 5};
constexpr std::array<std::size_t, 8> kMirrored{2, 1, 0, 4, 3, 7, 6, 5};

std::array<std::size_t, 8> composed(const std::array<std::size_t, 8>& first,
                                    const std::array<std::size_t, 8>& second) {
  std::array<std::size_t, 8> both{};
  for (std::size_t i = 0; i < 8; ++i) both[i] = second[first[i]];
  return both;
}

bool fits(char wanted, std::size_t colour, std::size_t a) {
  constexpr std::size_t kEdge = GoBoard<9>::kEdge;
  const std::size_t b = 3 - a;
  switch (wanted) {
    case 'a':
      return colour == a;
    case 'b':
      return colour == b;
    case 'A':
      return colour != a;
    case 'B':
      return colour != b;
    case '.':
      return colour == 0;
    case '-':
      return colour == kEdge;
    default:
      return true;
  }
}

GoShapes make_shapes() {
  GoShapes shapes;
  std::array<std::size_t, 8> order{0, 1, 2, 3, 4, 5, 6, 7};
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    for (const std::string_view shape : kShapes) {
      for (std::size_t number = 0; number < shapes.size(); ++number) {
        bool as_black = true;
        bool as_white = true;
        for (std::size_t i = 0; i < 8 && (as_black || as_white); ++i) {
          const std::size_t colour = number >> (2 * order[i]) & 3;
          as_black &= fits(shape[i], colour, GoBoard<9>::kBlack);
          as_white &= fits(shape[i], colour, GoBoard<9>::kWhite);
        }
        if (as_black || as_white) shapes.set(number);
      }
    }
    order = composed(order, kTurned);
    if (symmetry == 3) order = composed(order, kMirrored);
  }
  return shapes;
}

}  // namespace

const GoShapes& go_shapes() {
  static const GoShapes shapes = make_shapes();
  return shapes;
}

}  // namespace tengen
