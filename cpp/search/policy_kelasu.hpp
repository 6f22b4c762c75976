// Kelasu for Monte Carlo search: no playouts, a leaf is worth what it looks like (kelasu_eval.hpp).
#pragma once

#include "games/kelasu.hpp"
#include "search/kelasu_eval.hpp"
#include "search/policy.hpp"

namespace tengen {

struct KelasuKnobs {
  float prior_visits = 2;
  int greedy_turns = 0;
  bool exact_priors = false;
};
inline KelasuKnobs kelasu_knobs;

template <>
struct Policy<Kelasu> {
  static constexpr bool kAmaf = false;
  static constexpr bool kOwner = false;

  static SearchSettings settings() {
    SearchSettings s;
    s.exploration = 0.25f;
    s.first_play_loss = 0.05f;
    s.expand_visits = 2;
    return s;
  }

  // Of a merge, all targets but only one choice of cells beyond a warrior's pair.
  bool candidates(const Kelasu& state, ActionList& actions) const;
  void priors(const Kelasu& state, const ActionList& actions, std::span<Prior> priors) const;
  // Whether the mover wins in this very turn by walking onto the victory tiles or taking the last stones.
  Certain certain(const Kelasu& state) const;
  bool is_final(const Kelasu&) const { return true; }
  Value playout(Kelasu& state, const SearchSettings& settings, Rng& rng, Trace& trace);
};

// The cell that the merge under way takes next when only one choice is looked at.
Action kelasu_merge_cell(const Kelasu& state);

}  // namespace tengen
