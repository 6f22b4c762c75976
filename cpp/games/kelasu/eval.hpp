// What a Kelasu position looks like at first sight: material, advance, victory tiles, and who can take what.
//
// Scores are in hundredths of a blank. KelasuEval looks once at the board; score() sums up the position,
// gain() and merge_gain() guess what a single move or merge is worth, to order them.
// The weights are set by hand. Changing one of them by a quarter to a half made no difference that 60 games
// on one set of openings could tell from chance.
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

struct KelasuWeights {
  // None, blank, warrior, runner, diplomat, champion, general; stones are below.
  std::array<int, 8> piece = {0, 100, 260, 560, 520, 750, 1700, 0};
  std::array<int, 9> stone = {0, 3000, 1000, 700, 550, 450, 400, 350, 350};  // the n-th stone
  std::array<int, 10> blank_row = {0, 4, 14, 22, 28, 26, 14, 8, 4, 0};       // from the owner's back rank
  std::array<int, 10> warrior_row = {0, 4, 10, 16, 24, 30, 34, 36, 36, 36};
  int blank_centre = 2;  // for each file nearer to the middle, blanks and warriors
  int piece_centre = 6;  // the same for the others
  int pair = 6;          // two neighbouring blanks outside the home ranks
  std::array<int, 5> tile = {0, 30, 80, 180, 1000};  // by victory tiles held
  int tile_reach = 12;                               // a tile that can be entered
  int tile_threat = 150;                             // all four held or within reach
  int capture = 90;                                  // percent: what the mover can take
  int parried = 25;   // percent: what the opponent threatens and an action may parry
  int threat = 80;    // percent: what the opponent threatens beyond that
  int tempo = 12;     // an action left
  int block = 120;    // ordering only: standing in an attacker's line
  float scale = 500;  // a lead of this much wins 73 %
};
inline constexpr KelasuWeights kKelasuWeights;

class KelasuEval {
 public:
  using Squares = Kelasu::Squares;

  explicit KelasuEval(const Kelasu& state);

  int score() const;  // from seat 0's side
  int gain(int from, int to) const;
  int merge_gain(int kind, int target) const;
  // What can be taken: squares where a seat captures or converts if an opponent stands there.
  const Squares& cover(int seat) const { return sides_[static_cast<std::size_t>(seat)].cover; }

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
    Squares lines;  // between this side's attackers and the stones and pieces they aim at
  };

  void look_at(int seat);
  void add_line(int seat, Attacker& attacker, int direction, int reach, int captures_from);
  int value_of(int seat, int piece) const;
  int material(int seat) const;
  int captures(int seat, int energy, std::array<int, 8>& best) const;
  int tiles(int seat) const;

  const Kelasu& state_;
  std::array<Side, 2> sides_;
  std::array<int, 2> stones_{};
};

// The score as seat 0's chance to win.
float kelasu_chance(int score);

}  // namespace tengen
