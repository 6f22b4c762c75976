// Exact play on small boards: what the searches for a proof share.
//
// A Position carries one goal ("Blue gets at least 3 ahead") of one side, the attacker, and the searches
// answer whether the attacker can force it:
//   kProven   the attacker reaches the goal whatever the defender does;
//   kRefuted  the defender prevents it;
//   kOpen     neither is known.
// A value is found by asking for different goals. solver_proof.hpp searches games in which no position comes
// twice (Great Kingdom), solver_deepening.hpp those with cycles (Go); the positions are in
// games/<game>/solver.hpp.
//
// Positions are two 64-bit boards of stride 8 (up to 7x7), so that tables store whole positions and never
// take one for another. Start reading at the concept Position.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rng.hpp"

namespace tengen::solver {

enum Verdict : std::uint8_t { kOpen, kProven, kRefuted };

constexpr int kMaxSide = 7;
constexpr int kMaxMoves = kMaxSide * kMaxSide + 1;
constexpr std::uint8_t kNoMove = 255;
constexpr int kFreeByte = 56;  // the lowest of the eight bits that no 7x7 board uses

// ---- Boards of stride 8: bit 8 * row + column ----

using Board = std::uint64_t;

constexpr Board spread(Board b) { return b << 1 | b >> 1 | b << 8 | b >> 8; }

constexpr Board flood(Board seed, Board area) {
  while (true) {
    const Board more = (seed | spread(seed)) & area;
    if (more == seed) return seed;
    seed = more;
  }
}

constexpr Board full_board(int side) {
  Board b = 0;
  for (int row = 0; row < side; ++row) b |= ((Board{1} << side) - 1) << (8 * row);
  return b;
}

constexpr Board mirror_rows(Board b, int side) {
  b = (b & 0x00000000ffffffffULL) << 32 | b >> 32;
  b = (b & 0x0000ffff0000ffffULL) << 16 | (b >> 16 & 0x0000ffff0000ffffULL);
  b = (b & 0x00ff00ff00ff00ffULL) << 8 | (b >> 8 & 0x00ff00ff00ff00ffULL);
  return b >> (8 * (8 - side));
}

constexpr Board mirror_columns(Board b, int side) {
  b = (b & 0x5555555555555555ULL) << 1 | (b >> 1 & 0x5555555555555555ULL);
  b = (b & 0x3333333333333333ULL) << 2 | (b >> 2 & 0x3333333333333333ULL);
  b = (b & 0x0f0f0f0f0f0f0f0fULL) << 4 | (b >> 4 & 0x0f0f0f0f0f0f0f0fULL);
  return b >> (8 - side);
}

constexpr Board transpose(Board b) {
  Board t = (b ^ (b >> 7)) & 0x00aa00aa00aa00aaULL;
  b ^= t ^ (t << 7);
  t = (b ^ (b >> 14)) & 0x0000cccc0000ccccULL;
  b ^= t ^ (t << 14);
  t = (b ^ (b >> 28)) & 0x00000000f0f0f0f0ULL;
  return b ^ t ^ (t << 28);
}

// The symmetry of that number: bit 2 transposes first, then bit 0 mirrors columns and bit 1 rows.
constexpr Board turned(Board b, int symmetry, int side) {
  if (symmetry & 4) b = transpose(b);
  if (symmetry & 1) b = mirror_columns(b, side);
  if (symmetry & 2) b = mirror_rows(b, side);
  return b;
}

// The whole position. Bits that no 7x7 board uses hold the mover, passes, goal and the like.
struct Key {
  Board a = 0;
  Board b = 0;
  bool operator==(const Key&) const = default;
};

// The least of the eight images of two boards, and the symmetry that leads to it.
inline std::pair<Key, int> canonical(Board a, Board b, int side) {
  Key best{a, b};
  int best_symmetry = 0;
  Key image = best;
  const auto offer = [&](int symmetry) {
    if (image.a > best.a || (image.a == best.a && image.b >= best.b)) return;
    best = image;
    best_symmetry = symmetry;
  };
  for (const int half : {0, 4}) {
    if (half == 4) image = {transpose(a), transpose(b)};
    offer(half);
    image = {mirror_columns(image.a, side), mirror_columns(image.b, side)};
    offer(half | 1);
    image = {mirror_rows(image.a, side), mirror_rows(image.b, side)};
    offer(half | 3);
    image = {mirror_columns(image.a, side), mirror_columns(image.b, side)};
    offer(half | 2);
  }
  return {best, best_symmetry};
}

// Where a cell goes under each symmetry, and back; the action after the cells (a pass) stays.
class ActionMaps {
 public:
  explicit ActionMaps(int side) {
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      for (int cell = 0; cell < side * side; ++cell) {
        const Board image = turned(Board{1} << (8 * (cell / side) + cell % side), symmetry, side);
        const int bit = std::countr_zero(image);
        const int to = bit / 8 * side + bit % 8;
        to_[index(symmetry)][index(cell)] = static_cast<std::uint8_t>(to);
        from_[index(symmetry)][index(to)] = static_cast<std::uint8_t>(cell);
      }
      to_[index(symmetry)][index(side * side)] = from_[index(symmetry)][index(side * side)] =
          static_cast<std::uint8_t>(side * side);
    }
  }
  std::uint8_t to(int symmetry, int action) const { return to_[index(symmetry)][index(action)]; }
  std::uint8_t from(int symmetry, int action) const { return from_[index(symmetry)][index(action)]; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::array<std::array<std::uint8_t, kMaxMoves>, 8> to_{}, from_{};
};

// Fixed memory for entries that have `key` and `effort`, the nodes that finding them took (0: a free entry).
// A new entry goes where its key is already, else over the cheapest of its four places.
template <class Entry>
class Table {
 public:
  explicit Table(std::size_t bytes) {
    std::size_t buckets = 1;
    while (buckets * 2 * kWays * sizeof(Entry) <= bytes) buckets *= 2;
    entries_.resize(buckets * kWays);
    mask_ = buckets - 1;
  }

