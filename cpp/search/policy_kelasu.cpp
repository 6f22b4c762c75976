// Kelasu for Monte Carlo search; see policy_kelasu.hpp.
#include "search/policy_kelasu.hpp"

#include <algorithm>

namespace tengen {

namespace {

using Squares = Kelasu::Squares;
using Stage = Kelasu::Stage;
using enum Kelasu::Piece;

constexpr int kStride = Kelasu::kStride;

constexpr Squares kVictory = [] {
  Squares set;
  for (const int row : {4, 5})
    for (const int column : {4, 5}) set.set(row * kStride + column);
  return set;
}();

// The squares that the mover still has to reach this turn to win: the victory tiles, or the last stones.
// Only moves onto them are looked at, so what is found is a win but not every win is found.
class TurnWin {
 public:
  explicit TurnWin(const Kelasu& state) : state_(state) {}

  Action find() const {
    const int mover = state_.to_move();
    const Squares tiles = kVictory.without(state_.side(mover));
    if (tiles.count() <= state_.energy())
      if (const Action action = walk(state_, tiles); action >= 0) return action;
    const Squares stones = state_.side(1 - mover) & state_.kind(kStone);
    if (stones.count() <= state_.energy()) return walk(state_, stones);
    return -1;
  }

 private:
  // The first action of a way onto all these squares, -1 if there is none.
  static Action walk(const Kelasu& state, const Squares& wanted) {
    const int mover = state.to_move();
    if (state.stage() == Stage::Move) {
      const int from = Kelasu::square_of(state.selected_from());
      Action found = -1;
      (state.targets_of(from) & wanted).for_each([&](int to) {
        if (found < 0 && wins(state, Kelasu::cell_of(to), wanted)) found = Kelasu::cell_of(to);
      });
      return found;
    }
    if (state.stage() != Stage::Choose) return -1;
    const Squares pieces = state.movable_squares().without(kVictory & wanted_owner(state, wanted));
    Squares reached;
    Action found = -1;
    int able = 0;
    pieces.for_each([&](int from) {
      const Squares to = state.targets_of(from) & wanted;
      reached |= to;
      able += to.any();
    });
    if (reached != wanted || able < wanted.count()) return blocked(state, wanted, reached, able);
    pieces.for_each([&](int from) {
      if (found >= 0) return;
      const Squares to = state.targets_of(from) & wanted;
      if (to.none()) return;
      Kelasu next = state;
      next.play(Kelasu::cell_of(from));
      if (walk(next, wanted) >= 0) found = Kelasu::cell_of(from);
    });
    (void)mover;
    return found;
  }
  static Action blocked(const Kelasu&, const Squares&, const Squares&, int) { return -1; }
  // Pieces that already stand on the tiles must stay there; when hunting stones any piece may go.
  static Squares wanted_owner(const Kelasu& state, const Squares& wanted) {
    return (wanted & kVictory).any() && (wanted & state.kind(kStone) & state.side(1 - state.to_move())) != wanted
               ? kVictory
               : Squares{};
  }
  static bool wins(const Kelasu& state, Action to, const Squares& wanted) {
    Kelasu next = state;
    const int mover = state.to_move();
    next.play(to);
    if (next.is_over()) return next.outcome().winner == mover;
    if (next.to_move() != mover) return false;
    Squares rest = wanted;
    rest.reset(Kelasu::square_of(to));
    return rest.any() && walk(next, rest) >= 0;
  }

  const Kelasu& state_;
};

}  // namespace

// Takes blanks that stand at the edge of the group first, and those on victory tiles last.
Action kelasu_merge_cell(const Kelasu& state) {
  const Squares eligible = state.eligible_blanks();
  const Squares& chosen = state.selected_squares();
  const Squares rest = eligible.without(chosen);
  int best = -1;
  int least = 1 << 20;
  (chosen.neighbours<kStride>() & rest).for_each([&](int square) {
    const int friends = (Squares::single(square).neighbours<kStride>() & rest).count();
    const int cost = friends + (kVictory.test(square) ? 8 : 0);
    if (cost >= least) return;
    least = cost;
    best = square;
  });
  return Kelasu::cell_of(best);
}

bool Policy<Kelasu>::candidates(const Kelasu& state, ActionList& actions) const {
  if (state.stage() == Stage::MergeCells && state.merge_kind() > 0) {
    actions.assign(1, kelasu_merge_cell(state));
    return false;
  }
  state.legal_actions(actions);
  return true;
}

void Policy<Kelasu>::priors(const Kelasu& state, const ActionList& actions, std::span<Prior> priors) const {
  if (actions.size() < 2) return;
  const KelasuEval eval(state);
  const int mover = state.to_move();
  const int base = mover == 0 ? eval.score() : -eval.score();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Action action = actions[i];
    int gain = -50;
    if (action >= Kelasu::kFirstMerge) {
      if (action < Kelasu::kEndTurn) gain = eval.merge_gain(action - Kelasu::kFirstMerge);
    } else if (state.stage() == Stage::Move) {
      gain = eval.gain(Kelasu::square_of(state.selected_from()), Kelasu::square_of(action));
    } else if (state.stage() == Stage::Choose) {
      const int from = Kelasu::square_of(action);
      gain = -10000;
      state.targets_of(from).for_each([&](int to) { gain = std::max(gain, eval.gain(from, to)); });
    } else {
      gain = 0;
    }
    priors[i] = {kelasu_knobs.prior_visits, kelasu_chance(base + gain)};
  }
}

Certain Policy<Kelasu>::certain(const Kelasu& state) const {
  const Action action = TurnWin(state).find();
  if (action < 0) return {};
  return {static_cast<std::int8_t>(state.to_move()), action};
}

Value Policy<Kelasu>::playout(Kelasu& state, const SearchSettings& settings, Rng& rng, Trace&) {
  if (settings.light_playouts) {
    const PlayoutResult result = state.playout(rng);
    return {result.winner == kDraw ? 0.5f : result.winner == 0 ? 1.0f : 0.0f, 0};
  }
  // Finish the move under way as it looks best.
  while (!state.is_over() && state.stage() != Stage::Choose) {
    if (state.stage() == Stage::Move) {
      const KelasuEval eval(state);
      const int from = Kelasu::square_of(state.selected_from());
      int best = -1;
      int most = 0;
      state.targets_of(from).for_each([&](int to) {
        const int gain = eval.gain(from, to);
        if (best >= 0 && gain <= most) return;
        best = to;
        most = gain;
      });
      state.play(Kelasu::cell_of(best));
    } else if (state.stage() == Stage::MergeTarget) {
      state.play(Kelasu::cell_of(state.merge_area(Kelasu::kMergeCost[static_cast<std::size_t>(state.merge_kind())]).first()));
    } else {
      state.play(kelasu_merge_cell(state));
    }
  }
  if (state.is_over()) return value_of(state.outcome());
  return {kelasu_chance(KelasuEval(state).score()), 0};
}

}  // namespace tengen
