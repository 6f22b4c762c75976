// What Go moves look like before any search: GoPriors looks at a state once and then judges its moves.
//
// Good and bad signs are visits won or lost on top of an even start; how many each is worth was found by
// matches. Start reading at GoPriors::of().
#pragma once

#include "games/go/patterns.hpp"
#include "games/go/tactics.hpp"
#include "search/heuristics.hpp"

namespace tengen {

template <int Max>
class GoPriors {
 public:
  using S = Go<Max>;

  explicit GoPriors(const S& state);

  Prior of(Action action) const;

 private:
  using Board = typename S::Board;
  using Tactics = GoTactics<Max>;
  using Point = typename Board::Point;
  using Colour = typename Board::Colour;

  // A sum of signs.
  struct Signs {
    float visits = 10;
    float wins = 5;
    void good(float weight) {
      visits += weight;
      wins += weight;
    }
    void bad(float weight) { visits += weight; }
    Prior prior() const { return {visits, wins / visits}; }
  };
  // What a move on a point does to chains, counted in stones.
  struct Effect {
    std::int16_t takes = 0;     // in atari, the enemy's
    std::int16_t saves = 0;     // in atari, ours, with success
    std::int16_t fights = 0;    // with two liberties and caught in a ladder by who moves first there
    bool runs_in_vain = false;  // from an atari that cannot be escaped
    bool races = false;         // takes a liberty in a capturing race
  };

  void see_chains();
  void see_chain_in_atari(Point p);
  void see_chain_with_two(Point p);
  void see_race(Point p);
  void see_distances();
  Prior of_pass() const;
  int line(int row, int column) const;
  bool is_empty_around(int row, int column) const;

  static constexpr int kFar = 4;

  const S& state_;
  const Board& board_;
  Colour mover_;
  std::array<Effect, Board::kPoints> effects_{};
  // To the last move, the stones of a chain being one step from each other's neighbours; kFar and more alike.
  std::array<std::int8_t, Board::kPoints> distance_;
};

// The side to move has more points as the board stands.
template <int Max>
bool go_mover_leads(const Go<Max>& state) {
  const auto points = state.score({}, {}).points;
  return state.to_move() == 0 ? points[0] > points[1] : points[1] > points[0];
}

}  // namespace tengen
