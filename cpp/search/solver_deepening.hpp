// Proofs and refutations in games with cycles (Go), where the search below a position can depend on the path.
//
// A proof. search() is depth-first with a depth limit and a table. It marks a position kProven only after a
// child (attacker to move) or every child (defender to move) has been marked, so the order of marking is a
// rank that falls with each move of the attacker's strategy: the strategy ends, and no position comes twice
// in it. A repetition on the path and the depth limit give kOpen, which claims nothing. So an entry that was
// made on another path may hide a proof for a while, but cannot fake one.
//
// A refutation. holds() collects a set of positions that the defender never has to leave: it holds all
// children of its attacker positions and one child of each defender position, none of them reaches the goal
// at once, and the root is in it. Whatever the attacker does, play stays inside or ends against it. The
// choices come from search(), but the set itself is checked, so mistaken choices make it fail, never lie.
//
// Endless play counts against the attacker in both. Start reading at Deepening::attempt().
#pragma once

#include <limits>
#include <unordered_set>

#include "search/solver.hpp"

namespace tengen::solver {

template <Position P>
class Deepening {
 public:
  static constexpr int kMaxDepth = 200;

  Deepening(std::size_t bytes, Monitor& monitor, int side) : table_(bytes), monitor_(monitor), maps_(side) {}

  // Both are the same goal, where the rules leave a doubt told against the attacker and against the defender.
  // kOpen when neither shows within kMaxDepth. Throws Interrupted.
  Verdict attempt(const P& attacking, const P& defending) {
    for (int depth = 2; depth <= kMaxDepth; ++depth) {
      if (search(attacking, depth) == kProven) return kProven;
      const std::uint64_t so_far = monitor_.total();
      if (depth % 2 == 0 && holds(defending, depth, so_far + std::max(kLeastForRefutation, so_far / 4)))
        return kRefuted;
    }
    return kOpen;
  }

  Verdict search(const P& root, int depth) {
    monitor_.depth = depth;
    path_.clear();
    for (auto& side : history_)
      for (auto& count : side) count /= 2;
    const Verdict verdict = visit(root, depth);
    monitor_.publish();
    return verdict;
  }

  // The move that keeps a proven position proven.
  int attack(const P& position) {
    for (int depth = 1; depth <= kMaxDepth && search(position, depth) != kProven; ++depth) {
    }
    return known_move(position);
  }

  // A move after which the attacker has no proof within the depth, -1 when there is none.
  int defence(const P& position, int depth) {
    MoveList moves;
    position.moves(moves);
    const int guess = known_move(position);
    std::stable_sort(moves.begin(), moves.end(), [&](const Move& x, const Move& y) {
      return std::pair(x.action == guess, x.order) > std::pair(y.action == guess, y.order);
    });
    for (const Move& move : moves) {
      P next = position;
      next.play(move.action);
      if (search(next, depth) != kProven) return move.action;
    }
    return -1;
  }

  // What the search has spent below the position, as far as the table remembers.
  std::uint32_t spent(const P& position) const {
    const Entry* entry = table_.find(position.key().first);
    return entry == nullptr ? 0 : entry->effort;
  }

 private:
  static constexpr std::uint64_t kLeastForRefutation = 20000;  // nodes that a try may always take
  static constexpr std::int32_t kOrderUnit = 1 << 20;  // a step of Move::order against the history counts
  static constexpr std::int32_t kFirst = std::numeric_limits<std::int32_t>::max();

  struct Entry {
    Key key;
    std::uint32_t effort = 0;
    Verdict verdict = kOpen;
    std::uint8_t depth = 0;  // of an open verdict
    std::uint8_t move = kNoMove;
  };

  struct KeyHash {
    std::size_t operator()(const Key& key) const { return splitmix64(key.a ^ splitmix64(key.b)); }
  };

  Verdict visit(const P& position, int depth) {
    monitor_.count();
    if (const Verdict verdict = position.verdict(); verdict != kOpen) return verdict;
    if (depth == 0) return kOpen;
    const auto [key, symmetry] = position.key();
    std::uint8_t known_move = kNoMove;
    if (const Entry* entry = table_.find(key)) {
      if (entry->verdict == kProven || entry->depth >= depth) return entry->verdict;
      if (entry->move != kNoMove) known_move = maps_.from(symmetry, entry->move);
    }
    const std::uint64_t nodes_before = monitor_.total();
    const auto [verdict, move] = expand(position, depth, known_move);
    table_.store({key, effort(monitor_.total() - nodes_before), verdict, static_cast<std::uint8_t>(depth),
                  move == kNoMove ? kNoMove : maps_.to(symmetry, move)});
    return verdict;
  }

  // An attacker looks for one proven move, a defender for one that is not; the verdict is kProven or kOpen.
  std::pair<Verdict, std::uint8_t> expand(const P& position, int depth, std::uint8_t known_move) {
    MoveList moves;
    position.moves(moves);
    const bool attacking = position.attacker_to_move();
    auto& history = history_[static_cast<std::size_t>(position.mover())];
    for (Move& move : moves)
      move.order = move.action == known_move ? kFirst : move.order * kOrderUnit + history[move.action];
    std::pair<Verdict, std::uint8_t> result{attacking ? kOpen : kProven, kNoMove};
    path_.push_back(position.plain_key());
    for (auto move = moves.begin(); move != moves.end(); ++move) {
      std::iter_swap(move, std::max_element(move, moves.end(),
                                            [](const Move& x, const Move& y) { return x.order < y.order; }));
      P next = position;
      next.play(move->action);
      const bool comes_back = std::find(path_.begin(), path_.end(), next.plain_key()) != path_.end();
      const bool proven = !comes_back && visit(next, depth - 1) == kProven;
      if (proven != attacking) continue;
      result = {attacking ? kProven : kOpen, move->action};
      history[move->action] = std::min(history[move->action] + depth * depth, kOrderUnit - 1);
      break;
    }
    path_.pop_back();
    return result;
  }

  // False also when it would take more than `node_limit` nodes in all.
  bool holds(const P& root, int depth, std::uint64_t node_limit) {
    std::unordered_set<Key, KeyHash> seen;
    std::vector<P> waiting;
    const auto add = [&](const P& position) {
      if (seen.insert(position.key().first).second) waiting.push_back(position);
    };
    add(root);
    while (!waiting.empty()) {
      const P position = waiting.back();
      waiting.pop_back();
      monitor_.count();
      const Verdict verdict = position.verdict();
      if (verdict == kProven || monitor_.total() > node_limit) return false;
      if (verdict == kRefuted) continue;
      if (!position.attacker_to_move()) {
        const int reply = defence(position, depth);
        if (reply < 0) return false;
        P next = position;
        next.play(reply);
        add(next);
        continue;
      }
      MoveList moves;
      position.moves(moves);
      for (const Move& move : moves) {
        P next = position;
        next.play(move.action);
        add(next);
      }
    }
    return true;
  }

  int known_move(const P& position) const {
    const auto [key, symmetry] = position.key();
    const Entry* entry = table_.find(key);
    return entry == nullptr || entry->move == kNoMove ? -1 : maps_.from(symmetry, entry->move);
  }

  Table<Entry> table_;
  Monitor& monitor_;
  ActionMaps maps_;
  std::array<std::array<std::int32_t, kMaxMoves>, 2> history_{};
  std::vector<Key> path_;
};

}  // namespace tengen::solver
