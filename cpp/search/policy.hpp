// What Monte Carlo search must know of a game beyond its rules: which moves deserve a look, which look good
// at first sight, what is certain without search, and how a position is played out to a value.
//
// Policy<S> below fits any game; policy_<game>.hpp specialises it where knowledge pays. mcts.hpp calls it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game.hpp"

namespace tengen {

// Knowledge before search: as if `visits` simulations had come to the mean `win` for the mover.
struct Prior {
  float visits = 0;
  float win = 0.5f;
};

// The worth of a position, both from seat 0's side.
struct Value {
  float win = 0.5f;  // 1 a win, 0 a loss
  float score = 0;   // lead in points, where the game counts points
};

constexpr std::int8_t kUnknown = -2;  // beside 0, 1 and kDraw: nobody knows the winner yet

// A winner that is known without search, and for a win of the mover an action that keeps it.
struct Certain {
  std::int8_t winner = kUnknown;
  Action action = -1;
  float score = 0;  // the lead from seat 0's side, where the game counts points
};

// What a simulation leaves behind besides its value.
struct Trace {
  std::vector<std::int8_t> first;  // by action: the seat that played it first, -1 for nobody (kAmaf only)
  std::vector<std::int8_t> owner;  // by cell at the playout's end: +1 seat 0, -1 seat 1, 0 nobody
};

inline Value value_of(const Outcome& outcome) {
  const float win = outcome.winner == kDraw ? 0.5f : outcome.winner == 0 ? 1.0f : 0.0f;
  return {win, outcome.has_score ? static_cast<float>(outcome.score[0] - outcome.score[1]) : 0.0f};
}

// Search settings; each game's policy has its own defaults, found by matches.
struct SearchSettings {
  float exploration = 0.7f;  // weight of the confidence term
  float amaf_visits = 0;  // visits at which a move's own record weighs as much as its AMAF record; 0 is off
  float first_play_loss = 0.1f;  // an unvisited move starts this much below its parent's value
  int expand_visits = 2;         // a leaf gets children at this visit
  bool light_playouts = false;   // uniformly random playouts without the game's playout policy
};

template <GameState S>
struct Policy {
  static constexpr bool kAmaf = false;   // an action means the same for the rest of the game
  static constexpr bool kOwner = false;  // playouts fill Trace::owner
  // Beside a net: how much of a leaf's worth is a playout's and not the net's word.
  static constexpr float kPlayoutShare = 0;

  static SearchSettings settings() { return {}; }

  // The actions worth a look in a state that is not over, at least one. Returns whether those left out
  // can never be better, so that "all lose" proves a loss.
  bool candidates(const S& state, ActionList& actions) const {
    state.legal_actions(actions);
    return true;
  }
  void priors(const S&, const ActionList&, std::span<Prior>) const {}
  Certain certain(const S&) const { return {}; }
  // Whether the outcome of a finished state is the last word, so that search may take it as proven.
  bool is_final(const S&) const { return true; }

  // Plays the state to a value. May leave it in any state.
  Value playout(S& state, const SearchSettings&, Rng& rng, Trace&) {
    const PlayoutResult result = state.playout(rng);
    return {result.winner == kDraw ? 0.5f : result.winner == 0 ? 1.0f : 0.0f, 0};
  }
};

}  // namespace tengen
