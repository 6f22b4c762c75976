// The search with a net, with a made-up net: budgets, legality, proven results, determinism, and self-play.
// Start reading at drive().
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "games/dominion_duel/dominion_duel.hpp"
#include "games/go/go.hpp"
#include "games/go/heuristics.hpp"
#include "games/great_kingdom/great_kingdom.hpp"
#include "games/great_kingdom/heuristics.hpp"
#include "games/kelasu/heuristics.hpp"
#include "games/kelasu/kelasu.hpp"
#include "search/net_search.hpp"
#include "search/self_play.hpp"

namespace tengen {
namespace {

// A net that says the same of the same planes, and nothing sensible.
struct MadeUpNet {
  std::size_t plane_size;
  std::size_t action_count;
  std::vector<float> logits;
  std::vector<float> values;

  void look(const std::vector<float>& planes, int count) {
    logits.assign(static_cast<std::size_t>(count) * action_count, 0);
    values.assign(static_cast<std::size_t>(count), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::uint64_t key = 1;
      for (std::size_t j = 0; j < plane_size; ++j)
        if (planes[i * plane_size + j] != 0) key = splitmix64(key + j);
      Rng rng(key);
      const auto unit = [&] { return static_cast<float>(rng.below(2001)) / 1000.0f - 1.0f; };
      values[i] = unit();
      for (std::size_t a = 0; a < action_count; ++a) logits[i * action_count + a] = 2 * unit();
    }
  }
};

template <GameState S>
MadeUpNet made_up_net(const S& state) {
  return {static_cast<std::size_t>(state.planes().size()),
          static_cast<std::size_t>(state.action_count()),
          {},
          {}};
}

// Runs the search to its end, `most` positions at a time; returns how many the net saw.
template <GameState S>
int drive(NetSearch<S>& search, int simulations, float noise, int most) {
  MadeUpNet net = made_up_net(search.root_state());
  std::vector<float> planes(net.plane_size * static_cast<std::size_t>(most));
  int seen = 0;
  search.begin(simulations, noise);
  while (!search.finished()) {
    const int count = search.collect(most, planes.data());
    CHECK(count <= most);
    if (count == 0) continue;
    net.look(planes, count);
    search.supply(net.logits.data(), net.values.data(), nullptr);
    seen += count;
  }
  return seen;
}

// Whether the search ended as planned: a winner may be proven before, and where the heuristics call the game
// over their one move is not searched.
bool has_done(const SearchReport& report, std::uint64_t visits) {
  const bool advised = report.moves.size() == 1 && report.visits == 1;
  return report.winner != kUnknown || advised || report.visits >= visits;
}

template <GameState S>
void check_report(const NetSearch<S>& search, std::uint64_t simulations) {
  const S& state = search.root_state();
  const SearchReport report = search.report();
  CHECK(has_done(report, simulations) && report.visits <= simulations);
  CHECK(!report.moves.empty());
  CHECK(report.moves.front().action == search.choice());
  CHECK(report.win >= 0 && report.win <= 1);
  for (const SearchedMove& move : report.moves) {
    CHECK(move.win >= 0 && move.win <= 1);
    S at = state;
    for (const Action action : move.line) {
      CHECK(at.why_illegal(action) == nullptr);
      at.play(action);
    }
  }
  std::vector<float> policy(static_cast<std::size_t>(state.action_count()));
  search.improved_policy(policy);
  CHECK(std::fabs(std::accumulate(policy.begin(), policy.end(), 0.0f) - 1) < 1e-3f);
  for (std::size_t a = 0; a < policy.size(); ++a)
    CHECK(policy[a] == 0 || state.why_illegal(static_cast<Action>(a)) == nullptr);
}

template <GameState S>
void check_search(const S& start, int games) {
  for (int game = 0; game < games; ++game) {
    Rng rng(static_cast<std::uint64_t>(game));
    S state = start;
    ActionList actions;
    for (int i = 0; i < 200 && !state.is_over(); ++i) {
      const bool gumbel = rng.below(2) == 0;
      NetSearchSettings settings;
      settings.gumbel = gumbel;
      const std::uint64_t seed = rng.next();
      const int simulations = 1 + static_cast<int>(rng.below(48));
      const int most = gumbel ? 1 + static_cast<int>(rng.below(16)) : 4;
      NetSearch<S> search(state, settings, seed);
      drive(search, simulations, gumbel ? 1.0f : 0.0f, most);
      check_report(search, static_cast<std::uint64_t>(simulations));
      NetSearch<S> again(state, settings, seed);
      drive(again, simulations, gumbel ? 1.0f : 0.0f, most);
      CHECK(again.choice() == search.choice());
      if (!gumbel && !search.proven()) {
        const std::uint64_t kept = search.report().moves.front().visits;
        search.advance(search.choice());
        if (!search.root_state().is_over()) {
          drive(search, 8, 0, 4);
          CHECK(has_done(search.report(), std::max<std::uint64_t>(kept, 1) - 1));  // 0 if all looked at lost
        }
      }
      state.legal_actions(actions);
      state.play(actions[rng.below(static_cast<std::uint32_t>(actions.size()))]);
    }
  }
}

// The outcome of perfect play for seat 0: 1, 0 or -1.
int solve(const ShortDominionDuel& state) {
  if (state.is_over()) {
    const int winner = state.outcome().winner;
    return winner == kDraw ? 0 : winner == 0 ? 1 : -1;
  }
  ActionList actions;
  state.legal_actions(actions);
  int best = state.to_move() == 0 ? -2 : 2;
  for (const Action action : actions) {
    ShortDominionDuel next = state;
    next.play(action);
    const int value = solve(next);
    best = state.to_move() == 0 ? std::max(best, value) : std::min(best, value);
  }
  return best;
}

void check_proofs() {
  for (int n = 1; n <= 6; ++n) {
    const ShortDominionDuel start(DominionDuelRules{n});
    for (const bool gumbel : {false, true}) {
      NetSearchSettings settings;
      settings.gumbel = gumbel;
      settings.considered = 64;
      NetSearch<ShortDominionDuel> search(start, settings, 1);
      drive(search, 60'000, 0, 8);
      const SearchReport report = search.report();
      if (!gumbel) CHECK(report.winner != kUnknown);  // planned visits may leave a bad move unproven
      if (report.winner == kUnknown) continue;
      const int value = solve(start);
      CHECK(report.winner == (value == 0 ? kDraw : value > 0 ? 0 : 1));
    }
  }
}

// Whatever the net says, a castle that can be taken is taken.
void check_capture() {
  GreatKingdomRules rules;
  GreatKingdom<9> state(rules);
  for (const Action action : {1, 0, 40 - 9}) state.play(action);  // B9, A9, E6
  state.play(80);
  NetSearch<GreatKingdom<9>> search(state, {}, 5);
  CHECK(drive(search, 16, 1, 4) == 0);
  CHECK(search.choice() == 9);  // A8
  CHECK(search.report().winner == 0);
}

// Under territory scoring two passes settle nothing, so the net and a playout are asked; under area scoring
// they count.
void check_two_passes() {
  GoRules rules;
  rules.size = 5;
  rules.komi = 6.5;
  for (const bool area : {false, true}) {
    rules.area = area;
    Go9 state(rules);
    state.play(state.pass_action());
    NetSearch<Go9> search(state, {}, 1);
    search.begin(26, 0);
    std::vector<float> planes(static_cast<std::size_t>(state.planes().size()));
    std::vector<float> logits(static_cast<std::size_t>(state.action_count()), 0.0f);
    logits[static_cast<std::size_t>(state.pass_action())] = 3;
    const float value = 0.8f;
    while (!search.finished())
      if (search.collect(1, planes.data()) > 0) search.supply(logits.data(), &value, nullptr);
    const SearchReport report = search.report();
    CHECK(report.winner == (area ? 1 : kUnknown));
    const float share = Heuristics<Go9>::playout_share(state);
    const float least = (1 - share) * 0.1f;  // where the playout is lost
    for (const SearchedMove& move : report.moves) {
      if (area || move.action != state.pass_action()) continue;
      CHECK(move.visits > 0);
      CHECK(move.win > least - 1e-3f && move.win < least + share + 1e-3f);
    }
  }
}

template <GameState S>
void check_self_play(const S& start, int wanted) {
  SelfPlaySettings settings;
  settings.games = 8;
  settings.full_simulations = 12;
  settings.fast_simulations = 4;
  settings.max_actions = 120;
  SelfPlay<S> games({start}, settings, 7);
  MadeUpNet net = made_up_net(start);
  std::vector<float> planes(net.plane_size * static_cast<std::size_t>(games.capacity()));
  int done = 0;
  std::size_t samples = 0;
  while (done < wanted) {
    const int count = games.collect(planes.data());
    CHECK(count == games.capacity());
    net.look(planes, count);
    games.supply(net.logits.data(), net.values.data());
    for (const FinishedGame& game : games.take()) {
      ++done;
      S state = start;
      for (const Action action : game.actions) {
        CHECK(state.why_illegal(action) == nullptr);
        state.play(action);
      }
      CHECK(state.is_over() || game.actions.size() == 120);
      if (state.is_over()) CHECK(state.outcome().winner == game.outcome.winner);
      CHECK(game.owner.empty() || game.owner.size() == static_cast<std::size_t>(state.cell_count()));
      samples += game.samples.size();
      for (const Sample& sample : game.samples) {
        CHECK(std::fabs(std::accumulate(sample.policy.begin(), sample.policy.end(), 0.0f) - 1) < 1e-3f);
        CHECK(std::fabs(sample.root_value) <= 1);
      }
    }
  }
  CHECK(samples > 0);
}

}  // namespace
}  // namespace tengen

void test_net_search() {
  using namespace tengen;
  GreatKingdomRules small;
  small.size = 5;
  GoRules go;
  go.area = true;  // under territory scoring an ending needs no simulations
  go.size = 5;
  check_search(GreatKingdom<9>(GreatKingdomRules{}), 3);
  check_search(GreatKingdom<7>(small), 10);
  check_search(Go9(go), 3);
  check_search(Kelasu(KelasuRules{}), 1);
  check_search(ShortDominionDuel(DominionDuelRules{9}), 20);
  check_proofs();
  check_capture();
  check_two_passes();
  check_self_play(GreatKingdom<9>(GreatKingdomRules{}), 12);
  check_self_play(Go9(go), 8);
  check_self_play(Kelasu(KelasuRules{}), 8);
  check_self_play(ShortDominionDuel(DominionDuelRules{9}), 40);
}
