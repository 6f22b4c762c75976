#pragma once

#include "search/solver.hpp"

namespace tengen::solver {

class GoGoal {
 public:
  static constexpr bool kAcyclic = false;

  GoGoal(int side, Board black, Board white, int to_move, int attacker, int need)
      : stones_{black, white}, side_(side), mover_(to_move), attacker_(attacker), need_(need) {}

  int side() const { return side_; }
  int mover() const { return mover_; }
  bool attacker_to_move() const { return mover_ == attacker_; }

  // Black's area less White's.
  int area_lead() const {
    int lead = std::popcount(stones_[0]) - std::popcount(stones_[1]);
    const Board empty = this->empty();
    for (Board rest = empty; rest != 0;) {
      const Board region = flood(rest & (~rest + 1), empty);
      rest &= ~region;
      const Board around = spread(region);
      const bool black = (around & stones_[0]) != 0;
      const bool white = (around & stones_[1]) != 0;
      if (black != white) lead += black ? std::popcount(region) : -std::popcount(region);
    }
    return lead;
  }

  // How many points that seat keeps whatever happens
  int safe_points(int seat) const {
    constexpr int kMost = kMaxSide * kMaxSide;
    const Board own = stones_[seat];
    const Board other = board() & ~own;
    if (own == 0 || other == 0) return 0;
    std::array<Board, kMost> chains, chain_near, regions, region_near;
    int chain_count = 0, region_count = 0;
    for (Board rest = other; rest != 0;) {
      const Board region = flood(rest & (~rest + 1), other);
      rest &= ~region;
      regions[region_count] = region;
      region_near[region_count++] = spread(region) & own;
    }
    if (region_count < 2) return 0;
    for (Board rest = own; rest != 0;) {
      const Board chain = flood(rest & (~rest + 1), own);
      rest &= ~chain;
      chains[chain_count] = chain;
      chain_near[chain_count++] = spread(chain);
    }
    Board alive = own;
    for (bool changed = true; changed;) {
      changed = false;
      for (int c = 0; c < chain_count; ++c) {
        if (!(chains[c] & alive)) continue;
        int eyes = 0;
        for (int r = 0; r < region_count; ++r)
          eyes += !(regions[r] & ~chain_near[c]) && !(region_near[r] & ~alive);
        if (eyes >= 2) continue;
        alive &= ~chains[c];
        changed = true;
      }
    }
    if (!alive) return 0;
    int points = std::popcount(alive);
    const Board near = spread(alive);
    for (int r = 0; r < region_count; ++r)
      if (!(region_near[r] & ~alive) && std::popcount(regions[r] & ~near) <= 1) points += std::popcount(regions[r]);
    return points;
  }

  Verdict verdict() const {
    if (passes_ > 0) {
      const int lead = attacker_ == 0 ? area_lead() : -area_lead();
      const bool reached = lead >= need_;
      if (passes_ == 2) return reached ? kProven : kRefuted;
      if (reached == attacker_to_move()) return reached ? kProven : kRefuted;
    }
    const int points = side_ * side_;
    if (2 * safe_points(attacker_) - points >= need_) return kProven;
    if (points - 2 * safe_points(1 - attacker_) < need_) return kRefuted;
    return kOpen;
  }
  bool forced() const { return false; }

  void moves(MoveList& out, bool threats_only) const {
    out.count = 0;
    if (threats_only) return;
    const Board own = stones_[mover_], enemy = stones_[1 - mover_], empty = this->empty();
    for (Board rest = empty & ~banned_; rest != 0; rest &= rest - 1) {
      const Board placed = rest & (~rest + 1);
      const Board captured = captures(placed);
      const Board group = flood(placed, own | placed);
      const int liberties = std::popcount(spread(group) & ((empty & ~placed) | captured));
      if (liberties == 0) continue;
      const int bit = std::countr_zero(placed);
      const int r = bit / 8, c = bit % 8;
      const int centre = std::min(std::min(r, side_ - 1 - r), std::min(c, side_ - 1 - c));
      int order = centre * 2 + std::min(liberties, 4) + (captured ? 8 : 0) + ((spread(placed) & enemy) ? 2 : 0);
      if (liberties == 1 && !captured) order -= 6;
      out.add(r * side_ + c, order);
    }
    out.add(side_ * side_, -8);
  }

  void play(int action) {
    banned_ = 0;
    if (action == side_ * side_) {
      ++passes_;
      mover_ = 1 - mover_;
      return;
    }
    passes_ = 0;
    const Board placed = Board{1} << (8 * (action / side_) + action % side_);
    const Board captured = captures(placed);
    stones_[mover_] |= placed;
    stones_[1 - mover_] &= ~captured;
    if (std::popcount(captured) == 1 && is_ko_stone(placed, mover_)) {
      Board points = 0;
      int count = 0;
      for (Board rest = stones_[mover_]; rest != 0; rest &= rest - 1) {
        const Board stone = rest & (~rest + 1);
        if (!is_ko_stone(stone, mover_)) continue;
        points |= spread(stone) & empty();
        ++count;
      }
      // The mover of this capture is the attacker: 
      if (mover_ != attacker_ || count == 1) banned_ = points;
    }
    mover_ = 1 - mover_;
  }

  std::pair<Key, int> key() const {
    auto [key, symmetry] = canonical(stones_[0], stones_[1], side_);
    return {marked(key), symmetry};
  }
  Key plain_key() const { return marked({stones_[0], stones_[1]}); }

 private:
  Key marked(Key key) const {
    key.a |= static_cast<Board>(mover_ | passes_ << 1 | attacker_ << 3 | (banned_ != 0) << 4) << 56;
    key.b |= static_cast<Board>(need_ + 128) << 56;
    return key;
  }
  Board board() const { return full_board(side_); }
  Board empty() const { return board() & ~stones_[0] & ~stones_[1]; }
  bool is_ko_stone(Board stone, int seat) const {
    const Board near = spread(stone);
    return !(near & stones_[seat]) && std::popcount(near & empty()) == 1;
  }
  Board captures(Board placed) const {
    const Board enemy = stones_[1 - mover_];
    const Board left = empty() & ~placed;
    Board captured = 0;
    for (Board near = spread(placed) & enemy; near != 0;) {
      const Board group = flood(near & (~near + 1), enemy);
      near &= ~group;
      if (!(spread(group) & left)) captured |= group;
    }
    return captured;
  }

  std::array<Board, 2> stones_;
  int side_;
  int mover_;
  int passes_ = 0;
  int attacker_;
  int need_;
  Board banned_ = 0;
};

}
