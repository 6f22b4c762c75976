// Great Kingdom for Monte Carlo search: the capture reader says what is certain, the playout what is likely.
//
// The reader is what matters. Settings lie in a flat region: matches of 60 to 100 games at 400 or 500 visits
// on 9×9 told AMAF from none (40 of 60 games), and little else; the priors' weights are guesses, tried only
// as a whole.
#pragma once

#include "games/great_kingdom/great_kingdom.hpp"
#include "games/great_kingdom/playout.hpp"
#include "games/great_kingdom/reader.hpp"
#include "search/heuristics.hpp"

namespace tengen {

template <int MaxSize>
struct Heuristics<GreatKingdom<MaxSize>> : PlainHeuristics<GreatKingdom<MaxSize>> {
  using S = GreatKingdom<MaxSize>;
  using Groups = GreatKingdomGroups<MaxSize>;
  using Reader = CaptureReader<MaxSize>;
  using Board = typename S::Board;
  static constexpr bool kAmaf = true;
  static constexpr bool kOwner = true;
  // The reader's: threats tried and castles of the attacker. Without it 14 of 100 games were won.
  static constexpr int kReads = 200;
  static constexpr int kDepth = 8;

  static SearchSettings settings() {
    SearchSettings s;
    s.exploration = 0.2f;
    s.amaf_visits = 200;
    s.first_play_loss = 0.1f;
    s.expand_visits = 2;
    return s;
  }

  // Leaves out what loses at once: whatever does not answer a threat to capture, suicide, and a castle
  // that can be captured right away. A pass always stays, as the second one ends the game.
  bool candidates(const S& state, ActionList& actions) const {
    const Groups groups(state);
    const int mover = state.to_move();
    actions.clear();
    if (const Board captures = groups.captures(mover); captures.any()) {
      actions.push_back(state.cell_of(captures.first()));
      return true;
    }
    const Board danger = groups.captures(1 - mover);
    const Board open = danger.any() ? Reader::answers(groups, mover, danger.first()) : groups.empty();
    open.for_each([&](int bit) {
      const int liberties = groups.liberties_after(bit, mover).count();
      if (liberties == 0 || !groups.is_legal(bit, mover)) return;
      if (liberties == 1 || danger.any()) {
        Groups next = groups;
        next.place(bit, mover);
        if (next.captures(1 - mover).any()) return;
      }
      actions.push_back(state.cell_of(bit));
    });
    actions.push_back(state.pass());
    return true;
  }

  void priors(const S& state, const ActionList& actions, std::span<Prior> priors) const {
    if (actions.size() < 2) return;
    const Groups groups(state);
    const int mover = state.to_move();
    const auto territory = groups.territories();
    // If the opponent would capture by force, a move has to meddle with that or to threaten something.
    Reader reader(kReads);
    const bool urgent = reader.attack(groups, 1 - mover, kDepth) >= 0;
    const Board relevant =
        reader.seen() | groups.captures(1 - mover) | groups.liberties_of_weak(1 - mover, 2);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (actions[i] == state.pass()) {
        priors[i] = {10, urgent ? 0.0f : 0.3f};
        continue;
      }
      const int bit = state.bit_of(actions[i]);
      if (urgent && !relevant.test(bit)) {
        priors[i] = {20, 0.05f};
        continue;
      }
      float win = territory[mover].test(bit) ? 0.3f : territory[1 - mover].test(bit) ? 0.35f : 0.5f;
      if (groups.liberties_after(bit, mover).count() == 2) win -= 0.15f;
      priors[i] = {10, win};
    }
  }

  Certain certain(const S& state) const {
    const Groups groups(state);
    const int mover = state.to_move();
    const auto wins = [&](int seat, Action action) {
      return Certain{static_cast<std::int8_t>(seat), action};
    };
    if (state.passes() == 1) {
      const auto points = state.score();
      const int ahead = points[0] >= points[1] + state.rules().lead ? 0 : 1;
      if (ahead == mover) return wins(mover, state.pass());
    }
    if (const int bit = Reader(kReads).attack(groups, mover, kDepth); bit >= 0)
      return wins(mover, state.cell_of(bit));
    // Here a second pass, which ends the game before the threat is carried out, loses on territory.
    if (Reader(kReads).is_lost(groups, mover, kDepth)) return wins(1 - mover, -1);
    return {};
  }
  Action pass(const S& state) const { return state.pass(); }
  std::vector<std::int8_t> final_owner(const S& state) const {
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(state.cell_count()));
    std::vector<std::uint8_t> territory(cells.size());
    state.cells(cells);
    state.territory(territory);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] == 0) cells[i] = territory[i];
    return signs_of(cells);
  }

  Value playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace) {
    if (!settings.light_playouts) return GreatKingdomPlayout<MaxSize>(state, rng, trace).run();
    std::fill(trace.owner.begin(), trace.owner.end(), std::int8_t{0});
    return {state.playout(rng).winner == 0 ? 1.0f : 0.0f, 0};
  }
};

}  // namespace tengen
