// Batches against the same games played one by one: states, arrays, ends, resets, refusals, and what is
// drawn. Start reading at check_against_single_games().
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "check.hpp"
#include "games/dominion_duel/dominion_duel.hpp"
#include "games/go/go.hpp"
#include "games/great_kingdom/great_kingdom.hpp"
#include "games/kelasu/kelasu.hpp"

namespace tengen {
namespace {

constexpr std::size_t kCount = 200;  // more than kWorthAThread for each of three threads

class Flags {  // a std::vector<bool> has no bytes to point to
 public:
  explicit Flags(std::size_t count) : values_(new bool[count]()), count_(count) {}
  std::span<bool> span() { return {values_.get(), count_}; }

 private:
  std::unique_ptr<bool[]> values_;
  std::size_t count_;
};

struct Arrays {
  std::vector<std::int64_t> actions;
  std::vector<float> rewards;
  Flags ended;
  explicit Arrays(std::size_t count) : actions(count), rewards(2 * count, 7.0F), ended(count) {}
};

template <GameState S>
Refusal step(Batch<S>& batch, Arrays& arrays) {
  return batch.step(arrays.actions, arrays.rewards, arrays.ended.span());
}

template <GameState S>
void check_arrays(const Batch<S>& batch, const std::vector<S>& states) {
  const std::size_t width = batch.action_count();
  const auto size = static_cast<std::size_t>(batch.planes().size());
  Flags legal(kCount * width);
  std::vector<float> planes(kCount * size, std::numeric_limits<float>::quiet_NaN());
  std::vector<std::int8_t> movers(kCount);
  std::vector<std::int8_t> winners(kCount);
  batch.legal(legal.span());
  batch.encode(planes);
  batch.to_move(movers);
  batch.winner(winners);
  std::vector<float> single(size);
  bool same = true;
  for (std::size_t i = 0; i < kCount; ++i) {
    const S& state = states[i];
    for (std::size_t a = 0; a < width; ++a)
      same = same && legal.span()[i * width + a] == (state.why_illegal(static_cast<Action>(a)) == nullptr);
    state.encode(single);
    same = same &&
           std::equal(single.begin(), single.end(), planes.begin() + static_cast<std::ptrdiff_t>(i * size));
    same = same && movers[i] == state.to_move() && batch.state(i) == state;
    same = same && winners[i] == (state.is_over() ? state.outcome().winner : kRunning);
  }
  CHECK(same);
}

// Plays the batch and single states with the same actions for a while and compares them all the time.
template <GameState S>
void check_against_single_games(const typename S::Rules& rules, bool auto_reset) {
  const S start(rules);
  Batch<S> batch(start, kCount, 3, auto_reset, 3);
  std::vector<S> states(kCount, start);
  std::vector<ActionList> logs(kCount);
  Arrays arrays(kCount);
  for (int round = 0; round < 150; ++round) {
    batch.sample(arrays.actions);
    for (std::size_t i = round % 5 == 4 ? 0 : kCount; i < kCount; i += 3) arrays.actions[i] = kNoAction;
    CHECK(step(batch, arrays).why == nullptr);
    bool same = true;
    for (std::size_t i = 0; i < kCount; ++i) {
      bool ended = false;
      std::array<float, 2> rewards{};
      if (arrays.actions[i] != kNoAction) {
        const auto action = static_cast<Action>(arrays.actions[i]);
        same = same && states[i].why_illegal(action) == nullptr;
        states[i].play(action);
        logs[i].push_back(action);
        ended = states[i].is_over();
        const int winner = ended ? states[i].outcome().winner : kDraw;
        if (winner != kDraw) rewards = winner == 0 ? std::array{1.0F, -1.0F} : std::array{-1.0F, 1.0F};
      }
      same = same && arrays.ended.span()[i] == ended && arrays.rewards[2 * i] == rewards[0] &&
             arrays.rewards[2 * i + 1] == rewards[1];
      if (ended && auto_reset) {
        states[i] = start;
        logs[i].clear();
      }
      same = same && batch.log(i) == logs[i];
    }
    CHECK(same);
    if (round % 10 == 0) check_arrays(batch, states);
  }
  check_arrays(batch, states);
}

// An illegal action anywhere leaves every game as it was; the lowest such game is named.
template <GameState S>
void check_refusals(const typename S::Rules& rules) {
  Batch<S> batch(S(rules), kCount, 5, false, 3);
  Arrays arrays(kCount);
  for (int round = 0; round < 5; ++round) {
    batch.sample(arrays.actions);
    CHECK(step(batch, arrays).why == nullptr);
  }
  std::vector<S> before;
  for (std::size_t i = 0; i < kCount; ++i) before.push_back(batch.state(i));
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t beyond = before[0].action_count() + 1;
  for (const std::int64_t bad :
       {std::int64_t{-2}, beyond, std::int64_t{1} << 32, Limits::min(), Limits::max()}) {
    batch.sample(arrays.actions);
    arrays.actions[199] = arrays.actions[77] = arrays.actions[140] = bad;
    const Refusal refusal = step(batch, arrays);
    CHECK(refusal.why != nullptr && refusal.game == 77);
    bool same = true;
    for (std::size_t i = 0; i < kCount; ++i)
      same = same && batch.state(i) == before[i] && batch.log(i).size() <= 5;
    CHECK(same);
  }
}

// Each of the legal actions of the start is drawn about equally often.
template <GameState S>
void check_uniform(const typename S::Rules& rules) {
  const S start(rules);
  Batch<S> batch(start, 1000, 11, false, 1);
  ActionList legal;
  start.legal_actions(legal);
  std::vector<int> drawn(static_cast<std::size_t>(start.action_count()));
  std::vector<std::int64_t> actions(1000);
  const double mean = 1000;
  for (std::size_t round = 0; round < legal.size(); ++round) {
    batch.sample(actions);
    for (const std::int64_t action : actions) ++drawn[static_cast<std::size_t>(action)];
  }
  for (Action action = 0; action < start.action_count(); ++action) {
    const int times = drawn[static_cast<std::size_t>(action)];
    const bool is_legal = std::binary_search(legal.begin(), legal.end(), action);
    CHECK(is_legal ? std::abs(times - mean) < 6 * std::sqrt(mean) : times == 0);
  }
}

// With logits the odds are those of their exponentials, over the legal actions alone.
void check_weighted() {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  Batch<ShortDominionDuel> batch(ShortDominionDuel({.n = 5}), kCount, 2, false, 3);
  std::vector<float> logits;
  for (std::size_t i = 0; i < kCount; ++i)
    logits.insert(logits.end(), {0.0F, std::log(2.0F), kNever, std::log(5.0F), kNever});
  std::vector<std::int64_t> actions(kCount);
  std::array<int, 5> drawn{};
  for (int round = 0; round < 400; ++round) {
    CHECK(batch.sample(logits, actions).why == nullptr);
    for (const std::int64_t action : actions) ++drawn[static_cast<std::size_t>(action)];
  }
  CHECK(drawn[2] == 0 && drawn[4] == 0);
  for (const auto& [action, share] : {std::pair{0, 0.125}, std::pair{1, 0.25}, std::pair{3, 0.625}})
    CHECK(std::abs(drawn[static_cast<std::size_t>(action)] - 80000 * share) < 6 * std::sqrt(80000 * share));

  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> broken = logits;
    broken[90 * 5 + 1] = broken[180 * 5] = bad;
    const Refusal refusal = batch.sample(broken, actions);
    CHECK(refusal.why != nullptr && refusal.game == 90);
  }
  std::fill_n(logits.begin() + 33 * 5, 5, kNever);
  CHECK(batch.sample(logits, actions).game == 33);

