#include <algorithm>

#include "games/go/go.hpp"

namespace tengen {

template <int Max>
GoBoard<Max>::GoBoard(int size) : size_(size) {
  colour_.fill(kEdge);
  beside_.fill(0);
  head_.fill(kNone);
  next_.fill(kNone);
  slot_.fill(kNone);
  empty_.fill(kNone);
  for (int c = 0; c < size * size; ++c) {
    const Point p = point(c);
    colour_[p] = kEmpty;
    add_empty(p);
  }
  stones_.fill(0);
  liberties_.fill(0);
  for (int c = 0; c < size * size; ++c) {
    const Point p = point(c);
    beside(p, [&](std::size_t q) {
      beside_[p] += colour_[q] == kEdge ? kOne[kBlack] + kOne[kWhite] : kLiberty[q];
    });
  }
}

template <int Max>
inline void GoBoard<Max>::add_empty(Point p) {
  slot_[p] = static_cast<Point>(empty_count_);
  empty_[static_cast<std::size_t>(empty_count_++)] = p;
}

template <int Max>
inline void GoBoard<Max>::drop_empty(Point p) {
  const Point last = empty_[static_cast<std::size_t>(--empty_count_)];
  empty_[slot_[p]] = last;
  slot_[last] = slot_[p];
}

template <int Max>
inline int GoBoard<Max>::touches(Point p, Point head) const {
  int count = 0;
  beside(p, [&](std::size_t q) { count += head_[q] == head; });
  return count;
}

template <int Max>
bool GoBoard<Max>::is_shut_in(Point p, Colour c) const {
  // An own chain that keeps a liberty saves the stone, an enemy chain that loses its last one is captured.
  bool saved = false;
  beside(p, [&](std::size_t q) {
    if (colour_[q] == kEdge) return;
    const bool keeps_liberty = pseudo_liberties(static_cast<int>(q)) > touches(p, head_[q]);
    saved |= keeps_liberty == (colour_[q] == c);
  });
  return !saved;
}

template <int Max>
inline void GoBoard<Max>::merge(Point a, Point b) {
  if (stones_[a] < stones_[b]) std::swap(a, b);
  stones_[a] = static_cast<std::uint16_t>(stones_[a] + stones_[b]);
  liberties_[a] += liberties_[b];
  Point p = b;
  do {
    head_[p] = a;
    p = next_[p];
  } while (p != b);
  std::swap(next_[a], next_[b]);
}

template <int Max>
inline void GoBoard<Max>::put(Point p, Colour c) {
  colour_[p] = c;
  hash_ ^= key(p, c);
  drop_empty(p);
  beside(p, [&](std::size_t q) {
    beside_[q] += kOne[c] - kLiberty[p];
    liberties_[head_[q]] -= kLiberty[p];
  });
  head_[p] = p;
  next_[p] = p;
  stones_[p] = 1;
  liberties_[p] = beside_[p] & ~kStonesBeside;
  if (own_beside(p, c) == 0) return;
  beside(p, [&](std::size_t q) {
    if (colour_[q] == c && head_[q] != head_[p]) merge(head_[p], head_[q]);
  });
}

template <int Max>
inline int GoBoard<Max>::remove_chain(Point head) {
  const Colour c = colour_[head];
  Point stone = head;
  do {
    colour_[stone] = kEmpty;
    head_[stone] = kNone;
    hash_ ^= key(stone, c);
    add_empty(stone);
    stone = next_[stone];
  } while (stone != head);
  do {
    beside(stone, [&](std::size_t q) {
      beside_[q] += kLiberty[stone] - kOne[c];
      liberties_[head_[q]] += kLiberty[stone];
    });
    stone = next_[stone];
  } while (stone != head);
  return stones_[head];
}

template <int Max>
inline int GoBoard<Max>::place(Point p, Colour c) {
  put(p, c);
  ko_ = kNone;
  const Colour enemy = other(c);
  bool captures = false;
  beside(p, [&](std::size_t q) { captures |= (colour_[q] == enemy) & (liberties_[head_[q]] == 0); });
  if (!captures) return 0;
  int captured = 0;
  Point last = kNone;
  beside(p, [&](std::size_t q) {
    if (colour_[q] != enemy || liberties_[head_[q]] != 0) return;
    captured += remove_chain(head_[q]);
    last = static_cast<Point>(q);
  });
  // GO 7: one stone taken by a lone stone whose only liberty is the point it took from.
  if (captured == 1 && stones(p) == 1 && pseudo_liberties(p) == 1) ko_ = last;
  return captured;
}

template <int Max>
std::uint64_t GoBoard<Max>::hash_after(Point p, Colour c) const {
  const bool suicide = is_suicide(p, c);
  const Colour gone = suicide ? c : other(c);
  std::uint64_t result = suicide ? hash_ : hash_ ^ key(p, c);
  std::array<Point, 4> taken{};
  std::size_t taken_count = 0;
  beside(p, [&](std::size_t q) {
    const Point head = head_[q];
    if (colour_[q] != gone || pseudo_liberties(head) != touches(p, head)) return;
    const auto end = taken.begin() + static_cast<std::ptrdiff_t>(taken_count);
    if (std::find(taken.begin(), end, head) != end) return;
    taken[taken_count++] = head;
    Point stone = head;
    do {
      result ^= key(stone, gone);
      stone = next_[stone];
    } while (stone != head);
  });
  return result;
}

template <int Max>
bool GoBoard<Max>::every_chain_has_a_liberty() const {
  for (int c = 0; c < size_ * size_; ++c) {
    const Point p = point(c);
    if (colour_[p] != kEmpty && liberties_[head_[p]] == 0) return false;
  }
  return true;
}

template <int Max>
void GoBoard<Max>::mark_chain(Point p, std::vector<std::uint8_t>& marks) const {
  Point stone = p;
  do {
    marks[static_cast<std::size_t>(cell(stone))] = 1;
    stone = next_[stone];
  } while (stone != p);
}

template <int Max>
int GoBoard<Max>::count_liberties(Point p) const {
  std::array<bool, kPoints> seen{};
  int liberties = 0;
  Point stone = p;
  do {
    beside(stone, [&](std::size_t q) {
      liberties += colour_[q] == kEmpty && !seen[q];
      seen[q] = true;
    });
    stone = next_[stone];
  } while (stone != p);
  return liberties;
}

template <int Max>
int GoBoard<Max>::playout_area() const {
  int area = 0;
  for (int c = 0; c < size_ * size_; ++c) {
    const Point p = point(c);
    const bool black = colour_[p] == kBlack || (colour_[p] == kEmpty && own_beside(p, kBlack) == 4);
    const bool white = colour_[p] == kWhite || (colour_[p] == kEmpty && own_beside(p, kWhite) == 4);
    area += int{black} - int{white};
  }
  return area;
}

template <int Max>
int GoBoard<Max>::fill_randomly(Colour first, Rng& rng, std::array<Colour, kPoints>* first_at) {
  // Random games end long before this; only rare cycles of captures would go on.
  const int limit = 3 * size_ * size_;
  Colour c = first;
  int passes = 0;
  int made = 0;
  while (passes < 2 && made < limit) {
    const Point chosen = draw(rng, [&](Point p) { return p != ko_ && !is_eye(p, c) && !is_suicide(p, c); });
    if (chosen == kNone) {
      ++passes;
      ko_ = kNone;
    } else {
      passes = 0;
      place(chosen, c);
      if (first_at != nullptr && (*first_at)[chosen] == kEmpty) (*first_at)[chosen] = c;
    }
    ++made;
    c = other(c);
  }
  return made;
}

template class GoBoard<9>;
template class GoBoard<19>;

}  // namespace tengen
