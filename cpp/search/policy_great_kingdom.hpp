// Great Kingdom for Monte Carlo search.
#pragma once

#include "games/great_kingdom.hpp"
#include "search/great_kingdom_playout.hpp"
#include "search/great_kingdom_reader.hpp"
#include "search/policy.hpp"

namespace tengen {

template <int MaxSize>
struct Policy<GreatKingdom<MaxSize>> {
  using S = GreatKingdom<MaxSize>;
  using Groups = GreatKingdomGroups<MaxSize>;
  using Reader = CaptureReader<MaxSize>;
  using Board = typename S::Board;
  static constexpr bool kAmaf = true;
  static constexpr bool kOwner = true;

  static SearchSettings settings() {
    SearchSettings s;
    s.exploration = 0.3f;
    s.amaf_visits = 500;
    s.first_play_loss = 0.1f;
    s.expand_visits = 2;
    return s;
  }

  // Leaves out what loses at once: whatever does not answer a threat to capture, suicide, and a castle
  // that can be captured right away.
  bool candidates(const S& state, ActionList& actions) const {
    const Groups groups(state);
    const int mover = state.to_move();
    actions.clear();
    Board open = groups.empty();
    if (const Board captures = groups.captures(mover); captures.any()) {
      actions.push_back(state.cell_of(captures.first()));
      return true;
    }
    const Board danger = groups.captures(1 - mover);
    if (danger.any()) open = Reader::answers(groups, mover, danger.first());
    if (!groups.has_castle(mover)) open = {};
    open.for_each([&](int bit) {
      const int liberties = groups.liberties_after(bit, mover).count();
      if (liberties == 0 || (liberties == 1 && groups.is_free())) return;
      if (!groups.is_free()) {
        if (!groups.is_legal(bit, mover)) return;
        if (liberties == 1 || danger.any()) {
          Groups next = groups;
          next.place(bit, mover);
          if (next.captures(1 - mover).any()) return;
        }
      }
      actions.push_back(state.cell_of(bit));
    });
    actions.push_back(state.pass());
    return true;
  }

  void priors(const S& state, const ActionList& actions, std::span<Prior> priors) const {
    if (actions.size() < 2 || !gk_knobs.prior) return;
    const Groups groups(state);
    const int mover = state.to_move();
    const auto territory = groups.territories();
    const Board second = groups.liberties_of_weak(1 - mover, 2);
    // What the opponent would capture if the mover passed.
    Board zone;
    bool hot = false;
    if (gk_knobs.zone && groups.captures(1 - mover).none()) {
      Reader reader(gk_knobs.budget);
      if (const int start = reader.attack(groups, 1 - mover, gk_knobs.depth); start >= 0) {
        hot = true;
        zone = reader.seen() | second;
      }
    }
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (actions[i] == state.pass()) {
        priors[i] = {10, hot ? 0.0f : 0.3f};
        continue;
      }
      const int bit = state.bit_of(actions[i]);
      float win = 0.5f;
      if (territory[mover].test(bit)) win = 0.3f;
      if (territory[1 - mover].test(bit)) win = 0.35f;
      const int liberties = groups.liberties_after(bit, mover).count();
      if (liberties == 2) win -= 0.15f;
      priors[i] = {10, win};
      if (hot && !zone.test(bit)) priors[i] = {gk_knobs.hot_visits, 0.05f};
    }
  }

  Certain certain(const S& state) const {
    const Groups groups(state);
    const int mover = state.to_move();
    Reader reader(gk_knobs.budget);
    if (state.passes() == 1) {
      const auto owned = groups.territories();
      const bool blue = owned[0].count() >= owned[1].count() + state.rules().lead;
      if (blue == (mover == 0)) return {static_cast<std::int8_t>(mover), state.pass()};
    }
    if (const int bit = reader.attack(groups, mover, gk_knobs.depth); bit >= 0)
      return {static_cast<std::int8_t>(mover), state.cell_of(bit)};
    Reader other(gk_knobs.budget);
    if (other.is_lost(groups, mover, gk_knobs.depth)) return {static_cast<std::int8_t>(1 - mover), -1};
    return {};
  }
  bool is_final(const S&) const { return true; }

  Value playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace) {
    if (settings.light_playouts) {
      const PlayoutResult result = state.playout(rng);
      return {result.winner == 0 ? 1.0f : 0.0f, 0};
    }
    GreatKingdomPlayout<MaxSize> p(state, rng, trace);
    if (gk_knobs.mix <= 0) return p.run();
    const double guess = p.guess();
    Value v = p.run();
    v.win = static_cast<float>((1 - gk_knobs.mix) * v.win + gk_knobs.mix * guess);
    return v;
  }
};

}  // namespace tengen
