// What searches of all games rest on: the plain solver against minimax without a table, flat Monte Carlo and
// its passes, and that the concept of heuristics tells a whole set from one that lacks something.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "games/dominion_duel/dominion_duel.hpp"
#include "games/go/ending.hpp"
#include "games/go/heuristics.hpp"
#include "games/great_kingdom/heuristics.hpp"
#include "games/kelasu/heuristics.hpp"
#include "search/flat.hpp"
#include "search/mcts.hpp"
#include "search/plain_solver.hpp"

namespace tengen {
namespace {

static_assert(SearchHeuristics<Heuristics<Go9>, Go9>);
static_assert(SearchHeuristics<Heuristics<GreatKingdom<7>>, GreatKingdom<7>>);
static_assert(SearchHeuristics<Heuristics<Kelasu>, Kelasu>);
static_assert(SearchHeuristics<Heuristics<ShortDominionDuel>, ShortDominionDuel>);

struct Misspelt : PlainHeuristics<Go9> {
  int certain(const Go9&) const { return 0; }  // not a Certain
};
static_assert(!SearchHeuristics<Misspelt, Go9>);

using Duel = ShortDominionDuel;

// 1, 0 or -1 to seat 0, without a table.
int minimax(const Duel& state) {
  if (state.is_over()) {
    const int winner = state.outcome().winner;
    return winner == kDraw ? 0 : winner == 0 ? 1 : -1;
  }
  ActionList actions;
  state.legal_actions(actions);
  int best = state.to_move() == 0 ? -1 : 1;
  for (const Action action : actions) {
    Duel next = state;
    next.play(action);
    best = state.to_move() == 0 ? std::max(best, minimax(next)) : std::min(best, minimax(next));
  }
  return best;
}

void the_solver_agrees_with_minimax() {
  for (int n = 1; n <= 9; ++n) {
    const Duel start(DominionDuelRules{n});
    ActionList actions;
    start.legal_actions(actions);
    for (const Action first : actions) {
      Duel state = start;
      state.play(first);
      if (state.is_over()) continue;
      PlainSolver<Duel> solver(state, 100'000, [](std::size_t, std::size_t) {});
      CHECK(-solver.solve() == minimax(state));  // seat 1 is to move
      for (const Action action : solver.line()) state.play(action);
      CHECK(state.is_over() && minimax(state) == -solver.solve());
    }
  }
}

template <class F>
bool is_not_solvable(F work) {
  try {
    work();
  } catch (const NotSolvable&) {
    return true;
  }
  return false;
}

void the_solver_knows_its_limits() {
  const auto nobody = [](std::size_t, std::size_t) {};
  CHECK(is_not_solvable([&] { PlainSolver<Duel>(Duel(DominionDuelRules{40}), 1000, nobody).solve(); }));
  GoRules rules;
  rules.size = 2;
  rules.area = true;
  CHECK(is_not_solvable([&] { PlainSolver<Go9>(Go9(rules), 100'000, nobody).solve(); }));  // positions recur
}

void flat_passes_only_for_want_of_another() {
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    GreatKingdomRules rules;
    rules.size = 5;
    const GreatKingdom<7> kingdom(rules);
    CHECK(flat_monte_carlo(kingdom, 60, rng) != kingdom.pass());
    GoRules small;
    small.size = 3;
    const Go9 go(small);
    CHECK(flat_monte_carlo(go, 60, rng) != go.pass_action());
  }
  // Where there is no pass the last action is one like the others.
  const Duel first(DominionDuelRules{2});
  CHECK(Heuristics<Duel>().pass(first) == -1);
  ActionList legal;
  first.legal_actions(legal);
  CHECK(std::ranges::find(legal, flat_monte_carlo(first, 10, rng)) != legal.end());
}

// What a machine passes by and leaves alone (Heuristics<Go>::advise) is the same where reading is spared.
void sparing_readings_changes_no_answer() {
  constexpr GoEndingEffort kEffort{60, 40, 4};
  GoRules rules;
  rules.size = 9;
  Go9 state(rules);
  int spoken = 0;
  for (std::uint64_t ply = 0; !state.is_over() && ply < 90; ++ply) {
    if (ply >= 24 && ply % 6 == 0) {
      const GoEndingReport all = GoEnding<9>(state, kEffort, ply).judge();
      const GoEndingReport spared = GoEnding<9>(state, kEffort, ply).judge(false);
      CHECK(all.wasted == spared.wasted && all.closed == spared.closed && all.settled == spared.settled);
      spoken += std::ranges::any_of(all.wasted, [](std::uint8_t owner) { return owner != 0; });
    }
    Mcts<Go9> search(state, Heuristics<Go9>::settings(), ply);
    SearchLimits limits;
    limits.visits = 12;
    search.run(limits);
    state.play(search.report().moves[0].action);
  }
  CHECK(spoken > 0);
}

}  // namespace
}  // namespace tengen

void test_search() {
  tengen::the_solver_agrees_with_minimax();
  tengen::the_solver_knows_its_limits();
  tengen::flat_passes_only_for_want_of_another();
  tengen::sparing_readings_changes_no_answer();
}
