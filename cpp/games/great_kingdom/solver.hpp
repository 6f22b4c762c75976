// Great Kingdom for the exact solver: "Blue captures, or ends at least `lead` ahead on territory" (GK 3, 6).
//
// Castles are only ever added and two passes end the game, so no position comes twice and both verdicts of a
// search are exact. Rules are those of the compiled state; this file adds what a verdict needs no search for
// and which moves are worth trying.
#pragma once

#include "games/great_kingdom/great_kingdom.hpp"
#include "search/solver_proof.hpp"

namespace tengen::solver {

class GreatKingdomGoal {
 public:
  using State = GreatKingdom<kMaxSide>;
  static constexpr bool kAcyclic = true;

  GreatKingdomGoal(const State& state, int lead) : state_(state), lead_(lead) {
    const auto& rules = state.rules();
    const bool short_of_castles = rules.castles > 0 && rules.castles < state.cell_count();
    free_ = rules.enter_enemy_territory && rules.enter_own_territory && !short_of_castles;
    look();
  }

  int side() const { return state_.rules().size; }
  int mover() const { return state_.to_move(); }
  bool attacker_to_move() const { return mover() == 0; }
  int level() const { return lead_; }
  const State& state() const { return state_; }

  Verdict verdict() const {
    switch (state_.ending()) {
      case State::kCapture:
        return won_by(1 - mover());
      case State::kSuicide:
        return won_by(mover());
      case State::kTerritory:
        return won_by(ahead() ? 0 : 1);
      case State::kGoesOn:
        break;
    }
    Board targets = enemy_atari_;
    for (; targets != 0; targets &= targets - 1)
      if (state_.why_illegal(cell(std::countr_zero(targets))) == nullptr) return won_by(mover());
    // Two groups in atari at different cells cannot both be saved.
    if (free_ && std::popcount(own_atari_) > 1) return won_by(1 - mover());
    if (state_.passes() == 1 && ahead() == (mover() == 0)) return won_by(mover());
    return kOpen;
  }

  // Where everything may be entered, a placement that leaves its own group in atari loses at once, and a
  // group in atari must be saved.
  void moves(MoveList& out) const {
    out.count = 0;
    const Board own = state_.stones(mover()).words[0];
    const Board empty = state_.empty().words[0];
    if (free_) {
      const Board candidates = own_atari_ != 0 ? own_atari_ : empty;
      for (Board rest = candidates; rest != 0; rest &= rest - 1) {
        const Board placed = rest & (~rest + 1);
        if (std::popcount(spread(flood(placed, own | placed)) & empty & ~placed) < 2) continue;
        out.add(cell(std::countr_zero(rest)), order(placed));
      }
      if (own_atari_ != 0) return;
    } else {
      thread_local ActionList legal;
      state_.legal_actions(legal);
      for (const Action action : legal) {
        if (action == state_.pass()) continue;
        const Board placed = Board{1} << state_.bit_of(action);
        if ((spread(placed) & empty) == 0 && state_.would_lose(action)) continue;
        out.add(action, order(placed));
      }
    }
    out.add(state_.pass(), ahead() == (mover() == 0) ? 8 : -1);
  }

  void play(int action) {
    state_.play(action);
    look();
  }

  std::pair<Key, int> key() const {
    auto [key, symmetry] = canonical(state_.stones(0).words[0], state_.stones(1).words[0], side());
    return {marked(key), symmetry};
  }
  Key plain_key() const { return marked({state_.stones(0).words[0], state_.stones(1).words[0]}); }

 private:
  static Verdict won_by(int seat) { return seat == 0 ? kProven : kRefuted; }
  int cell(int bit) const { return state_.cell_of(bit); }

  bool ahead() const {
    const auto owned = state_.territories();
    return owned[0].count() >= owned[1].count() + lead_;
  }

  Key marked(Key key) const {
    key.a |= static_cast<Board>(mover() | state_.passes() << 1) << kFreeByte;
    return key;
  }

  // Notes the liberties of groups that have one or two.
  void look() {
    own_atari_ = enemy_atari_ = own_two_ = enemy_two_ = 0;
    if (state_.is_over()) return;
    const Board empty = state_.empty().words[0];
    for (const int seat : {0, 1}) {
      const bool own = seat == mover();
      const Board stones = state_.stones(seat).words[0];
      for (Board rest = stones; rest != 0;) {
        const Board group = flood(rest & (~rest + 1), stones);
        rest &= ~group;
        const Board liberties = spread(group) & empty;
        const int count = std::popcount(liberties);
        if (count == 1) (own ? own_atari_ : enemy_atari_) |= liberties;
        if (count == 2) (own ? own_two_ : enemy_two_) |= liberties;
      }
    }
  }

  std::int32_t order(Board placed) const {
    const Board enemy = state_.stones(1 - mover()).words[0];
    return (placed & enemy_two_ ? 6 : 0) + (placed & own_two_ ? 3 : 0) + (spread(placed) & enemy ? 1 : 0);
  }

  State state_;
  int lead_;
  bool free_ = true;
  Board own_atari_ = 0, enemy_atari_ = 0, own_two_ = 0, enemy_two_ = 0;
};

static_assert(LevelledPosition<GreatKingdomGoal>);

// One position of Great Kingdom: which leads Blue can force, and how.
class GreatKingdomSolver {
 public:
  using State = GreatKingdomGoal::State;

  GreatKingdomSolver(const State& state, std::size_t bytes) : state_(state), search_(bytes, monitor_) {}

  Verdict attempt(int lead) { return search_.solve({state_, lead}); }

  // Best play to the end, when Blue can force the lead `held` and not the lead `denied`.
  std::vector<int> line(int held, int denied) {
    std::vector<int> actions;
    for (State state = state_; !state.is_over(); state.play(actions.back()))
      actions.push_back(state.to_move() == 0 ? choose(state, held, kProven)
                                             : choose(state, denied, kRefuted));
    return actions;
  }

  Monitor& monitor() { return monitor_; }

 private:
  // An action after which the verdict is as wanted: one that ends the game, one that the table knows, or one
  // that a search finds. A side that has lost plays on where it is not over at once.
  int choose(const State& state, int lead, Verdict wanted) {
    ActionList legal;
    state.legal_actions(legal);
    const auto after = [&](Action action) {
      GreatKingdomGoal goal(state, lead);
      goal.play(action);
      return goal;
    };
    const auto pick = [&](auto&& fits) {
      const auto found = std::find_if(legal.begin(), legal.end(), [&](Action a) { return fits(after(a)); });
      return found == legal.end() ? -1 : *found;
    };
    int action = pick([&](const auto& goal) { return goal.state().is_over() && goal.verdict() == wanted; });
    if (action < 0) action = pick([&](const auto& goal) { return search_.known(goal) == wanted; });
    if (action < 0) action = pick([&](const auto& goal) { return search_.solve(goal) == wanted; });
    if (action < 0) action = pick([&](const auto& goal) { return goal.verdict() == kOpen; });
    return action < 0 ? state.pass() : action;
  }

  State state_;
  Monitor monitor_;
  ProofSearch<GreatKingdomGoal> search_;
};

}  // namespace tengen::solver
