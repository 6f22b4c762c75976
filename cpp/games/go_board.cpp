#include <algorithm>

#include "games/go.hpp"

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
  for (int c = 0; c < size * size; ++c) {
    const Point p = point(c);
    for (const int step : kBeside) {
      const Colour neighbour = at(p + step);
      beside_[p] = static_cast<std::uint16_t>(
          beside_[p] + (neighbour == kEdge ? kCount[kBlack] + kCount[kWhite] : kCount[kEmpty]));
    }
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
  for (const int step : kBeside) {
    const auto q = static_cast<std::size_t>(p + step);
    count += (colour_[q] == kBlack || colour_[q] == kWhite) && head_[q] == head;
  }
  return count;
}

template <int Max>
inline bool GoBoard<Max>::is_suicide(Point p, Colour c) const {
  if (has_empty_neighbour(p)) return false;
  // An own chain that keeps a liberty saves the stone, an enemy chain that loses its last one is captured.
  for (const int step : kBeside) {
    const Colour neighbour = at(p + step);
    if (neighbour == kEdge) continue;
    const Point head = head_[static_cast<std::size_t>(p + step)];
    const bool keeps_liberty = chain_[head].liberties > touches(p, head);
    if (keeps_liberty == (neighbour == c)) return false;
  }
  return true;
}

template <int Max>
inline bool GoBoard<Max>::is_eye(Point p, Colour c) const {
  const int own = c == kBlack ? beside_[p] & 0xf : (beside_[p] >> 4) & 0xf;
  if (own != 4) return false;
  int enemies = 0;
  int edge = 0;
  for (const int step : kDiagonal) {
    const Colour corner = at(p + step);
    enemies += corner == other(c);
    edge |= corner == kEdge;
  }
  return enemies + edge < 2;
}

template <int Max>
inline void GoBoard<Max>::merge(int into, int from) {
  Point a = head_[static_cast<std::size_t>(into)];
  Point b = head_[static_cast<std::size_t>(from)];
  if (a == b) return;
  if (chain_[a].stones < chain_[b].stones) std::swap(a, b);
  Chain& whole = chain_[a];
  const Chain& part = chain_[b];
  whole.stones = static_cast<std::uint16_t>(whole.stones + part.stones);
  whole.liberties = static_cast<std::uint16_t>(whole.liberties + part.liberties);
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
  head_[p] = p;
  next_[p] = p;
  Chain& own = chain_[p];
  own = {1, 0};
  const auto change = static_cast<std::uint16_t>(kCount[c] - kCount[kEmpty]);
  for (const int step : kBeside) {
    const int q = p + step;
    beside_[static_cast<std::size_t>(q)] = static_cast<std::uint16_t>(beside_[static_cast<std::size_t>(q)] + change);
    const Colour neighbour = at(q);
    if (neighbour == kEmpty)
      ++own.liberties;
    else if (neighbour != kEdge)
      --chain_of(q).liberties;
  }
  for (const int step : kBeside)
    if (at(p + step) == c) merge(p, p + step);
}

template <int Max>
inline int GoBoard<Max>::remove_chain(int p) {
  const Point head = head_[static_cast<std::size_t>(p)];
  const Colour c = at(p);
  const auto change = static_cast<std::uint16_t>(kCount[kEmpty] - kCount[c]);
  Point stone = head;
  do {
    colour_[stone] = kEmpty;
    hash_ ^= key(stone, c);
    add_empty(stone);
    stone = next_[stone];
  } while (stone != head);
  do {
    for (const int step : kBeside) {
      const auto q = static_cast<std::size_t>(stone + step);
      beside_[q] = static_cast<std::uint16_t>(beside_[q] + change);
      if (colour_[q] == kBlack || colour_[q] == kWhite) ++chain_[head_[q]].liberties;
    }
    stone = next_[stone];
  } while (stone != head);
  return chain_[head].stones;
}

template <int Max>
inline int GoBoard<Max>::place(Point p, Colour c) {
  put(p, c);
  const Colour enemy = other(c);
  int captured = 0;
  Point capture = kNone;
  for (const int step : kBeside) {
    const int q = p + step;
    if (at(q) != enemy || chain_of(q).liberties != 0) continue;
    captured += remove_chain(q);
    capture = static_cast<Point>(q);
  }
  // GO 7: one stone taken by a lone stone whose only liberty is the point it took from.
  ko_ = captured == 1 && chain_of(p).stones == 1 && chain_of(p).liberties == 1 ? capture : kNone;
  return captured;
}

template <int Max>
std::uint64_t GoBoard<Max>::hash_after(Point p, Colour c) const {
  std::uint64_t result = hash_ ^ key(p, c);
  std::array<Point, 4> taken{};
  std::size_t taken_count = 0;
  for (const int step : kBeside) {
    const int q = p + step;
    if (at(q) != other(c)) continue;
    const Point head = head_[static_cast<std::size_t>(q)];
    const bool captured = chain_[head].liberties == touches(p, head);
    const auto end = taken.begin() + static_cast<std::ptrdiff_t>(taken_count);
    if (!captured || std::find(taken.begin(), end, head) != end) continue;
    taken[taken_count++] = head;
    Point stone = head;
    do {
      result ^= key(stone, other(c));
      stone = next_[stone];
    } while (stone != head);
  }
  return result;
}

template <int Max>
bool GoBoard<Max>::every_chain_has_a_liberty() const {
  for (int c = 0; c < size_ * size_; ++c) {
    const Point p = point(c);
    if (colour_[p] != kEmpty && chain_of(p).liberties == 0) return false;
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
    for (const int step : kBeside) {
      const auto q = static_cast<std::size_t>(stone + step);
      if (colour_[q] != kEmpty || seen[q]) continue;
      seen[q] = true;
      ++liberties;
    }
    stone = next_[stone];
  } while (stone != p);
  return liberties;
}

template <int Max>
int GoBoard<Max>::playout_area() const {
  int area = 0;
  for (int c = 0; c < size_ * size_; ++c) {
    const Point p = point(c);
    const bool black = colour_[p] == kBlack || (colour_[p] == kEmpty && (beside_[p] & 0xf) == 4);
    const bool white = colour_[p] == kWhite || (colour_[p] == kEmpty && ((beside_[p] >> 4) & 0xf) == 4);
    area += int{black} - int{white};
  }
  return area;
}

template <int Max>
int GoBoard<Max>::fill_randomly(Colour first, Rng& rng) {
  // Random games end long before this; only rare cycles of captures would go on.
  const int limit = 3 * size_ * size_;
  Colour c = first;
  int passes = 0;
  int made = 0;
  while (passes < 2 && made < limit) {
    // Draw without replacement: a point that will not do goes to the end of the list and out of the draw.
    int candidates = empty_count_;
    Point chosen = kNone;
    while (candidates > 0) {
      const auto i = rng.below(static_cast<std::uint32_t>(candidates));
      const Point p = empty_[i];
      if (p != ko_ && !is_eye(p, c) && !is_suicide(p, c)) {
        chosen = p;
        break;
      }
      --candidates;
      const Point last = empty_[static_cast<std::size_t>(candidates)];
      empty_[i] = last;
      slot_[last] = static_cast<Point>(i);
      empty_[static_cast<std::size_t>(candidates)] = p;
      slot_[p] = static_cast<Point>(candidates);
    }
    if (chosen == kNone) {
      ++passes;
      ko_ = kNone;
    } else {
      passes = 0;
      place(chosen, c);
    }
    ++made;
    c = other(c);
  }
  return made;
}

template class GoBoard<9>;
template class GoBoard<19>;

}  // namespace tengen
