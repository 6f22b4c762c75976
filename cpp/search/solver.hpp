// Exact play on small boards: a yes-or-no search for one goal, repeated for different goals until the value
// is pinned down.
//
// A Position knows one goal ("Blue gets at least 3 ahead", "White holds Black to 2") and answers for the side
// that pursues it, the attacker. Prover::prove() is a depth-first search over attacker and defender nodes with
// iterative deepening and a transposition table. Its verdicts mean:
//   kProven   the attacker reaches the goal whatever the defender does;
//   kRefuted  the defender prevents it (only games without cycles may return this from the search);
//   kOpen     neither was shown within the depth.
//
// Why a table is safe although Go has cycles: a node is marked kProven only after a child (attacker to move) or
// all children (defender to move) have been marked before it. The order of marking is therefore a rank that
// falls with every move of the attacker's strategy, so that the strategy ends and never comes back to a
// position. kOpen says nothing, hence an entry made on another path can hide a proof but never fake one.
//
// Positions are held as two 64-bit boards of stride 8 (up to 7x7), so that the table stores the whole position
// and two positions are never confused. Start reading at Prover::prove().
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "game.hpp"
#include "rng.hpp"

namespace tengen::solver {

enum Verdict : std::uint8_t { kOpen, kProven, kRefuted };

constexpr int kMaxSide = 7;
constexpr int kMaxMoves = kMaxSide * kMaxSide + 1;
constexpr int kMaxPly = 250;       // longer lines are cut off as kOpen
constexpr int kUnlimited = 255;    // the depth of a search that stops only at the ends of games
constexpr std::uint8_t kNoMove = 255;

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

// ---- The transposition table ----

struct Entry {
  Key key;
  std::uint32_t effort = 0;  // nodes below it: what it would cost to find this out again; 0 is a free entry
  Verdict verdict = kOpen;
  std::uint8_t depth = 0;  // of an open verdict
  std::uint8_t move = kNoMove;
};

// Fixed memory. A new entry goes where its key is already, else over the cheapest of four neighbours.
class Table {
 public:
  explicit Table(std::size_t bytes) {
    std::size_t buckets = 1;
    while (buckets * 2 * kWays * sizeof(Entry) <= bytes) buckets *= 2;
    entries_ = std::vector<Entry>(buckets * kWays);
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
    Entry* victim = bucket;
    for (std::size_t i = 0; i < kWays; ++i) {
      if (bucket[i].effort != 0 && bucket[i].key == entry.key) {
        victim = &bucket[i];
        break;
      }
      if (bucket[i].effort < victim->effort) victim = &bucket[i];
    }
    *victim = entry;
  }

  void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

 private:
  static constexpr std::size_t kWays = 4;
  std::size_t slot(const Key& key) const {
    return (splitmix64(key.a ^ splitmix64(key.b)) & mask_) * kWays;
  }
  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
};

// ---- The search ----

// Thrown out of a search that was asked to stop.
struct Interrupted {};

// What others may look at, and set `stop` in, while a search runs.
struct Monitor {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> nodes{0};
  std::atomic<int> depth{0};
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
};

// P::kAcyclic says that no position can come twice in a game. moves() may leave out what cannot change the
// verdict; verdict() is what the position shows without search.
template <class P>
concept Position = std::copyable<P> && requires(const P& p, P& changed, MoveList& moves, int action) {
  { P::kAcyclic } -> std::convertible_to<bool>;
  { p.side() } -> std::same_as<int>;
  { p.mover() } -> std::same_as<int>;
  { p.attacker_to_move() } -> std::same_as<bool>;
  { p.verdict() } -> std::same_as<Verdict>;
  { p.key() } -> std::same_as<std::pair<Key, int>>;  // canonical, and the symmetry that leads to it
  { p.plain_key() } -> std::same_as<Key>;            // of the position as it lies
  { p.moves(moves, true) } -> std::same_as<void>;
  { changed.play(action) } -> std::same_as<void>;
};

template <Position P>
class Prover {
 public:
  Prover(Table& table, Monitor& monitor, int side) : table_(table), monitor_(monitor), maps_(side) {}

