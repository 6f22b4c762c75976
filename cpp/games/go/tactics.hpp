// Go fighting on a board without history: what a move does to the liberties around it. Playouts ask this of
// a few points a move, so nothing here copies a board except the ladder reader at the end.
#pragma once

#include <array>
#include <memory>

#include "games/go/go.hpp"

namespace tengen {

template <int Max>
struct GoTactics {
  using Board = GoBoard<Max>;
  using Point = typename Board::Point;
  using Colour = typename Board::Colour;

  // A few points without order or repetition.
  struct Points {
    std::array<Point, 8> items{};
    int count = 0;

    bool has(Point p) const {
      for (int i = 0; i < count; ++i)
        if (items[static_cast<std::size_t>(i)] == p) return true;
      return false;
    }
    void add(Point p) {
      if (count < static_cast<int>(items.size()) && !has(p)) items[static_cast<std::size_t>(count++)] = p;
    }
    Point operator[](int i) const { return items[static_cast<std::size_t>(i)]; }
  };

  // The liberties of the chain at a stone, no more than `limit` of them.
  static void add_liberties(const Board& board, int stone, Point without, int limit, Points& liberties) {
    int at = stone;
    do {
      Board::beside(at, [&](std::size_t q) {
        if (board.at(static_cast<int>(q)) == Board::kEmpty && q != without && liberties.count < limit)
          liberties.add(static_cast<Point>(q));
      });
      if (liberties.count >= limit) return;
      at = board.next(at);
    } while (at != stone);
  }
  static Points liberties_of(const Board& board, int stone, int limit) {
    Points liberties;
    add_liberties(board, stone, Board::kNone, limit, liberties);
    return liberties;
  }
  // How often a chain can count one liberty at most.
  static int most_repeated(const Board& board, int stone) {
    const int stones = board.stones(stone);
    return stones <= 2 ? 1 : stones == 3 ? 2 : 4;
  }
  // The chain has exactly two liberties.
  static bool has_two(const Board& board, int stone, Points& liberties) {
    if (board.pseudo_liberties(stone) > 2 * most_repeated(board, stone)) return false;
    liberties = liberties_of(board, stone, 3);
    return liberties.count == 2;
  }

  // A stone there takes something.
  static bool captures(const Board& board, Point p, Colour c) {
    bool any = false;
    Board::beside(p, [&](std::size_t q) {
      any |= board.at(static_cast<int>(q)) == Board::other(c) && board.in_atari(static_cast<int>(q));
    });
    return any;
  }
  // How many liberties the chain of a stone there would have, counted up to `limit`. Of what it captures
  // only the points beside it count.
  static int liberties_after(const Board& board, Point p, Colour c, int limit) {
    if (board.empty_beside(p) >= limit) return limit;
    bool enough = false;
    Board::beside(p, [&](std::size_t q) {
      const auto stone = static_cast<int>(q);
      enough |= board.at(stone) == c && board.pseudo_liberties(stone) > limit * most_repeated(board, stone);
    });
    if (enough) return limit;
    Points liberties;
    Board::beside(p, [&](std::size_t q) {
      const auto stone = static_cast<int>(q);
      const Colour there = board.at(stone);
      if (there == Board::kEmpty || (there == Board::other(c) && board.in_atari(stone)))
        liberties.add(static_cast<Point>(q));
      else if (there == c && liberties.count < limit)
        add_liberties(board, stone, p, limit, liberties);
    });
    return liberties.count < limit ? liberties.count : limit;
  }
  // How many stones its chain would have.
  static int stones_after(const Board& board, Point p, Colour c) {
    Points heads;
    int stones = 1;
    Board::beside(p, [&](std::size_t q) {
      const auto stone = static_cast<int>(q);
      if (board.at(stone) != c || heads.has(board.head(stone))) return;
      heads.add(board.head(stone));
      stones += board.stones(stone);
    });
    return stones;
  }
  // The move leaves its own chain with one liberty and takes nothing.
  static bool is_self_atari(const Board& board, Point p, Colour c) {
    return board.empty_beside(p) < 2 && !captures(board, p, c) && liberties_after(board, p, c, 2) < 2;
  }
  // Whether the chain of a stone there is of a shape that, once taken, leaves its taker one eye only, and has
  // no eye of its own to lose: what may fill an eye from within. Elsewhere such a move breaks a seki.
  static bool is_worth_giving(const Board& board, Point p, Colour c) {
    Points stones;
    stones.add(p);
    bool has_eye = false;
    for (int i = 0; i < stones.count; ++i) {
      Board::beside(stones[i], [&](std::size_t q) {
        const auto at = static_cast<int>(q);
        if (board.at(at) == c) stones.add(static_cast<Point>(q));
        if (board.at(at) == Board::kEmpty && q != p) has_eye |= board.is_eye(static_cast<Point>(q), c);
      });
    }
    if (has_eye) return false;
    if (stones.count <= 3) return true;
    int joints = 0;  // each counted from both its stones
    int most = 0;
    for (int i = 0; i < stones.count; ++i) {
      int own = 0;
      Board::beside(stones[i], [&](std::size_t q) { own += stones.has(static_cast<Point>(q)); });
      joints += own;
      most = own > most ? own : most;
    }
    if (stones.count == 4) return most == 3 || joints == 8;  // the T and the square
    return most == 4 || joints == 10;                        // the cross and the bulky five
  }
  // Such a move is still sound as a throw-in or inside an eye: when the chain given away is small, of the
  // right shape, and takes the last but one liberty of an enemy chain.
  static bool is_bad_self_atari(const Board& board, Point p, Colour c) {
    if (!is_self_atari(board, p, c)) return false;
    if (stones_after(board, p, c) > kMaxSacrifice || !is_worth_giving(board, p, c)) return true;
    bool threat = false;
    Board::beside(p, [&](std::size_t q) {
      const auto stone = static_cast<int>(q);
      Points liberties;
      if (board.at(stone) == Board::other(c)) threat |= has_two(board, stone, liberties);
    });
    return !threat;
  }

