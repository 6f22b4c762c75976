// Go for Monte Carlo search: which moves deserve a look, what they are worth at first sight, and how a
// position is played out. The playouts' moves are chosen in go_playout, their tactics in go_tactics.
// Start reading at Policy<Go<Max>>::playout.
#pragma once

#include <cmath>
#include <cstdlib>

#include "search/go_playout.hpp"
#include "search/policy.hpp"

namespace tengen {

struct GoTuning {
  GoPlayoutChances chances;
  float even = 10, capture_one = 15, capture_many = 30, escape = 20, self_atari = 20, shape = 10, near1 = 16, near2 = 12, near3 = 6,
        edge = 10, pass = 10, close = 50, caught = 20, ladder = 10, score_weight = 0.02f;
};
inline GoTuning go_tuning;

template <int Max>
struct Policy<Go<Max>> {
  using S = Go<Max>;
  using Board = typename S::Board;
  using Tactics = GoTactics<Max>;
  using Point = typename Board::Point;
  using Colour = typename Board::Colour;
  static constexpr bool kAmaf = true;
  static constexpr bool kOwner = true;

  static SearchSettings settings() {
    SearchSettings s;
    s.exploration = 0.0f;
    s.amaf_visits = 3000;
    s.first_play_loss = 0.0f;
    s.expand_visits = 4;
    return s;
  }

  bool candidates(const S& state, ActionList& actions) const;
  void priors(const S& state, const ActionList& actions, std::span<Prior> priors) const;
  // Under area scoring a pass after a pass ends the game, so a lead is a win.
  Certain certain(const S& state) const {
    if (!state.rules().area || state.passes() != 1 || !leads(state)) return {};
    const auto points = state.score({}, {}).points;
    return {static_cast<std::int8_t>(state.to_move()), state.pass_action(), static_cast<float>(points[0] - points[1])};
  }
  // Under territory scoring two passes only stop play: who owns what is for the playouts to say.
  bool is_final(const S& state) const { return state.rules().area || state.outcome().reason[0] == 'r'; }

  Value playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace);

 private:
  static Colour mover(const S& state) { return state.to_move() == 0 ? Board::kBlack : Board::kWhite; }
  static bool is_closed(const Board& board);
  static bool leads(const S& state);
  static int stones_placed(const S& state);
  static int owner(const Board& board, Trace& trace);
};

}  // namespace tengen
