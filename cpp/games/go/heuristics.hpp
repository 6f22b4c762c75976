// Go for Monte Carlo search: which moves deserve a look (here), what they are worth at first sight
// (priors), and how a position is played out (playout, with tactics and patterns).
// Start reading at Heuristics<Go<Max>>::playout.
#pragma once

#include "games/go/priors.hpp"
#include "search/heuristics.hpp"

namespace tengen {

template <int Max>
struct Heuristics<Go<Max>> : PlainHeuristics<Go<Max>> {
  using S = Go<Max>;
  using Board = typename S::Board;
  static constexpr bool kAmaf = true;
  static constexpr bool kOwner = true;
  // Small boards are decided by fights, which a playout reads better than a small net; large ones are not,
  // and playouts take long there.
  static bool is_small(const S& state) { return state.rules().size <= kFightingSide; }
  static constexpr int kFightingSide = 11;
  static float playout_share(const S& state) { return is_small(state) ? 0.25f : 0.0f; }
  // Of problems on 9x9 a tree solves more by points, where the chance to win tells little; in a plan they
  // outweigh the policy (docs/results/net-search.json).
  static float lead_share(const S& state, bool planned) { return is_small(state) && !planned ? 0.6f : 0.1f; }

  // Found by matches on 9x9. AMAF and priors do the exploring.
  static SearchSettings settings() {
    SearchSettings s;
    s.exploration = 0.0f;
    s.amaf_visits = 3000;
    s.first_play_loss = 0.0f;
    s.lead_share = 0.6f;
    s.expand_visits = 4;
    return s;
  }

  // All legal moves except filling one's own eyes and suicide.
  bool candidates(const S& state, ActionList& actions) const;
  void priors(const S& state, const ActionList& actions, std::span<Prior> priors) const {
    const GoPriors<Max> judge(state);
    for (std::size_t i = 0; i < actions.size(); ++i) priors[i] = judge.of(actions[i]);
  }
  // Where a pass after a pass ends the game, a lead is a win.
  Certain certain(const S& state) const {
    if (state.rules().ends_in_agreement() || state.passes() != 1 || !go_mover_leads(state)) return {};
    const auto points = state.score({}, {}).points;
    return {static_cast<std::int8_t>(state.to_move()), state.pass_action(),
            static_cast<float>(points[0] - points[1])};
  }
  // To pass when that wins or nothing is left to gain; where what is dead is agreed on also to leave alone
  // what is sure. Where it has to be taken, play inside costs nothing, and only an opponent who has passed is
  // answered.
  Advice advise(const S& state, std::uint64_t seed) const;
  // Where two passes only stop play, who owns what is for the playouts to say.
  bool is_final(const S& state) const {
    return !state.rules().ends_in_agreement() || state.ending() == S::Ending::Repetition;
  }

  Action pass(const S& state) const { return state.pass_action(); }
  std::vector<std::int8_t> final_owner(const S& state) const { return signs_of(state.score({}, {}).owner); }

  Value playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace);

  // Fills in who owns each cell at a playout's end, and returns the difference of the areas.
  static int settle_owners(const Board& board, Trace& trace);

 private:
  // A move that takes a liberty of the opponent's dead stones and leaves the count as it is; -1 without one.
  static Action taking_move(const S& state, const std::vector<int>& dead, float lead, std::uint64_t seed);

  using Point = typename Board::Point;
  using Colour = typename Board::Colour;

  static Colour mover(const S& state) { return state.to_move() == 0 ? Board::kBlack : Board::kWhite; }
};

}  // namespace tengen
