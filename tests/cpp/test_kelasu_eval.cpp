// What Kelasu's search sees in positions of random games: sums kept move by move are those counted anew, both
// seats and both halves of the board are judged alike, a win that is seen without search is one, and what
// stops the opponent's is known.
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

// Whether the opponent wins once the mover gives up the rest of its turn.
bool loses_if_given_away(const Kelasu& state, int mover) {
  if (state.is_over()) return state.outcome().winner == 1 - mover;
  if (state.to_move() != mover) return tengen::kelasu_win_this_turn(state) >= 0;
  const Kelasu next = state.turn_given_away();
  return !next.is_over() && tengen::kelasu_win_this_turn(next) >= 0;
}

// Returns whether there is a threat.
bool check_threat(const Kelasu& state) {
  const KelasuEval eval(state);
  const int mover = state.to_move();
  if (tengen::kelasu_win_this_turn(state) >= 0) CHECK(eval.may_win(mover, state.energy()));
  const auto threat = tengen::kelasu_threat(state, eval);
  CHECK(threat.any() == loses_if_given_away(state, mover));
  if (threat.none()) return false;
  std::vector<tengen::KelasuMove> moves;
  tengen::kelasu_moves(state, eval, moves);
  for (const auto& move : moves) {
    if (move.actions[0] >= Kelasu::kFirstMerge || tengen::kelasu_answers(threat, move)) continue;
    Kelasu next = state;
    tengen::kelasu_play(next, move);
    CHECK(next.is_over() || loses_if_given_away(next, mover));
  }
  return true;
}

// What a merge is told as is what is played. Returns whether there was one.
bool check_merges(const Kelasu& state) {
  bool some = false;
  std::vector<tengen::KelasuMove> moves;
  tengen::kelasu_moves(state, KelasuEval(state), moves);
  for (auto& move : moves) {
    if (move.actions[0] < Kelasu::kFirstMerge) continue;
    Kelasu played = state;
    tengen::kelasu_play(played, move);
    tengen::kelasu_complete(state, move);
    Kelasu told = state;
    for (int i = 0; i < move.count; ++i) {
      CHECK(told.why_illegal(move.actions[static_cast<std::size_t>(i)]) == nullptr);
      told.play(move.actions[static_cast<std::size_t>(i)]);
    }
    CHECK(told == played && told.stage() == Kelasu::Stage::Choose);
    some = true;
  }
  return some;
}

}  // namespace

void test_kelasu_eval() {
  Rng rng(11);
  ActionList legal;
  int wins = 0;
  int threats = 0;
  int merges = 0;
  for (int game = 0; game < 30; ++game) {
    Kelasu state{KelasuRules{}};
    int stand = tengen::kelasu_stand(state);
    bool turn_begins = true;
    for (int step = 0; step < 3000 && !state.is_over(); ++step) {
      if (state.stage() == Kelasu::Stage::Choose) threats += check_threat(state) ? 1 : 0;
      if (state.stage() == Kelasu::Stage::Choose && turn_begins) {
        check_symmetry(state);
        merges += check_merges(state) ? 1 : 0;
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
  CHECK(wins > 10 && threats > 10 && merges > 10);
}
