// Local reading in Go: do these stones live when somebody attacks them, or that space when somebody invades?
//
// A small tree search that looks at moves near the target only and values a playout by the share of the
// target that its owner holds at the end. Two passes in the tree leave everything as it stands, so nobody has
// to break a seki. Start reading at go_life().
#pragma once

#include "bits.hpp"
#include "games/go/heuristics.hpp"
#include "search/mcts.hpp"

namespace tengen {

template <int Max>
struct GoLifeHeuristics : Heuristics<Go<Max>> {
  using Base = Heuristics<Go<Max>>;
  using S = Go<Max>;
  using Board = typename S::Board;
  using Colour = typename Board::Colour;
  static constexpr bool kOwner = false;

  static constexpr float kPassVisits = 5;

  std::vector<int> target;  // cells
  Bits<6> near;             // cells of the moves that are looked at
  Colour owner = Board::kBlack;
  bool stones = true;  // the target is stones: after two passes those that are still there are alive

  bool candidates(const S& state, ActionList& actions) const {
    Base::candidates(state, actions);
    std::erase_if(actions, [&](Action a) { return a != state.pass_action() && !near.test(a); });
    return false;
  }
  // Passing counts as much as any move, since nobody has to play in a seki.
  void priors(const S& state, const ActionList& actions, std::span<Prior> found) const {
    Base::priors(state, actions, found);
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (actions[i] == state.pass_action()) found[i] = {kPassVisits, 0.5f};
  }
  // Stones that are still there when the attacker passes are saved by a pass.
  Certain certain(const S& state) const {
    const int seat = owner == Board::kBlack ? 0 : 1;
    if (!stones || state.passes() != 1 || state.to_move() != seat) return {};
    for (const int cell : target)
      if (state.board().at(state.board().point(cell)) != owner) return {};
    return {static_cast<std::int8_t>(seat), state.pass_action(), 0};
  }
  Advice advise(const S&, std::uint64_t) const { return {}; }
  bool is_final(const S&) const { return false; }
  Value playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace) {
    if (stones && state.is_over()) {
      Base::settle_owners(state.board(), trace);
    } else {
      Base::playout(state, settings, rng, trace);
    }
    const int sign = owner == Board::kBlack ? 1 : -1;
    int held = 0;
    for (const int cell : target) held += trace.owner[static_cast<std::size_t>(cell)] == sign;
    const float share = static_cast<float>(held) / static_cast<float>(target.size());
    return {owner == Board::kBlack ? share : 1 - share, 0};
  }
};

// The cells within a few steps of the target, a chain being one step: where its fate is decided. What lies
// behind firm stones has no part in it.
template <int Max>
Bits<6> go_near(const GoBoard<Max>& board, const std::vector<int>& target, int steps, Bits<6> firm) {
  using Board = GoBoard<Max>;
  using Point = typename Board::Point;
  Bits<6> near;
  std::vector<Point> edge;
  const auto reach = [&](Point p, std::vector<Point>& found) {
    if (board.at(p) == Board::kEdge || near.test(board.cell(p)) || firm.test(board.cell(p))) return;
    Point at = p;
    do {
      near.set(board.cell(at));
      found.push_back(at);
      if (board.at(p) == Board::kEmpty) break;
      at = board.next(at);
    } while (at != p);
  };
  for (const int cell : target) firm.reset(cell);
  for (const int cell : target) reach(board.point(cell), edge);
  for (int step = 0; step < steps; ++step) {
    std::vector<Point> next;
    for (const Point p : edge) Board::beside(p, [&](std::size_t q) { reach(static_cast<Point>(q), next); });
    edge = std::move(next);
  }
  return near;
}

// The share of the target that its owner keeps, 0 to 1, when `first` moves first. The target is some stones
// of one chain, or empty cells that `owner` surrounds; nobody looks beyond firm stones.
template <int Max>
float go_life(const Go<Max>& state, const std::vector<int>& target, typename GoBoard<Max>::Colour owner,
              bool stones, const Bits<6>& firm, int first, int visits, int steps, std::uint64_t seed) {
  using S = Go<Max>;
  S root = state;
  root.resume(first);
  GoLifeHeuristics<Max> life;
  life.target = target;
  life.owner = owner;
  life.stones = stones;
  life.near = go_near<Max>(root.board(), target, steps, firm);
  SearchSettings settings = life.settings();
  settings.exploration = 0.15f;
  settings.amaf_visits = 300;
  settings.lead_share = 0;
  settings.expand_visits = 2;
  Mcts<S, GoLifeHeuristics<Max>> search(root, settings, seed, life);
  SearchLimits limits;
  limits.visits = visits;
  search.run(limits);
  const SearchReport report = search.report();
  // The best move's record, not the mean of all: what was tried in vain says nothing of the stones.
  const float win = report.moves.empty() ? report.win : report.moves[0].win;
  return (first == 0) == (owner == GoBoard<Max>::kBlack) ? win : 1 - win;
}

}  // namespace tengen
