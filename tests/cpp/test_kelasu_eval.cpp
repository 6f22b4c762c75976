// What Kelasu's search sees in positions of random games: sums kept move by move are those counted anew, both
// seats and both halves of the board are judged alike, and a win that is seen without search is one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "games/kelasu/eval.hpp"
#include "games/kelasu/tactics.hpp"

using tengen::Action;
using tengen::ActionList;
using tengen::Kelasu;
using tengen::KelasuEval;
using tengen::KelasuRules;
using tengen::Rng;

namespace {

using Cells = std::array<std::uint8_t, Kelasu::kCells>;

// Where the pieces stand for the mover, and what is counted, but for who takes what: of two captures of the
// same worth the first is looked at, which a mirror changes.
std::vector<int> seen(const Cells& cells, int mover) {
  const Kelasu state = Kelasu::from_cells(KelasuRules{}, cells, mover);
  const tengen::KelasuFeatures counts = KelasuEval(state).features();
  std::vector<int> all(counts.begin() + tengen::kelasu_feature::kEnergy, counts.end());
  all.push_back(mover == 0 ? tengen::kelasu_stand(state) : -tengen::kelasu_stand(state));
  return all;
}

Cells turned(const Cells& cells, bool colours, bool left_right) {
  Cells other{};
  for (int row = 0; row < Kelasu::kWidth; ++row)
    for (int column = 0; column < Kelasu::kWidth; ++column) {
      const int to_row = colours ? Kelasu::kWidth - 1 - row : row;
      const int to_column = left_right ? Kelasu::kWidth - 1 - column : column;
      int code = cells[static_cast<std::size_t>(row * Kelasu::kWidth + column)];
      if (colours && code != 0) code += code > Kelasu::kPieces ? -Kelasu::kPieces : Kelasu::kPieces;
      other[static_cast<std::size_t>(to_row * Kelasu::kWidth + to_column)] = static_cast<std::uint8_t>(code);
    }
  return other;
}

void check_symmetry(const Kelasu& state) {
  Cells cells{};
  state.cells(cells);
  const int mover = state.to_move();
  CHECK(seen(turned(cells, true, false), 1 - mover) == seen(cells, mover));
  CHECK(seen(turned(cells, false, true), mover) == seen(cells, mover));
}

// Whether some order of plain moves onto the wanted squares wins in this turn, by trying them all.
bool wins_by_moves(const Kelasu& state, int mover) {
  bool won = false;
  state.movable_squares().for_each([&](int from) {
    const auto targets = state.targets_of(from);
    const auto stones = state.side(1 - mover) & state.kind(Kelasu::kStone);
    (targets & (tengen::kKelasuVictory | stones)).for_each([&](int to) {
      if (won) return;
      Kelasu next = state;
      next.play(Kelasu::cell_of(from));
      next.play(Kelasu::cell_of(to));
      won = next.is_over() ? next.outcome().winner == mover
                           : next.to_move() == mover && wins_by_moves(next, mover);
    });
  });
  return won;
}

}  // namespace

void test_kelasu_eval() {
  Rng rng(11);
  ActionList legal;
  int wins = 0;
  for (int game = 0; game < 30; ++game) {
    Kelasu state{KelasuRules{}};
    int stand = tengen::kelasu_stand(state);
    bool turn_begins = true;
    for (int step = 0; step < 3000 && !state.is_over(); ++step) {
      if (state.stage() == Kelasu::Stage::Choose && turn_begins) {
        check_symmetry(state);
        const int mover = state.to_move();
        const bool found = tengen::kelasu_win_this_turn(state) >= 0;
        CHECK(!found || wins_by_moves(state, mover));
        wins += found ? 1 : 0;
      }
      state.legal_actions(legal);
      const Kelasu before = state;
      state.play(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
      stand = tengen::kelasu_stand_after(before, stand, state);
      CHECK(stand == tengen::kelasu_stand(state));
      turn_begins = before.to_move() != state.to_move();
    }
  }
  CHECK(wins > 10);
}
