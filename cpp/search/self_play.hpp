// Many games played at once by a search with a net against itself: what a net learns from.
//
// collect() moves every game on until its search waits for the net, and supply() hands the net's words back;
// so one call of the net serves all games. Some moves get a full search and become samples, the others a fast
// one that only moves the game on (playout-cap randomisation). Games that end are kept until take(), and a
// new one begins in their place. Start reading at SelfPlay::collect().
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "search/net_search.hpp"

namespace tengen {

struct SelfPlaySettings {
  int games = 64;             // at once
  int full_simulations = 64;  // of a move that becomes a sample
  int fast_simulations = 16;  // of the others
  float full_share = 0.5f;    // how many moves get a full search
  int considered = 16;        // see NetSearchSettings
  float visit_offset = 50;
  float value_scale = 1;
  int opening_actions = 4;  // at most so many first actions are drawn from the policy without search
  int noise_actions = 12;   // after so many actions the noise on the root falls from 1 to late_noise
  float late_noise = 0.3f;
  int max_actions = 400;  // a game that is still going then is a draw
  // The part of samples that is dealt out by surprise: how far the search moved the net's policy.
  float surprise_share = 0;
};

// One position of a game, as the net should have seen it; all from its mover's side.
struct Sample {
  std::vector<float> planes;
  std::vector<float> policy;
  int mover = 0;
  float root_value = 0;  // what the search made of it, -1 to 1
  float surprise = 0;    // see NetSearch::surprise()
  int at = 0;            // how many actions were made before it
  Action reply = -1;     // the action after the one that was made in it, -1 in the end
  float soon = 0;        // what the next searches made of it, the nearer ones the more, -1 to 1
};

struct FinishedGame {
  std::vector<Action> actions;
  Outcome outcome;
  int cells = 0;
  std::vector<std::int8_t> owner;  // by cell: +1 seat 0, -1 seat 1; empty where the game was not counted
  std::vector<Sample> samples;
};

template <GameState S>
class SelfPlay {
 public:
  // Each game begins at one of the starts, of which there must be one at least; they share a board.
  SelfPlay(std::vector<S> starts, const SelfPlaySettings& settings, std::uint64_t seed)
      : starts_(std::move(starts)), settings_(settings), rng_(seed) {
    tables_.resize(static_cast<std::size_t>(std::max(1, settings.games)));
    for (Table& table : tables_) set_up(table);
  }

  int capacity() const { return static_cast<int>(tables_.size()); }
  Planes planes() const { return starts_.front().planes(); }
  int action_count() const { return starts_.front().action_count(); }
  const std::vector<Action>& live() const { return tables_.front().actions; }

  // Writes the planes of the positions that wait for the net, at most one a game; returns how many.
  int collect(float* planes);
  // The net's words for them, as in NetSearch::supply().
  void supply(const float* logits, const float* values);
  std::vector<FinishedGame> take() { return std::exchange(finished_, {}); }

 private:
  struct Table {
    std::vector<Action> actions;
    std::vector<float> values;  // what the search made of each position, for seat 0, -1 to 1
    std::vector<Sample> samples;
    std::optional<NetSearch<S>> search;
    int opening = 0;     // actions drawn from the policy alone
    bool full = false;   // the search under way is to become a sample
    bool asked = false;  // waits for the net
  };

  void set_up(Table& table);
  void think(Table& table, const S& state);
  void move(Table& table);
  void finish(Table& table, const S& state);
  void look_ahead(Table& table, const Outcome& outcome);
  std::vector<Sample> by_surprise(std::vector<Sample> samples);

  static constexpr float kSoon = 5.0f / 6;  // weight of all later searches beside the next: some six actions

