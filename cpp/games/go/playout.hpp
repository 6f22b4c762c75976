// Plays a Go board to the end with local answers to the last move: how a position is played out.
//
// A move is sought in steps, each taken with its own probability, and the first that finds any candidates
// picks one of them at random: kill a space that was just enclosed, capture or save from capture around the
// last move, attack and defend chains with two liberties there, play a good shape beside it, capture anything
// else, else any move that is not plainly bad. Start reading at GoPlayout::choose().
#pragma once

#include "games/go/patterns.hpp"
#include "games/go/tactics.hpp"

namespace tengen {

template <int Max>
class GoPlayout {
 public:
  using Board = GoBoard<Max>;
  using Point = typename Board::Point;
  using Colour = typename Board::Colour;
  using FirstAt = std::array<Colour, Board::kPoints>;

  // Changes the board, and notes by point who played there first.
  GoPlayout(Board& board, Rng& rng, FirstAt& first_at) : board_(board), rng_(rng), first_at_(first_at) {}

  // Both sides move until neither wants to, in answer to a move on `last` or kNone.
  void run(Colour first, Point last);

 private:
  using Tactics = GoTactics<Max>;
  using Points = typename Tactics::Points;

  // How often a step is taken, in 256ths. The steps but the first were found to pay by matches on 9x9.
  static constexpr int kNakade = 256;
  static constexpr int kAtari = 230;
  static constexpr int kTwo = 230;
  static constexpr int kShape = 256;
  static constexpr int kCapture = 230;
  static constexpr int kAvoidSelfAtari = 230;

  Point choose(Colour c);
  void seek_nakade(Colour c);
  void seek_atari(Colour c);
  void seek_two(Colour c);
  void attack_two(Colour c, int stone);
  void defend_two(Colour c, int stone);
  void seek_shape(Colour c);
  void seek_capture(Colour c);
  Point any(Colour c);
  // The point that decides between one eye and two in the small space around `start`, if that colour alone
  // encloses it; else kNone.
  Point vital_point(Point start, Colour owner) const;

  void place(Point p, Colour c);
  void note_atari(Point stone);
  bool roll(int chance) { return static_cast<int>(rng_.below(256)) < chance; }
  bool is_playable(Point p, Colour c) const { return p != board_.ko() && !board_.is_suicide(p, c); }
  void add(Point p) {
    if (count_ < found_.size()) found_[count_++] = p;
  }
  Point pick() { return found_[rng_.below(static_cast<std::uint32_t>(count_))]; }

  Board& board_;
  Rng& rng_;
  FirstAt& first_at_;
  const GoShapes& shapes_ = go_shapes();
  Point last_ = Board::kNone;    // where the opponent has just moved
  std::array<Point, 32> found_;  // candidates of the step at hand
  std::size_t count_ = 0;
  std::array<Point, 64> ataris_;  // stones whose chains came into atari; they may be out of it again
  std::size_t atari_count_ = 0;
};

}  // namespace tengen
