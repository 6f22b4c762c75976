// Go for the exact solver: "the attacker's area is at least `need` larger than the defender's" (GO 17, simple ko).
//
// The board is two words, black and white. What is fixed here beyond the rules:
//
// Ko. After a capture that makes a ko, the rules ban one point for one turn. Two such captures could lead to the
// same board with different bans, so a board could come up three times and end the game (GO 10) although no
// position came twice. To keep a board from having more than two versions, banned or not, the ban is a function
// of the board: all points where a ko stone of the capturing side could be taken back. With one such point that
// is the rule itself. With more, the doubt goes against the side named by `Doubt`: it is banned from all of them,
// and its opponent from none. Hence a proof with the doubt against the attacker, and a refutation with the doubt
// against the defender, hold under the rules, and in a proven line no board comes up a third time.
//
// Safe points (after Benson, 1976). A chain with two eyes, regions of which every point touches the chain, cannot
// be captured even if its owner always passes; what the opponent puts into such a region can be captured by
// filling it, and what is left is again such a region. A further region that borders on safe chains only and has
// at most one point that touches none of them has no room for two enemy eyes: its owner can fill it up point by
// point. So the owner ends with all these points, and its stones there only grow in number, so nothing repeats.
#pragma once

#include "search/solver.hpp"

namespace tengen::solver {

class GoGoal {
 public:
  enum Doubt : std::uint8_t { kAgainstAttacker, kAgainstDefender };

  struct Setting {
    int side = 0;
    std::array<Board, 2> stones{};
    int to_move = 0;
    int passes = 0;
    Board banned = 0;
  };

  GoGoal(const Setting& setting, int attacker, int need, Doubt doubt)
      : stones_(setting.stones),
        board_(full_board(setting.side)),
        banned_(setting.banned),
        side_(setting.side),
        mover_(setting.to_move),
        passes_(setting.passes),
        attacker_(attacker),
        need_(need),
        doubt_(doubt) {}

  int side() const { return side_; }
  int mover() const { return mover_; }
  bool attacker_to_move() const { return mover_ == attacker_; }
  int pass() const { return side_ * side_; }

  Verdict verdict() const {
    if (passes_ > 0) {
      const bool reached = area_lead() >= need_;
      const Verdict verdict = reached ? kProven : kRefuted;
      if (passes_ == 2 || reached == attacker_to_move()) return verdict;  // the mover only has to pass
    }
    if (2 * safe_points(attacker_) - pass() >= need_) return kProven;
    if (pass() - 2 * safe_points(1 - attacker_) < need_) return kRefuted;
    return kOpen;
  }

  void moves(MoveList& out) const {
    out.count = 0;
    const Board own = stones_[seat(mover_)];
    const Board enemy = stones_[seat(1 - mover_)];
    const Board free = empty();
    for (Board rest = free & ~banned_; rest != 0; rest &= rest - 1) {
      const Board placed = rest & (~rest + 1);
      const Board captured = captures(placed);
      const Board group = flood(placed, own | placed);
      const int liberties = std::popcount(spread(group) & ((free & ~placed) | captured));
      if (liberties == 0) continue;
      const int row = std::countr_zero(placed) / 8;
      const int column = std::countr_zero(placed) % 8;
      const int line = std::min({row, side_ - 1 - row, column, side_ - 1 - column});
      // Captures and central contact first, self-ataris late; the weights were tried on 4x4 and 5x5.
      int order = 2 * line + std::min(liberties, 4);
      if (captured != 0) order += 8;
      if (spread(placed) & enemy) order += 2;
      if (liberties == 1 && captured == 0) order -= 6;
      out.add(row * side_ + column, order);
    }
    out.add(pass(), -8);
  }

  void play(int action) {
    banned_ = 0;
    if (action == pass()) {
      ++passes_;
    } else {
      passes_ = 0;
      place(Board{1} << (8 * (action / side_) + action % side_));
    }
    mover_ = 1 - mover_;
  }

  Key plain_key() const { return marked({stones_[0], stones_[1]}); }
  std::pair<Key, int> key() const {
    const auto [key, symmetry] = canonical(stones_[0], stones_[1], side_);
    return {marked(key), symmetry};
  }