  std::vector<S> starts_;
  SelfPlaySettings settings_;
  Rng rng_;
  std::vector<Table> tables_;
  std::vector<FinishedGame> finished_;
};

template <GameState S>
void SelfPlay<S>::set_up(Table& table) {
  table = Table{};
  table.opening = static_cast<int>(rng_.below(static_cast<std::uint32_t>(settings_.opening_actions + 1)));
  think(table, own_copy(starts_[rng_.below(static_cast<std::uint32_t>(starts_.size()))]));
}

template <GameState S>
void SelfPlay<S>::think(Table& table, const S& state) {
  NetSearchSettings settings;
  settings.considered = settings_.considered;
  settings.visit_offset = settings_.visit_offset;
  settings.value_scale = settings_.value_scale;
  table.search.emplace(state, settings, rng_.next());
  const int done = static_cast<int>(table.actions.size());
  const bool opening = done < table.opening;
  constexpr std::uint32_t kParts = 1 << 16;
  table.full = !opening && static_cast<float>(rng_.below(kParts)) < settings_.full_share * kParts;
  const int simulations = opening ? 1 : table.full ? settings_.full_simulations : settings_.fast_simulations;
  table.search->begin(simulations, done < settings_.noise_actions ? 1.0f : settings_.late_noise);
}

template <GameState S>
int SelfPlay<S>::collect(float* planes) {
  const auto plane_size = static_cast<std::size_t>(starts_.front().planes().size());
  int found = 0;
  for (Table& table : tables_) {
    while (true) {
      if (table.search->finished()) {
        move(table);
        continue;
      }
      if (table.search->collect(1, planes + static_cast<std::size_t>(found) * plane_size) > 0) break;
    }
    table.asked = true;
    ++found;
  }
  return found;
}

template <GameState S>
void SelfPlay<S>::supply(const float* logits, const float* values) {
  std::size_t next = 0;
  for (Table& table : tables_) {
    if (!table.asked) continue;
    table.search->supply(logits + next * static_cast<std::size_t>(action_count()), values + next, nullptr);
    table.asked = false;
    ++next;
  }
}

template <GameState S>
void SelfPlay<S>::move(Table& table) {
  const auto& search = *table.search;
  S state = search.root_state();
  const float value = 2 * search.root_win() - 1;
  table.values.push_back(state.to_move() == 0 ? value : -value);
  if (table.full && !search.proven()) {
    Sample sample;
    sample.planes.resize(static_cast<std::size_t>(state.planes().size()));
    state.encode(sample.planes);
    sample.policy.resize(static_cast<std::size_t>(state.action_count()));
    search.improved_policy(sample.policy);
    sample.mover = state.to_move();
    sample.root_value = value;
    sample.at = static_cast<int>(table.actions.size());
    sample.surprise = search.surprise(sample.policy);
    table.samples.push_back(std::move(sample));
  }
  const Action action = search.choice();
  state.play(action);
  table.actions.push_back(action);
  if (state.is_over() || static_cast<int>(table.actions.size()) >= settings_.max_actions)
    finish(table, state);
  else
    think(table, state);
}

template <GameState S>
void SelfPlay<S>::finish(Table& table, const S& state) {
  FinishedGame game;
  game.outcome = state.is_over() ? state.outcome() : Outcome{kDraw, "long", false, {}};
  look_ahead(table, game.outcome);
  game.actions = std::move(table.actions);
  game.cells = state.cell_count();
  if (game.outcome.has_score) game.owner = Heuristics<S>().final_owner(state);
  game.samples = by_surprise(std::move(table.samples));
  finished_.push_back(std::move(game));
  set_up(table);
}

// Tells each sample what came after it.
template <GameState S>
void SelfPlay<S>::look_ahead(Table& table, const Outcome& outcome) {
  const std::size_t count = table.actions.size();
  std::vector<float> soon(count);
  float later = outcome.winner == kDraw ? 0.0f : outcome.winner == 0 ? 1.0f : -1.0f;
  for (std::size_t at = count; at-- > 0;) {
    soon[at] = later;
    later = (1 - kSoon) * table.values[at] + kSoon * later;
  }
  for (Sample& sample : table.samples) {
    const auto at = static_cast<std::size_t>(sample.at);
    sample.soon = sample.mover == 0 ? soon[at] : -soon[at];
    if (at + 1 < count) sample.reply = table.actions[at + 1];
  }
}

// As many samples as before on average, but those with much to teach several times and some others not at
// all (KataGo's policy surprise weighting).
template <GameState S>
std::vector<Sample> SelfPlay<S>::by_surprise(std::vector<Sample> samples) {
  float sum = 0;
  for (const Sample& sample : samples) sum += sample.surprise;
  if (settings_.surprise_share <= 0 || sum <= 0) return samples;
  constexpr std::uint32_t kParts = 1 << 16;
  const float mean = sum / static_cast<float>(samples.size());
  std::vector<Sample> dealt;
  for (const Sample& sample : samples) {
    const float weight = 1 + settings_.surprise_share * (sample.surprise / mean - 1);
    const float chance = static_cast<float>(rng_.below(kParts)) / kParts;
    for (float copy = chance; copy < weight; ++copy) dealt.push_back(sample);
  }
  return dealt;
}

}  // namespace tengen
