// Alpha-beta search for Kelasu, with the methods of Mcts (mcts.hpp). A first version of it won 76 % of 90
// games against Monte Carlo search with the same evaluation and about the same time.
//
// A ply is a whole move or merge (tactics.hpp), and the same seat may be on turn after it. Deeper and
// deeper rounds run over the moves of the root; positions are shared through a table. A visit is a position
// looked at. A shade of noise in the leaves, drawn from the seed, makes games differ. Where the opponent
// would win if the turn ended now, the last ply is not the end: what may answer is searched until it does.
// Beyond the first few, moves are searched less deeply at first, and many only at the root. So only a win
// within the turn is called proven: no answer of the opponent can have been overlooked there.
// Start reading at KelasuSearch::deepen().
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "games/kelasu/kelasu.hpp"
#include "games/kelasu/tactics.hpp"
#include "search/mcts.hpp"

namespace tengen {

// Positions seen, shared by the threads of a search. The key is stored mixed with the data, so that a pair
// written by two threads at once is not recognised.
class KelasuTable {
 public:
  enum Bound : std::uint8_t { kExact, kAtLeast, kAtMost };
  struct Entry {
    std::int32_t value = 0;
    std::uint16_t move = 0;  // KelasuMove::code()
    std::int8_t depth = 0;
    Bound bound = kExact;
  };

  bool find(std::uint64_t key, Entry& entry) const;
  void store(std::uint64_t key, const Entry& entry);

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 19;  // 8 MB
  struct Slot {
    std::atomic<std::uint64_t> mixed{0};
    std::atomic<std::uint64_t> data{0};
  };
  std::unique_ptr<Slot[]> slots_ = std::make_unique<Slot[]>(kSize);
};

class KelasuSearch {
 public:
  KelasuSearch(const Kelasu& root, const SearchSettings& settings, std::uint64_t seed);

  const Kelasu& root_state() const { return root_state_; }
  void run(const SearchLimits& limits);
  void stop() { stop_ = true; }
  void advance(Action action);
  SearchReport report() const;

 private:
  struct RootMove {
    KelasuMove move;
    int value = 0;  // for the root's mover: the last exact one, or a bound if that is less
    std::uint64_t visits = 0;
    std::vector<KelasuMove> line;  // what follows
  };
  struct Worker;

  void reset_moves();
  void deepen(Worker& worker);
  bool search_root(Worker& worker, int depth);
  int search_move(Worker& worker, const Kelasu& state, int stand, const KelasuMove& move, int depth,
                  int alpha, int beta, int ply);
  int search(Worker& worker, const Kelasu& state, int stand, int depth, int alpha, int beta, int ply);
  static void answer(const Kelasu& state, const Kelasu::Squares& threat, int depth,
                     std::vector<KelasuMove>& moves);
  static std::ptrdiff_t choose(Worker& worker, int seat, std::vector<KelasuMove>& moves, int depth,
                               std::uint16_t known);
  int leaf(const Kelasu& state, const KelasuEval& eval) const;
  bool spent(Worker& worker);
  std::vector<KelasuMove> follow(const KelasuMove& first) const;

  std::uint64_t seed_;
  Kelasu root_state_;
  KelasuTable table_;
  std::vector<RootMove> moves_;  // best first
  int depth_ = 0;                // rounds completed
  Action winning_ = -1;          // the first action of a certain win
  SearchLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<std::int64_t> done_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> finished_{false};  // the run's first thread has ended
};

}  // namespace tengen