  // A claim of territory 2 locks its neighbours: 4 and 5 are left, however likely the others are.
  Arrays arrays(kCount);
  std::ranges::fill(arrays.actions, 1);
  CHECK(step(batch, arrays).why == nullptr);
  std::fill(logits.begin(), logits.end(), 1000.0F);
  std::set<std::int64_t> seen;
  for (int round = 0; round < 20; ++round) {
    CHECK(batch.sample(logits, actions).why == nullptr);
    seen.insert(actions.begin(), actions.end());
  }
  CHECK(seen == (std::set<std::int64_t>{3, 4}));
}

// What is drawn depends on the seed and not on the number of threads; a reset goes only where it is asked
// for.
void check_seeds_and_resets() {
  const Go9 start({.size = 5});
  const auto play = [&](std::uint64_t seed, std::size_t threads) {
    Batch<Go9> batch(start, kCount, seed, true, threads);
    Arrays arrays(kCount);
    std::vector<std::int64_t> all;
    for (int round = 0; round < 60; ++round) {
      batch.sample(arrays.actions);
      CHECK(step(batch, arrays).why == nullptr);
      all.insert(all.end(), arrays.actions.begin(), arrays.actions.end());
    }
    return all;
  };
  const auto once = play(1, 1);
  CHECK(once == play(1, 3) && once != play(2, 1));
  CHECK(std::set<std::int64_t>(once.begin(), once.begin() + kCount).size() >
        10);  // games differ from each other

  Batch<Go9> batch(start, kCount, 1, false, 1);
  Arrays arrays(kCount);
  batch.sample(arrays.actions);
  CHECK(step(batch, arrays).why == nullptr);
  Flags chosen(kCount);
  chosen.span()[7] = true;
  batch.reset(chosen.span());
  std::vector<std::int32_t> lengths(kCount);
  batch.lengths(lengths);
  for (std::size_t i = 0; i < kCount; ++i) CHECK(lengths[i] == (i == 7 ? 0 : 1));
  CHECK(batch.state(7) == start && batch.state(8) != start);
}

// An exception in any part comes out of the call, after all parts have ended.
void check_failures() {
  std::atomic<std::size_t> done = 0;
  bool thrown = false;
  try {
    in_parts(kCount, 3, [&](std::size_t begin, std::size_t end) {
      if (begin > 0 && end < kCount) throw std::runtime_error("the middle");
      done += end - begin;
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  CHECK(thrown && done > kCount / 2 && done < kCount);
}

}  // namespace
}  // namespace tengen

void test_batch() {
  using namespace tengen;
  for (const bool auto_reset : {false, true}) {
    check_against_single_games<Go9>({.size = 3}, auto_reset);
    check_against_single_games<Go9>({.size = 5, .superko = true, .area = true}, auto_reset);
    check_against_single_games<Go19>({.size = 11, .handicap = 3}, auto_reset);
    check_against_single_games<GreatKingdom<7>>({.size = 5, .suicide_loses = false}, auto_reset);
    check_against_single_games<GreatKingdom<9>>({.enter_enemy_territory = false, .castles = 20}, auto_reset);
    check_against_single_games<GreatKingdom<19>>({.size = 13}, auto_reset);
    check_against_single_games<Kelasu>({.may_end_turn_early = auto_reset}, auto_reset);
    check_against_single_games<ShortDominionDuel>({.n = 9}, auto_reset);
    check_against_single_games<LongDominionDuel>({.n = 70}, auto_reset);
  }
  check_refusals<Go9>({.size = 9});
  check_refusals<GreatKingdom<9>>({});
  check_refusals<Kelasu>({});
  check_refusals<ShortDominionDuel>({.n = 64});
  check_uniform<Go9>({.size = 4});
  check_uniform<GreatKingdom<7>>({.size = 5});
  check_uniform<Kelasu>({});
  check_uniform<ShortDominionDuel>({.n = 20});
  check_weighted();
  check_seeds_and_resets();
  check_failures();
}
