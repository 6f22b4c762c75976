// What Monte Carlo search must know of a game beyond its rules: which moves deserve a look, which look good
// at first sight, what is certain without search, and how a position is played out to a value.
//
// PlainHeuristics<S> below fits any game; games/<game>/heuristics.hpp specialises Heuristics<S> where
// knowledge pays, and inherits the rest. The searches require the concept SearchHeuristics at the end of this
// file.
#pragma once

#include <concepts>
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

// What is known of the root of a search before it begins. `action` ends the game as it should end, worth that
// value. Where that is not sure, a search that has the time to look for something better favours it, and does
// no more. `left_out` are moves that only cost, `free` those that cost nothing: a search that likes one as
// well as the action makes it first.
struct Advice {
  Action action = -1;
  Value value;
  ActionList left_out;
  ActionList free;
  std::vector<float> owner;  // by cell, as in SearchReport, beside an action
  bool sure = true;          // of the action
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

// Search settings; each game's heuristics have their own defaults, found by matches.
struct SearchSettings {
  float exploration = 0.7f;  // weight of the confidence term
  float amaf_visits = 0;  // visits at which a move's own record weighs as much as its AMAF record; 0 is off
  float first_play_loss = 0.1f;  // an unvisited move starts this much below its parent's value
  float lead_share = 0;          // in a decided game, how much of a playout's worth is its lead
  int expand_visits = 2;         // a leaf gets children at this visit
  bool light_playouts = false;   // uniformly random playouts without the game's knowledge
};

template <GameState S>
struct PlainHeuristics {
  static constexpr bool kAmaf = false;    // an action means the same for the rest of the game
  static constexpr bool kOwner = false;   // playouts fill Trace::owner
  static constexpr int kCheckEvery = 32;  // simulations between looks at the clock
  // Beside a net: how much of a leaf's worth is a playout's and not the net's word.
  static float playout_share(const S&) { return 0; }
  // And how much the points of a lead may add to or take from a chance to win, in a search that is planned
  // for few simulations or in a tree of many.
  static float lead_share(const S&, bool /*planned*/) { return 0; }

  static SearchSettings settings() { return {}; }

  // The actions worth a look in a state that is not over, at least one. Returns whether those left out
  // can never be better, so that "all lose" proves a loss.
  bool candidates(const S& state, ActionList& actions) const {
    state.legal_actions(actions);
    return true;
  }
  void priors(const S&, const ActionList&, std::span<Prior>) const {}
  Certain certain(const S&) const { return {}; }
  // Asked once for the root of a search, so it may take as long as many playouts.
  Advice advise(const S&, std::uint64_t) const { return {}; }
  // Whether the outcome of a finished state is the last word, so that search may take it as proven.
  bool is_final(const S&) const { return true; }
  // The action that only gives up the turn, -1 where the game has none.
  Action pass(const S&) const { return -1; }
  // Who owns each cell of a counted game, pieces included: +1 seat 0, -1 seat 1; empty where that means
  // nothing.
  std::vector<std::int8_t> final_owner(const S&) const { return {}; }

  // Plays the state to a value. May leave it in any state.
  Value playout(S& state, const SearchSettings&, Rng& rng, Trace&) {
    const PlayoutResult result = state.playout(rng);
    return {result.winner == kDraw ? 0.5f : result.winner == 0 ? 1.0f : 0.0f, 0};
  }
};

// What searches ask: specialise it for a game that one knows more of.
template <GameState S>
struct Heuristics : PlainHeuristics<S> {};

template <class H, class S>
concept SearchHeuristics =
    GameState<S> && std::default_initializable<H> &&
    requires(const H& fixed, H& heuristics, const S& state, S& mutable_state, ActionList& actions,
             std::span<Prior> priors, const SearchSettings& settings, Rng& rng, Trace& trace) {
      { H::kAmaf } -> std::convertible_to<bool>;
      { H::kOwner } -> std::convertible_to<bool>;
      { H::playout_share(state) } -> std::same_as<float>;
      { H::lead_share(state, true) } -> std::same_as<float>;
      { H::settings() } -> std::same_as<SearchSettings>;
      { fixed.candidates(state, actions) } -> std::same_as<bool>;
      { fixed.priors(state, actions, priors) } -> std::same_as<void>;
      { fixed.certain(state) } -> std::same_as<Certain>;
      { H::kCheckEvery } -> std::convertible_to<int>;
      { fixed.advise(state, std::uint64_t{}) } -> std::same_as<Advice>;
      { fixed.is_final(state) } -> std::same_as<bool>;
      { fixed.pass(state) } -> std::same_as<Action>;
      { fixed.final_owner(state) } -> std::same_as<std::vector<std::int8_t>>;
      { heuristics.playout(mutable_state, settings, rng, trace) } -> std::same_as<Value>;
    };

// Stands in every search, so that a function that is missing or misspelt is this sentence.
template <GameState S>
constexpr bool has_heuristics() {
  static_assert(SearchHeuristics<Heuristics<S>, S>,
                "Heuristics<S> must model SearchHeuristics (cpp/search/heuristics.hpp): inherit from "
                "PlainHeuristics<S>, and give what you replace the same signature.");
  return true;
}

// Owners as codes (0 nobody, 1 seat 0, 2 seat 1) to the signs that final_owner() gives.
inline std::vector<std::int8_t> signs_of(const std::vector<std::uint8_t>& codes) {
  std::vector<std::int8_t> result;
  for (const std::uint8_t code : codes)
    result.push_back(static_cast<std::int8_t>(code == 1 ? 1 : code == 2 ? -1 : 0));
  return result;
}

}  // namespace tengen
