// Great Kingdom's castles as groups with their liberties, kept up to date as castles are placed.
//
// Castles are never taken off, so groups only grow and merge: a forest of parents names them by their head,
// and each head keeps the set of the group's liberties. The reader and the playouts of the search work on
// this board. Cells are named by their bits, as in games/great_kingdom.hpp.
#pragma once

#include <array>
#include <cstdint>

#include "games/great_kingdom/great_kingdom.hpp"

namespace tengen {

template <int MaxSize>
class GreatKingdomGroups {
 public:
  using State = GreatKingdom<MaxSize>;
  using Board = typename State::Board;
  using Ending = typename State::Ending;
  static constexpr int kStride = State::kStride;

  explicit GreatKingdomGroups(const State& state)
      : rules_(state.rules()),
        free_(rules_.enter_enemy_territory && rules_.enter_own_territory &&
              (rules_.castles == 0 || rules_.castles >= state.cell_count())) {
    code_.fill(kWall);
    empty_ = state.empty() | state.stones(0) | state.stones(1);
    empty_.for_each([&](int bit) { code(bit) = kEmpty; });
    for (const int seat : {0, 1}) state.stones(seat).for_each([&](int bit) { place(bit, seat); });
  }

  const Board& empty() const { return empty_; }
  const Board& stones(int seat) const { return stones_[seat]; }
  // Whether a castle may be placed on any empty cell at any time, suicide aside.
  bool is_free() const { return free_; }

  // Puts a castle on an empty cell and says what it did (GK 3).
  Ending place(int bit, int seat) {
    empty_.reset(bit);
    stones_[seat].set(bit);
    code(bit) = static_cast<std::uint8_t>(seat);
    int head = bit;
    Board liberties = around(bit) & empty_;
    bool captures = false;
    for (const int step : kSteps) {
      const int near = bit + step;
      if (code(near) == seat) {
        const int other = head_of(near);
        if (other == head) continue;
        liberties |= liberties_[other];
        heads_[seat].reset(head);
        if (head == bit) {
          head = other;
          parent_[bit] = static_cast<std::uint16_t>(other);
        } else {
          parent_[other] = static_cast<std::uint16_t>(head);
          heads_[seat].reset(other);
        }
      } else if (code(near) == 1 - seat) {
        const int other = head_of(near);
        liberties_[other].reset(bit);
        captures |= liberties_[other].none();
      }
    }
    if (head == bit) parent_[bit] = static_cast<std::uint16_t>(bit);
    liberties.reset(bit);
    heads_[seat].set(head);
    liberties_[head] = liberties;
    if (captures) return State::kCapture;
    return liberties.none() ? State::kSuicide : State::kGoesOn;
  }

  const Board& liberties_of(int bit) const { return liberties_[head_of(bit)]; }  // of the castle's group

  // The liberties that the group of a castle placed there would have; captures are not looked at.
  Board liberties_after(int bit, int seat) const {
    Board liberties = around(bit) & empty_;
    for (const int step : kSteps)
      if (code(bit + step) == seat) liberties |= liberties_of(bit + step);
    liberties.reset(bit);
    return liberties;
  }

  // The liberties of all groups of the seat that have exactly `count`.
  Board liberties_of_weak(int seat, int count) const {
    Board all;
    heads_[seat].for_each([&](int head) {
      if (liberties_[head].count() == count) all |= liberties_[head];
    });
    return all;
  }
  template <class F>
  void for_each_group(int seat, F&& f) const {  // f(its liberties)
    heads_[seat].for_each([&](int head) { f(liberties_[head]); });
  }

  bool touches(int bit, int seat) const {
    return code(bit - 1) == seat || code(bit + 1) == seat || code(bit - kStride) == seat ||
           code(bit + kStride) == seat;
  }

  bool has_castle(int seat) const { return rules_.castles == 0 || stones_[seat].count() < rules_.castles; }
  int region_owner(int bit) const { return State::region_owner(rules_.size, stones_, empty_, bit); }
  std::array<Board, 2> territories() const { return State::territories(rules_.size, stones_, empty_); }

  // Whether the seat may place a castle on that empty cell.
  bool is_legal(int bit, int seat) const {
    if (!free_) {
      if (!has_castle(seat)) return false;
      const int owner = region_owner(bit);
      if (owner == seat && !rules_.enter_own_territory) return false;
      if (owner == 1 - seat && !rules_.enter_enemy_territory) return false;
    }
    return rules_.suicide_loses || liberties_after(bit, seat).any() || captures_at(bit, seat);
  }

  // Where the seat, if it were to move, would capture at once.
  Board captures(int seat) const {
    Board points = liberties_of_weak(1 - seat, 1);
    if (free_ || points.none()) return points;
    Board legal;
    points.for_each([&](int bit) {
      if (may_capture(bit, seat)) legal.set(bit);
    });
    return legal;
  }

  // Whether the last liberty of an enemy group is open to the seat: it is, unless it lies in forbidden
  // territory or no castle is left.
  bool may_capture(int bit, int seat) const {
    if (free_) return true;
    if (!has_castle(seat)) return false;
    return rules_.enter_enemy_territory || touches(bit, seat) || region_owner(bit) != 1 - seat;
  }

  static const Board& around(int bit) { return kAround[bit]; }

 private:
  enum : std::uint8_t { kEmpty = 2, kWall = 3 };  // beside the seats
  static constexpr int kBits = MaxSize * kStride;
  static constexpr std::array<int, 4> kSteps{-kStride, -1, 1, kStride};
  static constexpr auto kAround = [] {
    std::array<Board, kBits> all{};
    for (int bit = 0; bit < kBits; ++bit) all[bit] = Board::single(bit).template neighbours<kStride>();
    return all;
  }();

  bool captures_at(int bit, int seat) const {
    for (const int step : kSteps)
      if (code(bit + step) == 1 - seat && liberties_of(bit + step).count() == 1) return true;
    return false;
  }
  int head_of(int bit) const {
    while (parent_[bit] != bit) bit = parent_[bit];
    return bit;
  }
  // One row of wall lies above and below the board.
  std::uint8_t code(int bit) const { return code_[bit + kStride]; }
  std::uint8_t& code(int bit) { return code_[bit + kStride]; }

  GreatKingdomRules rules_;
  bool free_;
  std::array<Board, 2> stones_;
  std::array<Board, 2> heads_;
  Board empty_;
  std::array<std::uint8_t, kBits + 2 * kStride> code_;
  std::array<std::uint16_t, kBits> parent_;
  std::array<Board, kBits> liberties_;
};

}  // namespace tengen
