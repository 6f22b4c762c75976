// What a Kelasu position looks like at first sight: where the pieces stand, victory tiles, and who can take
// what.
//
// Scores are in points, 500 of which make the odds of winning e to 1. Where the pieces stand is a sum over
// them (kelasu_stand), which search keeps up to date move by move. The rest is counted anew
// (KelasuEval::features). What each of those is worth has been learned from games: weights.hpp, by
// tools/kelasu_tune.py. gain() and merge_gain() guess what a single move or merge is worth, to order them;
// their weights, and what pieces count as victims, are set by hand.
#pragma once

#include <array>
#include <cstdint>

#include "games/kelasu/kelasu.hpp"

namespace tengen {

constexpr Kelasu::Squares kKelasuVictory = [] {
  Kelasu::Squares set;
  for (const int row : {4, 5})
    for (const int column : {4, 5}) set.set(row * Kelasu::kStride + column);
  return set;
}();

// What is counted beside where the pieces stand; those of a side come twice, the mover's first.
namespace kelasu_feature {
enum : int {
  kCaptures,  // what the mover can take
  kParried,   // what the opponent threatens and an action may parry
  kThreats,   // what it threatens beyond that
  kEnergy,    // actions left
  kOfSides,
};
enum OfSide : int {
  kTilesNear,  // victory tiles that can be entered
  kTilesAll,   // 1 when all four are held or can be entered
  kOneTile,    // 1 when so many are held
  kTwoTiles,
  kThreeTiles,
  kTilesAimed,  // victory tiles where the side takes what stands there
  kPairs,       // neighbouring blanks outside the home ranks
  kGroup,       // blanks in the largest group there
  kOneStone,    // 1 when so many are left
  kTwoStones,
  kThreeStones,
  kGuarded,  // own pieces whose taker would be taken
  kPerSide,
};
inline constexpr int kCount = kOfSides + 2 * kPerSide;
}  // namespace kelasu_feature
using KelasuFeatures = std::array<int, kelasu_feature::kCount>;

// What all pieces are worth where they stand, seat 0's less seat 1's.
int kelasu_stand(const Kelasu& state);
// The same after a move, from what it was before.
int kelasu_stand_after(const Kelasu& before, int stand, const Kelasu& after);

class KelasuEval {
 public:
  using Squares = Kelasu::Squares;

  explicit KelasuEval(const Kelasu& state) : KelasuEval(state, kelasu_stand(state)) {}
  KelasuEval(const Kelasu& state, int stand);  // where kelasu_stand() is known

  int score() const;  // from seat 0's side
  KelasuFeatures features() const;
  int gain(int from, int to) const;
  int merge_gain(int kind, int target) const;
  // What can be taken: squares where a seat captures or converts if an opponent stands there.
  const Squares& cover(int seat) const { return sides_[static_cast<std::size_t>(seat)].cover; }
  // Whether the seat might win with so many moves; if not, it cannot by walking and taking alone.
  bool may_win(int seat, int energy) const;

 private:
  struct Attacker {
    std::uint8_t square;
    Kelasu::Piece piece;
    Squares cover;
  };
  struct Side {
    std::array<Attacker, 24> attackers;
    int attacker_count = 0;
    Squares cover;
    Squares reach;  // where its pieces may go
    Squares lines;  // between this side's attackers and the stones and pieces they aim at
  };

  void look_at(int seat);
  template <bool Moves = true>
  void add_line(int seat, Attacker& attacker, int direction, int reach, int captures_from);
  int value_of(int seat, int piece) const;
  int captures(int seat, int energy, std::array<int, 8>& best) const;
  void count_side(int seat, int* out) const;

  const Kelasu& state_;
  int stand_;
  std::array<Side, 2> sides_;
  std::array<int, 2> stones_{};
};

// The score as seat 0's chance to win.
float kelasu_chance(int score);

}  // namespace tengen
