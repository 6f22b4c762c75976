// Exact play of any small game by its rules alone: alpha-beta over win, draw and loss with a table of
// positions.
//
// A position is known by its value (==), so a game whose rules look at earlier positions is not for this; a
// position that comes up again on the way to itself is refused. No knowledge and no symmetry: for boards of
// the size of tic-tac-toe. Start reading at PlainSolver::value().
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "game.hpp"

namespace tengen {

struct NotSolvable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <GameState S>
class PlainSolver {
 public:
  static constexpr std::size_t kDeepest = 2000;  // actions

  // `watch` is told now and then how many positions have been looked at and how deep it is; what it throws
  // ends the search.
  PlainSolver(const S& root, std::size_t most_positions, std::function<void(std::size_t, std::size_t)> watch)
      : root_(root), most_(most_positions), watch_(std::move(watch)) {}

  // 1, 0 or -1 to the mover of the root, which must not be over.
  int solve() { return value(root_, -1, 1, 0); }

  // Play of both that keeps that value, to the end of the game.
  std::vector<Action> line() {
    std::vector<Action> actions;
    ActionList legal;
    for (S state = root_; !state.is_over() && actions.size() < kDeepest; state.play(actions.back())) {
      const int worth = value(state, -1, 1, 0);
      state.legal_actions(legal);
      const auto keeps = [&](Action action) { return after(state, action, -1, 1, 0) == worth; };
      actions.push_back(*std::find_if(legal.begin(), legal.end(), keeps));
    }
    return actions;
  }

  std::size_t positions() const { return seen_; }

 private:
  struct Entry {
    std::int8_t low = -1;
    std::int8_t high = 1;
    bool open = false;  // on the way from the root to here
  };
  struct Hash {
    std::size_t operator()(const S& state) const { return static_cast<std::size_t>(state.hash()); }
  };

  // The value to the mover of `state` of what follows an action, whoever moves then.
  int after(const S& state, Action action, int low, int high, std::size_t depth) {
    S next = state;
    next.play(action);
    if (next.is_over()) {
      const int winner = next.outcome().winner;
      return winner == kDraw ? 0 : winner == state.to_move() ? 1 : -1;
    }
    if (next.to_move() == state.to_move()) return value(next, low, high, depth + 1);
    return -value(next, -high, -low, depth + 1);
  }

  // Exact between the bounds, else a bound.
  int value(const S& state, int low, int high, std::size_t depth) {
    const auto [place, fresh] = known_.try_emplace(state);
    Entry& entry = place->second;  // stays where it is: nothing is ever erased
    if (entry.low == entry.high || entry.low >= high) return entry.low;
    if (entry.high <= low) return entry.high;
    if (entry.open)
      throw NotSolvable("A position can come up again, and this solver is for games where none can.");
    if (fresh) note(depth);
    if (depth > kDeepest) throw NotSolvable("The game is too long to be solved.");
    entry.open = true;
    ActionList legal;
    state.legal_actions(legal);
    int best = -1;
    const int floor = std::max<int>(low, entry.low);
    for (const Action action : legal) {
      best = std::max(best, after(state, action, std::max(best, floor), high, depth));
      if (best >= std::min<int>(high, entry.high)) break;
    }
    entry.open = false;
    if (best > floor || best == 1) entry.low = static_cast<std::int8_t>(std::max<int>(entry.low, best));
    if (best < high || best == -1) entry.high = static_cast<std::int8_t>(std::min<int>(entry.high, best));
    return best;
  }

  void note(std::size_t depth) {
    if (++seen_ > most_)
      throw NotSolvable("The game is too large to be solved in the memory that was given.");
    if (seen_ % 64 == 0) watch_(seen_, depth);
  }

  S root_;
  std::size_t most_;
  std::function<void(std::size_t, std::size_t)> watch_;
  std::size_t seen_ = 0;
  std::unordered_map<S, Entry, Hash> known_;
};

}  // namespace tengen
