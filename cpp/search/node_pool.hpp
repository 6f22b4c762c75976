// The tree of Mcts, which threads share: nodes whose counters are relaxed atomics, and the pool they lie in.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "search/heuristics.hpp"
#include "threads.hpp"

namespace tengen {

template <class T>
class Relaxed {
 public:
  Relaxed(T value) : value_(value) {}
  operator T() const { return value_.load(std::memory_order_relaxed); }
  void operator=(const Relaxed& other) { *this = T{other}; }
  void operator=(T value) { value_.store(value, std::memory_order_relaxed); }
  void operator+=(T value) { *this = static_cast<T>(T{*this} + value); }

 private:
  std::atomic<T> value_;
};

struct Node {
  Relaxed<Action> action{-1};
  Relaxed<std::int8_t> winner{kUnknown};  // proven
  Relaxed<std::uint16_t> child_count{0};
  Relaxed<bool> complete{false};        // the children are all moves that matter
  std::atomic<std::uint8_t> growth{0};  // 0 a leaf, 1 being expanded, 2 has children
  Relaxed<std::uint32_t> visits{0};
  Relaxed<float> wins{0};   // of the seat that chooses this node, like all below
  Relaxed<float> worth{0};  // what choosing goes by: wins, and where the game is decided leads too
  Relaxed<float> score{0};  // leads, squashed
  Relaxed<std::uint32_t> amaf_visits{0};
  Relaxed<float> amaf_wins{0};
  Relaxed<float> prior_visits{0};
  Relaxed<float> prior_wins{0};
  Node* children = nullptr;
};

// Nodes in blocks that never move; children are always taken from one block.
class NodePool {
 public:
  explicit NodePool(std::size_t limit) : limit_(limit) {}

  Node* take(std::size_t count) {  // nullptr when the limit is reached
    const Lock lock(mutex_);
    if (used_ + count > limit_) {
      full_ = true;
      return nullptr;
    }
    if (blocks_.empty() || room_ < count) {
      room_ = std::max(count, kBlock);
      blocks_.push_back(std::make_unique<Node[]>(room_));
      next_ = blocks_.back().get();
    }
    Node* first = next_;
    next_ += count;
    room_ -= count;
    used_ += count;
    return first;
  }
  bool is_full() {
    const Lock lock(mutex_);
    return full_;
  }

 private:
  static constexpr std::size_t kBlock = 8192;
  Mutex mutex_;
  std::vector<std::unique_ptr<Node[]>> blocks_;
  Node* next_ = nullptr;
  std::size_t room_ = 0;
  std::size_t used_ = 0;
  std::size_t limit_;
  bool full_ = false;  // something could not be given; nothing is asked for after that
};

}  // namespace tengen
