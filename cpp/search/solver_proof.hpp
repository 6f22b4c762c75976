// Depth-first proof-number search (Nagai's df-pn) for games in which no position can come twice.
//
// Every position has two numbers: how many open positions below it must at least be settled to prove it and
// to refute it. The search follows the position that is cheapest to settle, keeps the numbers in a table and
// needs no depth limit. Since positions are reached in many orders, the numbers of alternatives are not added
// up but combined as largest plus count (Ueda's weak proof numbers). Both verdicts are exact. Start reading
// at ProofSearch::settle(), which searches below one position until a number exceeds its limit.
#pragma once

#include <limits>
#include <memory>

#include "search/solver.hpp"

namespace tengen::solver {

template <class P>
concept LevelledPosition = Position<P> && requires(const P& p) {
  { p.level() } -> std::same_as<int>;  // not part of the key
};

template <LevelledPosition P>
class ProofSearch {
 public:
  ProofSearch(std::size_t bytes, Monitor& monitor) : table_(bytes), monitor_(monitor) {}

  // kProven or kRefuted. Throws Interrupted.
  Verdict solve(const P& root) {
    if (const Verdict verdict = root.verdict(); verdict != kOpen) return verdict;
    level_ = root.level();
    const Key key = root.key().first;
    Numbers numbers = look_up(key, level_);
    if (!numbers.settled()) numbers = settle(root, key, {kInfinite, kInfinite}, 0);
    monitor_.publish();
    return numbers.verdict();
  }

  // What the table still knows.
  Verdict known(const P& position) const {
    if (const Verdict verdict = position.verdict(); verdict != kOpen) return verdict;
    return look_up(position.key().first, position.level()).verdict();
  }

 private:
  static constexpr std::uint32_t kInfinite = 1 << 30;

  struct Numbers {
    std::uint32_t prove = 1;
    std::uint32_t refute = 1;
    bool settled() const { return prove == 0 || refute == 0; }
    Verdict verdict() const { return prove == 0 ? kProven : refute == 0 ? kRefuted : kOpen; }
    // The numbers as the mover sees them: to reach what it wants, and to be kept from it.
    std::uint32_t own(bool attacking) const { return attacking ? prove : refute; }
    std::uint32_t other(bool attacking) const { return attacking ? refute : prove; }
    static Numbers of(bool attacking, std::uint32_t own, std::uint32_t other) {
      return attacking ? Numbers{own, other} : Numbers{other, own};
    }
  };

  struct Entry {
    Key key;
    Numbers numbers;  // of the level last searched, never settled; a guess for other levels
    std::uint32_t effort = 0;
    std::int8_t proven = std::numeric_limits<std::int8_t>::min();   // the highest level
    std::int8_t refuted = std::numeric_limits<std::int8_t>::max();  // the lowest level
  };

  struct Child {
    P position;
    Key key;
    Numbers numbers;
  };

  // What the table knows, else `otherwise`: an entry can have been lost to another since it was made.
  Numbers look_up(const Key& key, int level, Numbers otherwise = {}) const {
    const Entry* entry = table_.find(key);
    if (entry == nullptr) return otherwise;
    if (level <= entry->proven) return {0, kInfinite};
    if (level >= entry->refuted) return {kInfinite, 0};
    return entry->numbers;
  }

  void keep(const Key& key, Numbers numbers, std::uint64_t nodes) {
    Entry entry{key, {}, effort(nodes)};
    if (const Entry* old = table_.find(key)) {
      entry = *old;
      entry.effort = std::max(entry.effort, effort(nodes));
    }
    if (numbers.prove == 0)
      entry.proven = std::max(entry.proven, static_cast<std::int8_t>(level_));
    else if (numbers.refute == 0)
      entry.refuted = std::min(entry.refuted, static_cast<std::int8_t>(level_));
    else
      entry.numbers = numbers;
    table_.store(entry);
  }

  // The open children of the position, best guess first; false when one of them settles it for the mover.
  bool expand(const P& position, std::vector<Child>& children) {
    MoveList moves;
    position.moves(moves);
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& x, const Move& y) { return x.order > y.order; });
    const Verdict wanted = position.attacker_to_move() ? kProven : kRefuted;
    children.clear();
    for (const Move& move : moves) {
      monitor_.count();
      P next = position;
      next.play(move.action);
      const Verdict verdict = next.verdict();
      if (verdict == wanted) return false;
      if (verdict != kOpen) continue;
      const Key key = next.key().first;
      const auto same = [&](const Child& child) { return child.key == key; };
      if (std::none_of(children.begin(), children.end(), same)) children.push_back({next, key, {}});
    }
    return true;
  }

  Numbers settle(const P& position, const Key& key, Numbers limit, std::size_t ply) {
    const std::uint64_t nodes_before = monitor_.total();
    const bool attacking = position.attacker_to_move();
    if (ply == children_.size()) children_.push_back(std::make_unique<std::vector<Child>>());
    std::vector<Child>& children = *children_[ply];
    const auto finish = [&](Numbers numbers) {
      keep(key, numbers, monitor_.total() - nodes_before);
      return numbers;
    };
    if (!expand(position, children)) return finish(Numbers::of(attacking, 0, kInfinite));

    while (true) {
      std::uint32_t least = kInfinite, second = kInfinite, largest = 0, open = 0;
      Child* best = nullptr;
      for (Child& child : children) {
        if (!child.numbers.settled()) child.numbers = look_up(child.key, level_, child.numbers);
        const std::uint32_t own = child.numbers.own(attacking);
        const std::uint32_t other = child.numbers.other(attacking);
        if (own < least || best == nullptr) {
          second = least;
          least = own;
          best = &child;
        } else {
          second = std::min(second, own);
        }
        if (other != 0) ++open;
        largest = std::max(largest, other);
      }
      const std::uint32_t others = open == 0 ? 0 : open - 1;
      if (least == 0) return finish(Numbers::of(attacking, 0, kInfinite));
      if (open == 0) return finish(Numbers::of(attacking, kInfinite, 0));
      const Numbers now = Numbers::of(attacking, least, std::min(largest + others, kInfinite - 1));
      if (now.prove >= limit.prove || now.refute >= limit.refute) return finish(now);
      // The child may go a quarter beyond its rival, so that the search does not hop between the two.
      const std::uint32_t own_limit = std::min(limit.own(attacking), second + second / 4 + 1);
      const std::uint32_t other_limit =
          std::max(limit.other(attacking) - others, best->numbers.other(attacking) + 1);
      best->numbers =
          settle(best->position, best->key, Numbers::of(attacking, own_limit, other_limit), ply + 1);
    }
  }

  Table<Entry> table_;
  Monitor& monitor_;
  int level_ = 0;                                              // of the search in hand
  std::vector<std::unique_ptr<std::vector<Child>>> children_;  // a list a ply, kept for reuse
};

}  // namespace tengen::solver