  // The attacker's area less the defender's, as the board stands.
  int area_lead() const {
    const Board own = stones_[seat(attacker_)];
    const Board enemy = stones_[seat(1 - attacker_)];
    int lead = std::popcount(own) - std::popcount(enemy);
    for (Board rest = empty(); rest != 0;) {
      const Board region = flood(rest & (~rest + 1), empty());
      rest &= ~region;
      const bool touches_own = (spread(region) & own) != 0;
      const bool touches_enemy = (spread(region) & enemy) != 0;
      if (touches_own != touches_enemy) lead += touches_own ? std::popcount(region) : -std::popcount(region);
    }
    return lead;
  }

  // The points that the owner keeps, and gets, by the argument at the top.
  int safe_points(int owner) const {
    struct Part {
      Board points, near;
    };
    std::array<Part, kMaxSide * kMaxSide> chains, regions;
    const Board own = stones_[seat(owner)];
    const auto region_count = parts(board_ & ~own, regions);
    if (region_count < 2) return 0;
    const auto chain_count = parts(own, chains);
    Board safe = own;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t c = 0; c < chain_count; ++c) {
        if ((chains[c].points & safe) == 0) continue;
        int eyes = 0;
        for (std::size_t r = 0; r < region_count; ++r)
          eyes += (regions[r].points & ~chains[c].near) == 0 && (regions[r].near & own & ~safe) == 0;
        if (eyes >= 2) continue;
        safe &= ~chains[c].points;
        changed = true;
      }
    }
    if (safe == 0) return 0;
    int points = std::popcount(safe);
    for (std::size_t r = 0; r < region_count; ++r)
      if ((regions[r].near & own & ~safe) == 0 && std::popcount(regions[r].points & ~spread(safe)) <= 1)
        points += std::popcount(regions[r].points);
    return points;
  }

 private:
  static std::size_t seat(int number) { return static_cast<std::size_t>(number); }
  Board empty() const { return board_ & ~stones_[0] & ~stones_[1]; }

  // Splits a set into its connected parts and notes what is next to each.
  template <class Parts>
  static std::size_t parts(Board area, Parts& out) {
    std::size_t count = 0;
    for (Board rest = area; rest != 0;) {
      const Board part = flood(rest & (~rest + 1), area);
      rest &= ~part;
      out[count++] = {part, spread(part)};
    }
    return count;
  }

  Board captures(Board placed) const {
    const Board enemy = stones_[seat(1 - mover_)];
    const Board free = empty() & ~placed;
    Board captured = 0;
    for (Board near = spread(placed) & enemy; near != 0;) {
      const Board group = flood(near & (~near + 1), enemy);
      near &= ~group;
      if ((spread(group) & free) == 0) captured |= group;
    }
    return captured;
  }

  void place(Board placed) {
    const Board captured = captures(placed);
    stones_[seat(mover_)] |= placed;
    stones_[seat(1 - mover_)] &= ~captured;
    if (std::popcount(captured) != 1 || ko_point(placed) == 0) return;
    Board points = 0;
    for (Board rest = stones_[seat(mover_)]; rest != 0; rest &= rest - 1) points |= ko_point(rest & (~rest + 1));
    const bool doubt_against_mover = (doubt_ == kAgainstAttacker) == attacker_to_move();
    if (std::popcount(points) == 1 || !doubt_against_mover) banned_ = points;
  }

  // The only liberty of a lone stone of the mover, else nothing.
  Board ko_point(Board stone) const {
    const Board liberties = spread(stone) & empty();
    return (spread(stone) & stones_[seat(mover_)]) == 0 && std::popcount(liberties) == 1 ? liberties : 0;
  }

  Key marked(Key key) const {
    key.a |= static_cast<Board>(mover_ | passes_ << 1 | attacker_ << 3 | (banned_ != 0) << 4 | doubt_ << 5) << kFreeByte;
    key.b |= static_cast<Board>(need_ + 2 * kMaxSide * kMaxSide) << kFreeByte;
    return key;
  }

  std::array<Board, 2> stones_;
  Board board_;
  Board banned_;
  int side_;
  int mover_;
  int passes_;
  int attacker_;
  int need_;
  Doubt doubt_;
};

static_assert(Position<GoGoal>);

}  // namespace tengen::solver