  // Deepens until there is a verdict or max_depth is done. Throws Interrupted.
  Verdict prove(const P& root, int max_depth, int first_depth = 1, int step = 1) {
    for (int depth = first_depth; depth < max_depth; depth += step) {
      const Verdict verdict = search(root, depth);
      if (verdict != kOpen) return verdict;
    }
    return search(root, max_depth);
  }

  Verdict search(const P& root, int depth) {
    monitor_.depth = depth;
    path_.clear();
    for (auto& side : history_)
      for (auto& h : side) h /= 2;
    const Verdict verdict = visit(root, depth);
    publish();
    return verdict;
  }

  std::uint64_t nodes() const { return nodes_; }

 private:
  static constexpr std::uint64_t kPollEvery = 1 << 14;  // nodes between looks at the stop flag

  void publish() {
    monitor_.nodes += nodes_ - published_;
    published_ = nodes_;
  }

  Verdict visit(const P& position, int depth) {
    if (++nodes_ % kPollEvery == 0) {
      publish();
      if (monitor_.stop) throw Interrupted{};
    }
    if (const Verdict verdict = position.verdict(); verdict != kOpen) return verdict;
    if (path_.size() >= kMaxPly) return kOpen;
    if (depth <= 0) depth = 0;
    const auto [key, symmetry] = position.key();
    std::uint8_t known_move = kNoMove;
    if (const Entry* entry = table_.find(key)) {
      if (entry->verdict != kOpen || entry->depth >= depth) return entry->verdict;
      if (entry->move != kNoMove) known_move = maps_.from(symmetry, entry->move);
    }
    const std::uint64_t nodes_before = nodes_;
    const auto [verdict, move] = expand(position, depth, known_move);
    table_.store({key, static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes_ - nodes_before + 1, ~0U)), verdict,
                  static_cast<std::uint8_t>(depth), move == kNoMove ? kNoMove : maps_.to(symmetry, move)});
    return verdict;
  }

  std::pair<Verdict, std::uint8_t> expand(const P& position, int depth, std::uint8_t known_move) {
    MoveList moves;
    position.moves(moves, depth == 0);
    const bool attacking = position.attacker_to_move();
    auto& history = history_[static_cast<std::size_t>(position.mover())];
    for (int i = 0; i < moves.count; ++i) {
      Move& move = moves.items[static_cast<std::size_t>(i)];
      move.order = move.action == known_move ? kFirst : move.order * kOrderUnit + history[move.action];
    }
    const Verdict good = attacking ? kProven : kRefuted;
    Verdict result = depth == 0 && !position.forced() ? kOpen : attacking ? kRefuted : kProven;
    std::uint8_t best = kNoMove;
    if constexpr (!P::kAcyclic) path_.push_back(position.plain_key());
    else path_.emplace_back();
    for (int i = 0; i < moves.count; ++i) {
      auto* const first = moves.items.data() + i;
      std::iter_swap(first, std::max_element(first, moves.items.data() + moves.count,
                                             [](const Move& x, const Move& y) { return x.order < y.order; }));
      P next = position;
      next.play(first->action);
      const Verdict verdict = comes_back(next) ? kOpen : visit(next, depth == kUnlimited || position.forced() ? depth : depth - 1);
      if (verdict == good || (verdict == kOpen && !attacking && !kWantsRefutation)) {
        result = verdict;
        best = first->action;
        history[best] = std::min(history[best] + depth * depth, kOrderUnit - 1);
        break;
      }
      if (verdict == kOpen) result = kOpen;
    }
    path_.pop_back();
    return {result, best};
  }

  bool comes_back(const P& next) const {
    if constexpr (P::kAcyclic)
      return false;
    else
      return std::find(path_.begin(), path_.end(), next.plain_key()) != path_.end();
  }

  // A defender who has found a line that stays open is content: only proofs count in games with cycles.
  static constexpr bool kWantsRefutation = false;
  static constexpr std::int32_t kOrderUnit = 1 << 20;
  static constexpr std::int32_t kFirst = 0x7fffffff;

  Table& table_;
  Monitor& monitor_;
  ActionMaps maps_;
  std::array<std::array<std::int32_t, 256>, 2> history_{};
  std::vector<Key> path_;
  std::uint64_t nodes_ = 0;
  std::uint64_t published_ = 0;
};

}  // namespace tengen::solver
