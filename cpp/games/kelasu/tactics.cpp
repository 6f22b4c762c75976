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

void add_merges(const Kelasu& state, const KelasuEval& eval, int kind, bool begun,
                std::vector<KelasuMove>& moves) {
  state.merge_area(Kelasu::kMergeCost[static_cast<std::size_t>(kind)]).for_each([&](int target) {
    KelasuMove& move = moves.emplace_back();
    if (!begun) move.add(Kelasu::kFirstMerge + kind);
    move.add(Kelasu::cell_of(target));
    move.order = eval.merge_gain(kind, target);
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
      KelasuMove& move = moves.emplace_back();
      if (!begun) move.add(Kelasu::cell_of(from));
      move.add(Kelasu::cell_of(to));
      move.order = eval.gain(from, to);
    });
  };
  switch (state.stage()) {
    case Stage::Choose: {
      state.movable_squares().for_each([&](int from) { add_targets(from, false); });
      const int kinds = state.open_merge_kinds();
      for (int kind = 0; kind < kinds; ++kind) add_merges(state, eval, kind, false, moves);
      if (state.why_illegal(Kelasu::kEndTurn) == nullptr) {
        moves.emplace_back().add(Kelasu::kEndTurn);
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
  for (const Action cell : cells) moves.emplace_back().add(cell);
}

void kelasu_play(Kelasu& state, const KelasuMove& move) {
  for (int i = 0; i < move.count; ++i) state.play(move.actions[static_cast<std::size_t>(i)]);
  while (state.stage() == Stage::MergeCells) state.play(next_merge_cell(state));
}

void kelasu_complete(const Kelasu& state, KelasuMove& move) {
  Kelasu next = state;
  for (int i = 0; i < move.count; ++i) next.play(move.actions[static_cast<std::size_t>(i)]);
  while (next.stage() == Stage::MergeCells) {
    move.add(next_merge_cell(next));
    next.play(move.actions[move.count - 1u]);
  }
}

Squares kelasu_threat(const Kelasu& state, const KelasuEval& eval) {
  const int other = 1 - state.to_move();
  if (!eval.may_win(other, (state.side(other) & state.kind(kStone)).count())) return {};
  const Kelasu next = state.turn_given_away();
  if (next.is_over()) return {};
  Squares squares;
  const auto add = [&](const Squares& wanted, Goal goal) {
    if (walk(next, wanted, goal) < 0) return;
    squares |= next.side(other) | (goal == Goal::Tiles ? kKelasuVictory : wanted);
    next.side(other).without(next.kind(kStone) | next.kind(kBlank)).for_each([&](int square) {
      const Squares targets = next.targets_of(square);
      if ((targets & wanted).any()) squares |= targets;
    });
  };
  add(kKelasuVictory.without(state.side(other)), Goal::Tiles);
  add(state.side(1 - other) & state.kind(kStone), Goal::Stones);
  return squares;
}

bool kelasu_answers(const Squares& threat, const KelasuMove& move) {
  return threat.test(Kelasu::square_of(move.actions[1])) ||
         kKelasuVictory.test(Kelasu::square_of(move.actions[0]));
}

Action kelasu_win_this_turn(const Kelasu& state) {
  const int mover = state.to_move();
  const Action action = walk(state, kKelasuVictory.without(state.side(mover)), Goal::Tiles);
  return action >= 0 ? action : walk(state, state.side(1 - mover) & state.kind(kStone), Goal::Stones);
}

}  // namespace tengen