  // Whether the chain at a stone, in atari and to move, cannot be saved: it runs along its last liberty, or
  // takes an enemy chain beside it, and is put in atari again until one side gives up. Plays on copies, which
  // are not on the stack: kos may make a reading as deep as it may be long, and a board of 19x19 has 11 kB.
  static bool is_caught(const Board& board, int stone, int most = kLadderMoves) {
    int budget = most;
    return is_caught_within(board, stone, budget);
  }
  // A move that catches the chain at a stone with two liberties in a ladder, the enemy to move; or kNone.
  static Point catching_move(const Board& board, int stone) {
    int budget = kLadderMoves;
    return catching_move_within(board, stone, budget);
  }
  // All such moves, each looked at for itself.
  static Points catching_moves(const Board& board, int stone, int most) {
    Points liberties;
    Points found;
    if (!has_two(board, stone, liberties)) return found;
    for (int i = 0; i < 2; ++i) {
      int budget = most;
      if (catches(board, stone, liberties, i, budget)) found.add(liberties[i]);
    }
    return found;
  }

 private:
  static constexpr int kMaxSacrifice = 5;   // the largest chain that can fill an eye so that one eye is left
  static constexpr int kLadderMoves = 150;  // tried before a chain counts as safe; a ladder across 19x19
                                            // takes about 70

  static bool is_caught_within(const Board& board, int stone, int& budget) {
    const Colour c = board.at(stone);
    Points takes;
    int at = stone;
    do {
      Board::beside(at, [&](std::size_t q) {
        const auto enemy = static_cast<int>(q);
        if (board.at(enemy) == Board::other(c) && board.in_atari(enemy)) takes.add(board.last_liberty(enemy));
      });
      at = board.next(at);
    } while (at != stone);
    for (int i = 0; i < takes.count; ++i)
      if (!fails_to_run(board, stone, takes[i], budget)) return false;
    const Point out = board.last_liberty(stone);
    return takes.has(out) || fails_to_run(board, stone, out, budget);
  }
  static Point catching_move_within(const Board& board, int stone, int& budget) {
    Points liberties;
    if (!has_two(board, stone, liberties)) return Board::kNone;
    for (int i = 0; i < 2 && budget > 0; ++i)
      if (catches(board, stone, liberties, i, budget)) return liberties[i];
    return Board::kNone;
  }
  // Whether the enemy's stone on one of its two liberties catches the chain.
  static bool catches(const Board& board, int stone, const Points& liberties, int which, int& budget) {
    const Point p = liberties[which];
    const Colour enemy = Board::other(board.at(stone));
    if (p == board.ko() || board.is_suicide(p, enemy)) return false;
    if (board.empty_beside(liberties[1 - which]) >= 3) return false;  // it would run into the open
    const auto next = std::make_unique<Board>(board);
    next->place(p, enemy);
    --budget;
    return is_caught_within(*next, stone, budget);
  }
  static bool fails_to_run(const Board& board, int stone, Point p, int& budget) {
    const Colour c = board.at(stone);
    if (p == board.ko() || board.is_suicide(p, c)) return true;
    if (budget <= 0) return false;
    const auto next = std::make_unique<Board>(board);
    next->place(p, c);
    --budget;
    return next->in_atari(stone) || catching_move_within(*next, stone, budget) != Board::kNone;
  }
};

}  // namespace tengen
