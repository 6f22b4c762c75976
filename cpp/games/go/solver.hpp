// Go for the exact solver: "the attacker's area is at least `need` larger than the defender's" (GO 13, simple
// ko).
//
// The board is two words, black and white. What is fixed here beyond the rules:
//
// Ko. After a capture that makes a ko, the rules ban one point for one turn. Two such captures could lead to
// the same board with different bans, so a board could come up three times and end the game (GO 10) although
// no position came twice. To keep a board from having more than two versions, banned or not, the ban is a
// function of the board: all points where a ko stone of the capturing side could be taken back. With one such
// point that is the rule itself. With more, the doubt goes against the side named by `Doubt`: it is banned
// from all of them, and its opponent from none. Hence a proof with the doubt against the attacker, and a
// refutation with the doubt against the defender, hold under the rules, and in a proven line no board comes
// up a third time.
//
// Safe points (after Benson, 1976). A chain with two eyes, regions of which every point touches the chain,
// cannot be captured even if its owner always passes; what the opponent puts into such a region can be
// captured by filling it, and what is left is again such a region. A further region that borders on safe
// chains only and has at most one point that touches none of them has no room for two enemy eyes: its owner
// can fill it up point by point. So the owner ends with all these points, and its stones there only grow in
// number, so nothing repeats.
#pragma once

#include "search/solver_deepening.hpp"

namespace tengen::solver {

class GoGoal {
 public:
  enum Doubt : std::uint8_t { kAgainstAttacker, kAgainstDefender };

  struct Setting {
    int side = 0;
    std::array<Board, 2> stones{};
    int to_move = 0;
    int passes = 0;
    bool ko = false;  // the last move made a ko
  };

  GoGoal(const Setting& setting, int attacker, int need, Doubt doubt)
      : stones_(setting.stones),
        board_(full_board(setting.side)),
        side_(setting.side),
        mover_(setting.to_move),
        passes_(setting.passes),
        attacker_(attacker),
        need_(need),
        doubt_(doubt) {
    if (setting.ko) ban(1 - mover_);
  }

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
      // Captures and central contact first, self-ataris late; weights set by hand.
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
    if (std::popcount(captured) == 1 && ko_point(placed, mover_) != 0) ban(mover_);
  }

  // Bans the points where the ko stones of that side could be taken.
  void ban(int capturer) {
    Board points = 0;
    for (Board rest = stones_[seat(capturer)]; rest != 0; rest &= rest - 1)
      points |= ko_point(rest & (~rest + 1), capturer);
    const bool doubt_against_capturer = (doubt_ == kAgainstAttacker) == (capturer == attacker_);
    if (std::popcount(points) == 1 || !doubt_against_capturer) banned_ = points;
  }

  // The only liberty of a lone stone, else nothing.
  Board ko_point(Board stone, int owner) const {
    const Board liberties = spread(stone) & empty();
    return (spread(stone) & stones_[seat(owner)]) == 0 && std::popcount(liberties) == 1 ? liberties : 0;
  }

  Key marked(Key key) const {
    key.a |= static_cast<Board>(mover_ | passes_ << 1 | attacker_ << 3 | (banned_ != 0) << 4 | doubt_ << 5)
             << kFreeByte;
    key.b |= static_cast<Board>(need_ + 2 * kMaxSide * kMaxSide) << kFreeByte;
    return key;
  }

  std::array<Board, 2> stones_;
  Board board_;
  Board banned_ = 0;
  int side_;
  int mover_;
  int passes_;
  int attacker_;
  int need_;
  Doubt doubt_;
};

static_assert(Position<GoGoal>);

// One position of Go: which leads in area each seat can force, and how.
class GoSolver {
 public:
  GoSolver(const GoGoal::Setting& setting, std::size_t bytes)
      : setting_(setting), search_(bytes, monitor_, setting.side) {}

  Verdict attempt(int seat, int need) {
    return search_.attempt(goal(seat, need, GoGoal::kAgainstAttacker),
                           goal(seat, need, GoGoal::kAgainstDefender));
  }

  // Play of a seat that forces that lead and no more, until what is left needs no search.
  std::vector<int> line(int seat, int lead) {
    constexpr std::size_t kLongest = 100;
    constexpr int kReplyDepth = 12;  // how far a reply is tested to hold the attacker to the lead
    GoGoal reached = goal(seat, lead, GoGoal::kAgainstAttacker);
    GoGoal exceeded = goal(seat, lead + 1, GoGoal::kAgainstAttacker);
    std::vector<int> actions;
    while (reached.verdict() == kOpen && actions.size() < kLongest) {
      int action = -1;
      if (reached.attacker_to_move()) {
        action = search_.attack(reached);
      } else if (exceeded.verdict() == kOpen) {
        action = search_.defence(exceeded, kReplyDepth);
      }
      if (action < 0) action = longest_resistance(reached);
      actions.push_back(action);
      reached.play(action);
      exceeded.play(action);
    }
    return actions;
  }

  Monitor& monitor() { return monitor_; }

 private:
  GoGoal goal(int seat, int need, GoGoal::Doubt doubt) const { return {setting_, seat, need, doubt}; }

  int longest_resistance(const GoGoal& position) const {
    MoveList moves;
    position.moves(moves);
    return std::max_element(moves.begin(), moves.end(),
                            [&](const Move& x, const Move& y) {
                              return spent_after(position, x) < spent_after(position, y);
                            })
        ->action;
  }
  std::uint32_t spent_after(GoGoal position, const Move& move) const {
    position.play(move.action);
    return search_.spent(position);
  }

  GoGoal::Setting setting_;
  Monitor monitor_;
  Deepening<GoGoal> search_;
};

}  // namespace tengen::solver