  const Entry* find(const Key& key) const {
    const Entry* bucket = &entries_[slot(key)];
    for (std::size_t i = 0; i < kWays; ++i)
      if (bucket[i].effort != 0 && bucket[i].key == key) return &bucket[i];
    return nullptr;
  }

  void store(const Entry& entry) {
    Entry* bucket = &entries_[slot(entry.key)];
    Entry* place = bucket;
    for (std::size_t i = 0; i < kWays; ++i) {
      if (bucket[i].effort != 0 && bucket[i].key == entry.key) {
        place = &bucket[i];
        break;
      }
      if (bucket[i].effort < place->effort) place = &bucket[i];
    }
    *place = entry;
  }

 private:
  static constexpr std::size_t kWays = 4;
  std::size_t slot(const Key& key) const { return (splitmix64(key.a ^ splitmix64(key.b)) & mask_) * kWays; }
  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
};

constexpr std::uint32_t effort(std::uint64_t nodes) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes + 1, 0xffffffff));
}

// Thrown out of a search that was asked to stop.
struct Interrupted {};

// What another thread may look at, and set `stop` in, while a search runs.
struct Monitor {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> nodes{0};
  std::atomic<int> depth{0};  // of the deepening in hand; 0 where there is none

  void count() {
    constexpr std::uint64_t kLookEvery = 1 << 12;
    if (++uncounted_ < kLookEvery) return;
    publish();
    if (stop.load(std::memory_order_relaxed)) throw Interrupted{};
  }
  void publish() {
    nodes.fetch_add(uncounted_, std::memory_order_relaxed);
    uncounted_ = 0;
  }
  std::uint64_t total() const { return nodes.load(std::memory_order_relaxed) + uncounted_; }

 private:
  std::uint64_t uncounted_ = 0;  // only the searching thread touches it
};

struct Move {
  std::uint8_t action = 0;
  std::int32_t order = 0;  // larger is tried first
};

struct MoveList {
  std::array<Move, kMaxMoves> items;
  int count = 0;

  void add(int action, std::int32_t order) {
    items[static_cast<std::size_t>(count++)] = {static_cast<std::uint8_t>(action), order};
  }
  auto begin() { return items.begin(); }
  auto end() { return items.begin() + count; }
};

// moves() may leave out what cannot change the verdict, and of the attacker's moves whatever it likes to.
// verdict() is what can be told without search.
template <class P>
concept Position = std::copyable<P> && requires(const P& p, P& changed, MoveList& moves, int action) {
  { p.side() } -> std::same_as<int>;
  { p.mover() } -> std::same_as<int>;
  { p.attacker_to_move() } -> std::same_as<bool>;
  { p.verdict() } -> std::same_as<Verdict>;
  { p.plain_key() } -> std::same_as<Key>;            // of the position as it lies
  { p.key() } -> std::same_as<std::pair<Key, int>>;  // of its least image, and the symmetry that leads there
  { p.moves(moves) } -> std::same_as<void>;
  { changed.play(action) } -> std::same_as<void>;
};

}  // namespace tengen::solver
