// Plays a Go board to the end with local answers to the last moves: the playout policy.
//
// A move is sought in steps, each taken with its own probability, and the first that finds any candidates
// picks one of them at random: kill a space that was just enclosed, capture or save from capture around the last
// move, play a good shape beside it, capture anything else, else any move that is not plainly bad.
// Start reading at GoPlayout::choose().
#pragma once

#include "search/go_patterns.hpp"
#include "search/go_tactics.hpp"

namespace tengen {

// In 256ths.
struct GoPlayoutChances {
  int nakade = 256;
  int atari = 230;
  int two = 230;
  int shape = 256;
  int capture = 230;
  int avoid_self_atari = 230;
  int before = 0;
};

template <int Max>
class GoPlayout {
 public:
  using Board = GoBoard<Max>;
  using Tactics = GoTactics<Max>;
  using Point = typename Board::Point;
  using Colour = typename Board::Colour;
  using FirstAt = std::array<Colour, Board::kPoints>;

  GoPlayout(Board& board, Rng& rng, const GoPlayoutChances& chances)
      : board_(board), rng_(rng), chances_(chances) {}

  // Both sides move until neither wants to. Notes who played first on a point, returns the number of moves.
  int run(Colour first, Point last, Point before, FirstAt& first_at);

 private:
  using Points = typename Tactics::Points;

  Point choose(Colour c);
  void seek_nakade(Colour c);
  void seek_atari(Colour c);
  void seek_two(Colour c);
  void seek_shape(Colour c, Point around);
  void seek_capture(Colour c);
  Point any(Colour c);
  Point vital_point(Point start, Colour owner) const;
  void note_atari(Point stone);
  bool roll(int chance) { return chance > 0 && static_cast<int>(rng_.below(256)) < chance; }
  bool is_playable(Point p, Colour c) const { return p != board_.ko() && !board_.is_suicide(p, c); }
  void add(Point p) {
    if (count_ < static_cast<int>(found_.size())) found_[static_cast<std::size_t>(count_++)] = p;
  }
  Point pick() {
    return found_[rng_.below(static_cast<std::uint32_t>(count_))];
  }

  Board& board_;
  Rng& rng_;
  const GoPlayoutChances& chances_;
  const GoShapes& shapes_ = go_shapes();
  Point last_ = Board::kNone;    // the opponent's move just made
  Point before_ = Board::kNone;  // and the one before it
  std::array<Point, 32> found_;  // candidates of the step at hand
  int count_ = 0;
  std::array<Point, 64> ataris_;  // stones whose chains came into atari, possibly no longer
  int atari_count_ = 0;
  int nakade_below_ = 0;
};

}  // namespace tengen
