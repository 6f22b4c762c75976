// Whole moves and certain wins of Kelasu; see tactics.hpp.
#include "games/kelasu/tactics.hpp"

#include "games/kelasu/eval.hpp"

namespace tengen {

namespace {

using Squares = Kelasu::Squares;
using Stage = Kelasu::Stage;
using enum Kelasu::Piece;

// Takes blanks at the edge of the group first, and those on victory tiles last.
Action next_merge_cell(const Kelasu& state) {
  constexpr int kTileCost = 8;  // more than any number of neighbours
  const Squares& chosen = state.selected_squares();
  const Squares rest = state.eligible_blanks().without(chosen);
  int best = -1;
  int least = 0;
  (chosen.neighbours<Kelasu::kStride>() & rest).for_each([&](int square) {
    const int friends = (Squares::single(square).neighbours<Kelasu::kStride>() & rest).count();
    const int cost = friends + (kKelasuVictory.test(square) ? kTileCost : 0);
    if (best >= 0 && cost >= least) return;
    least = cost;
    best = square;
  });
  return Kelasu::cell_of(best);
}

// Adds the rest of the merge that the state, a copy, is in the middle of.
void finish_merge(Kelasu state, KelasuMove& move) {
  while (!state.is_over() && state.stage() == Stage::MergeCells) {
    const Action cell = next_merge_cell(state);
    move.add(cell);
    state.play(cell);
  }
}

void add_merges(const Kelasu& state, const KelasuEval& eval, int kind, bool begun,
                std::vector<KelasuMove>& moves) {
  state.merge_area(Kelasu::kMergeCost[static_cast<std::size_t>(kind)]).for_each([&](int target) {
    KelasuMove move;
    Kelasu next = state;
    if (!begun) {
      move.add(Kelasu::kFirstMerge + kind);
      next.play(Kelasu::kFirstMerge + kind);
    }
    move.add(Kelasu::cell_of(target));
    next.play(Kelasu::cell_of(target));
    move.order = eval.merge_gain(kind, target);
    finish_merge(next, move);
    moves.push_back(move);
  });
}

// ---- Winning this turn -----------------------------------------------------------------------------------

enum class Goal { Tiles, Stones };

Action walk(const Kelasu& state, const Squares& wanted, Goal goal);

bool wins_by(const Kelasu& state, int from, int to, Squares wanted, Goal goal) {
  Kelasu next = state;
  const int mover = state.to_move();
  next.play(Kelasu::cell_of(to));
  if (next.is_over()) return next.outcome().winner == mover;
  if (next.to_move() != mover) return false;
  wanted.reset(to);
  if (goal == Goal::Tiles && kKelasuVictory.test(from)) wanted.set(from);  // another piece has to fill it
  return wanted.any() && walk(next, wanted, goal) >= 0;
}

// Whether each wanted square is a target of some piece. Blanks, which are many and take nothing, are asked
// all at once.
bool within_reach(const Kelasu& state, Squares wanted, Goal goal) {
  const int mover = state.to_move();
  const Squares pieces = state.side(mover).without(state.moved_squares() | state.kind(kStone));
  if (goal == Goal::Tiles) {
    const Squares blanks = pieces & state.kind(kBlank);
    const Squares steps = (mover == 0 ? blanks.up<Kelasu::kStride>() : blanks.down<Kelasu::kStride>()) |
                          blanks.up<1>() | blanks.down<1>();
    wanted = wanted.without(steps.without(state.side(1 - mover)));
  }
  const Squares others = pieces.without(state.kind(kBlank));
  for (int w = 0; w < 2; ++w)
    for (std::uint64_t rest = others.words[static_cast<std::size_t>(w)]; rest != 0 && wanted.any();
         rest &= rest - 1)
      wanted = wanted.without(state.targets_of(w * 64 + std::countr_zero(rest)));
  return wanted.none();
}

// The first action of a way onto all the wanted squares with one move each.
Action walk(const Kelasu& state, const Squares& wanted, Goal goal) {
  Action found = -1;
  if (wanted.count() > state.energy()) return found;
  if (state.stage() == Stage::Move) {
    const int from = Kelasu::square_of(state.selected_from());
    (state.targets_of(from) & wanted).for_each([&](int to) {
      if (found < 0 && wins_by(state, from, to, wanted, goal)) found = Kelasu::cell_of(to);
    });
    return found;
  }
  if (state.stage() != Stage::Choose) return found;
  if (!within_reach(state, wanted, goal)) return found;
  state.movable_squares().for_each([&](int from) {
    if (found >= 0 || (state.targets_of(from) & wanted).none()) return;
    Kelasu next = state;
    next.play(Kelasu::cell_of(from));
    if (walk(next, wanted, goal) >= 0) found = Kelasu::cell_of(from);
  });
  return found;
}

}  // namespace

void kelasu_moves(const Kelasu& state, const KelasuEval& eval, std::vector<KelasuMove>& moves) {
  moves.clear();
  const auto add_targets = [&](int from, bool begun) {
    state.targets_of(from).for_each([&](int to) {
      KelasuMove move;
      if (!begun) move.add(Kelasu::cell_of(from));
      move.add(Kelasu::cell_of(to));
      move.order = eval.gain(from, to);
      moves.push_back(move);
    });
  };
  switch (state.stage()) {
    case Stage::Choose: {
      state.movable_squares().for_each([&](int from) { add_targets(from, false); });
      const int kinds = state.open_merge_kinds();
      for (int kind = 0; kind < kinds; ++kind) add_merges(state, eval, kind, false, moves);
      if (state.why_illegal(Kelasu::kEndTurn) == nullptr) {
        moves.emplace_back();
        moves.back().add(Kelasu::kEndTurn);
      }
      return;
    }
    case Stage::Move:
      return add_targets(Kelasu::square_of(state.selected_from()), true);
    case Stage::MergeTarget:
      return add_merges(state, eval, state.merge_kind(), true, moves);
    case Stage::MergeCells:
      break;
  }
  ActionList cells;
  state.legal_actions(cells);
  for (const Action cell : cells) {
    KelasuMove move;
    move.add(cell);
    Kelasu next = state;
    next.play(cell);
    finish_merge(next, move);
    moves.push_back(move);
  }
}

Action kelasu_win_this_turn(const Kelasu& state) {
  const int mover = state.to_move();
  const Action action = walk(state, kKelasuVictory.without(state.side(mover)), Goal::Tiles);
  return action >= 0 ? action : walk(state, state.side(1 - mover) & state.kind(kStone), Goal::Stones);
}

}  // namespace tengen
