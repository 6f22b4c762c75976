// Reads out captures in Great Kingdom: who wins by a run of threats that each leave one answer.
//
// An attacker in turn threatens by taking the second last liberty of a group. As a capture ends the game,
// the defender has to answer the threat on the board: by filling the last liberty or, where enemy territory
// is closed (GK 7), by making it territory. What is returned as won is proven; what is not is merely not
// found. Start reading at CaptureReader::wins().
#pragma once

#include "games/great_kingdom/groups.hpp"

namespace tengen {

template <int MaxSize>
class CaptureReader {
 public:
  using Groups = GreatKingdomGroups<MaxSize>;
  using Board = typename Groups::Board;
  using State = typename Groups::State;

  explicit CaptureReader(int budget) : budget_(budget) {}

  // The cell with which the seat, to move, begins a forced capture of at most `depth` castles; -1 if none is
  // found. Shorter ones are found first.
  int attack(const Groups& groups, int seat, int depth) {
    for (int limit = 1; limit <= depth && budget_ > 0; ++limit)
      if (const int bit = wins(groups, seat, limit); bit >= 0) return bit;
    return -1;
  }

  // Whether the seat, to move and without a capture of its own, cannot prevent one.
  bool is_lost(const Groups& groups, int seat, int depth) {
    const Board threats = groups.captures(1 - seat);
    return threats.any() && all_answers_lose(groups, seat, threats, depth);
  }

  // The answers to a threat to capture on that cell; all others leave it open.
  static Board answers(const Groups& groups, int seat, int threat) {
    Board all = Board::single(threat);
    if (groups.is_free() || groups.touches(threat, 1 - seat)) return all;
    return all.template flood<Groups::kStride>(groups.empty());
  }

  // The cells of all threats looked at and of what they threatened.
  const Board& seen() const { return seen_; }

 private:
  int wins(const Groups& groups, int seat, int depth) {
    const Board captures = groups.captures(seat);
    if (captures.any()) return captures.first();
    if (depth <= 1) return -1;
    Board threats = groups.liberties_of_weak(1 - seat, 2);
    if (threats.none()) return -1;
    if (const Board danger = groups.captures(1 - seat); danger.any())
      threats &= answers(groups, seat, danger.first());
    while (threats.any()) {
      const int bit = threats.first();
      threats.reset(bit);
      if (threatens_and_wins(groups, seat, bit, depth)) return bit;
    }
    return -1;
  }

  bool threatens_and_wins(const Groups& groups, int seat, int bit, int depth) {
    if (groups.is_free() && groups.liberties_after(bit, seat).count() < 2) return false;
    if (--budget_ < 0 || !groups.is_legal(bit, seat)) return false;
    Groups next = groups;
    if (next.place(bit, seat) != State::kGoesOn || next.captures(1 - seat).any()) return false;
    const Board captures = next.captures(seat);
    seen_.set(bit);
    seen_ |= captures;
    return captures.any() && all_answers_lose(next, 1 - seat, captures, depth - 1);
  }

  bool all_answers_lose(const Groups& groups, int seat, const Board& threats, int depth) {
    if (groups.is_free()) {
      if (threats.count() > 1) return true;  // one castle cannot fill two cells
      if (groups.liberties_after(threats.first(), seat).count() < 2) return true;
      if (depth <= 1) return false;
    }
    bool lost = true;
    answers(groups, seat, threats.first()).for_each([&](int bit) {
      if (!lost || !groups.is_legal(bit, seat)) return;
      Groups next = groups;
      if (next.place(bit, seat) == State::kSuicide) return;
      lost = --budget_ > 0 && wins(next, 1 - seat, depth) >= 0;
    });
    return lost;
  }

  int budget_;
  Board seen_;
};

}  // namespace tengen
