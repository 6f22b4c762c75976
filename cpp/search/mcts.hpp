// Monte Carlo tree search for any game: UCT with AMAF, priors, and exact values where they are known.
//
// A node is a move: it carries what choosing it came to, from the side of the seat that chooses it (read
// from the state, never from parity). Children of a node lie side by side in a pool. Positions are not
// stored; a simulation replays them from the root. Threads share the tree: counters are relaxed atomics that
// may lose an update under contention, which costs nothing that matters; only growth takes a lock.
// A visit is counted on the way down and its value added on the way up, so a move that another thread is
// looking at counts as lost until then.
// Start reading at Mcts::simulate().
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "search/heuristics.hpp"
#include "search/node_pool.hpp"
#include "search/report.hpp"
#include "threads.hpp"

namespace tengen {

template <GameState S, class H = Heuristics<S>>
class Mcts {
  static_assert(has_heuristics<S>());

 public:
  static constexpr std::size_t kMaxNodes = 4'000'000;  // about 250 MB
  static constexpr int kMaxDepth = 400;
  static constexpr float kLeadScale = 8;  // points
  static constexpr std::uint32_t kFirstGoal =
      32;  // visits before the first goal; it is set anew as they double

  Mcts(const S& root, const SearchSettings& settings, std::uint64_t seed, H heuristics = {})
      : settings_(settings), seed_(seed), root_state_(root), heuristics_(std::move(heuristics)) {
    reset();
  }

  const S& root_state() const { return root_state_; }

  // Searches on; the tree stays for the next run.
  void run(const SearchLimits& limits);
  // Ends a run under way in another thread, or the next one.
  void stop() { stop_ = true; }
  // Goes on from the state after that action, keeping what is known of it.
  void advance(Action action);
  SearchReport report() const;

 private:
  struct Step {
    Node* node;
    int mover;  // the seat that chose the node
  };
  struct Worker {
    Worker(std::uint64_t seed, const S& root, const H& known) : rng(seed), heuristics(known) {
      trace.first.resize(static_cast<std::size_t>(root.action_count()));
      trace.owner.resize(static_cast<std::size_t>(root.cell_count()));
      owner.resize(trace.owner.size());
      path.reserve(kMaxDepth);
    }
    Rng rng;
    H heuristics;
    Trace trace;
    ActionList actions;
    std::vector<Prior> priors;
    std::vector<Step> path;
    std::vector<float> owner;
    std::uint64_t simulations = 0;
  };

  void reset();
  void work(Worker& worker, const SearchLimits& limits, std::chrono::steady_clock::time_point start);
  void simulate(Worker& worker);
  void take_certain_win(const H& heuristics);
  void take_advice(const H& heuristics);
  bool expand(Node& node, const S& state, Worker& worker);
  Node& select(Node& parent, int mover) const;
  Value look(Node& leaf, S& state, Worker& worker);
  void settle(Worker& worker);
  void set_goal();
  void back_up(Worker& worker, const Value& value, bool played_out);
  bool is_clear(std::int64_t remaining) const;
  static float mean(const Node& node) {
    return node.visits > 0 ? node.wins / static_cast<float>(node.visits) : 0.5f;
  }
  static bool better(const Node& a, const Node& b, int mover);
  static void copy_record(const Node& from, Node& to);
  static void move_node(const Node& from, Node& to);
  static void copy_tree(const Node& from, Node& to, NodePool& pool);
  // Leads are averaged through a curve that flattens, so that a few huge ones do not outweigh many small.
  static float squashed(float lead) { return lead / (std::fabs(lead) + kLeadScale); }
  static float unsquashed(float mean) { return kLeadScale * mean / (1.0001f - std::fabs(mean)); }

  SearchSettings settings_;
  std::uint64_t seed_;
  std::uint64_t runs_ = 0;
  S root_state_;
  H heuristics_;
  std::unique_ptr<NodePool> pool_;
  Node* root_ = nullptr;
  bool is_advised_ = false;  // the root's advice has been asked for
  bool is_over_ = false;     // and says that nothing is left to search
  std::vector<float> owner_;
  std::uint64_t owner_count_ = 0;
  Mutex owner_mutex_;
  Relaxed<float> goal_{0};        // a lead of seat 0 that the root comes to on the whole
  Relaxed<float> goal_share_{0};  // how much of a playout's worth is whether it is above the goal
  Relaxed<std::uint32_t> next_goal_{kFirstGoal};  // when to set it anew
  std::atomic<bool> stop_{false};
  std::atomic<std::int64_t> done_{0};
};

template <GameState S, class H>
void Mcts<S, H>::reset() {
  pool_ = std::make_unique<NodePool>(kMaxNodes);
  root_ = pool_->take(1);
  is_advised_ = is_over_ = false;
  owner_.assign(static_cast<std::size_t>(root_state_.cell_count()), 0.0f);
  owner_count_ = 0;
  goal_ = 0;
  goal_share_ = 0;
  next_goal_ = kFirstGoal;
}

template <GameState S, class H>
void Mcts<S, H>::run(const SearchLimits& limits) {
  if (root_state_.is_over()) return;
  const struct Finally {  // also after an exception, which a state written in Python may throw
    std::atomic<bool>& stop;
    ~Finally() { stop = false; }
  } finally{stop_};
  const auto start = std::chrono::steady_clock::now();
  done_ = 0;
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads_of(limits.threads); ++i) {
    workers.push_back(std::make_unique<Worker>(
        splitmix64(seed_ + 1000 * runs_ + static_cast<std::uint64_t>(i)), root_state_, heuristics_));
  }
  ++runs_;
  expand(*root_, root_state_, *workers[0]);
  take_certain_win(workers[0]->heuristics);
  take_advice(workers[0]->heuristics);
  if (is_over_) return;
  run_together(
      static_cast<int>(workers.size()),
      [&](int i) { work(*workers[static_cast<std::size_t>(i)], limits, start); }, [] {});
}

// A win that needs no search is proven at the root. A certain loss is not: the best defence is still sought.
template <GameState S, class H>
void Mcts<S, H>::take_certain_win(const H& heuristics) {
  const Certain certain = heuristics.certain(root_state_);
  if (certain.winner != root_state_.to_move()) return;
  for (int i = 0; i < root_->child_count; ++i) {
    if (root_->children[i].action != certain.action) continue;
    root_->children[i].winner = certain.winner;
    root_->winner = certain.winner;
  }
}

template <GameState S, class H>
void Mcts<S, H>::take_advice(const H& heuristics) {
  if (is_advised_ || root_->winner != kUnknown) return;
  is_advised_ = true;
  const Advice advice = heuristics.advise(root_state_, splitmix64(seed_));
  const auto stays = [&](const Node& node) {
    if (advice.action >= 0) return node.action == advice.action;
    return std::find(advice.left_out.begin(), advice.left_out.end(), node.action) == advice.left_out.end();
  };
  std::uint16_t kept = 0;
  for (int i = 0; i < root_->child_count; ++i) {
    if (!stays(root_->children[i])) continue;
    if (kept != i) move_node(root_->children[i], root_->children[kept]);
    ++kept;
  }
  if (kept < root_->child_count) root_->complete = false;
  root_->child_count = kept;
  if (advice.action < 0 || kept == 0) return;
  is_over_ = true;
  if (!advice.owner.empty()) {
    owner_ = advice.owner;
    owner_count_ = 1;
  }
  Node& end = root_->children[0];
  const bool first_seat = root_state_.to_move() == 0;
  end.visits = 1;
  end.wins = first_seat ? advice.value.win : 1 - advice.value.win;
  end.worth = float{end.wins};
  end.score = squashed(first_seat ? advice.value.score : -advice.value.score);
}

template <GameState S, class H>
void Mcts<S, H>::work(Worker& worker, const SearchLimits& limits,
                      std::chrono::steady_clock::time_point start) {
  constexpr std::int64_t kCheckEvery = H::kCheckEvery;
  const auto deadline = start + std::chrono::milliseconds(limits.ms);
  for (std::int64_t i = 1; !stop_ && root_->winner == kUnknown; ++i) {
    if (limits.visits > 0 && done_.fetch_add(1, std::memory_order_relaxed) >= limits.visits) break;
    simulate(worker);
    if (i % kCheckEvery != 0) continue;
    if (limits.ms > 0 && std::chrono::steady_clock::now() >= deadline) break;
    if (limits.stop_when_clear && limits.visits > 0 && is_clear(limits.visits - done_)) break;
  }
  const Lock lock(owner_mutex_);
  for (std::size_t cell = 0; cell < owner_.size(); ++cell) owner_[cell] += worker.owner[cell];
  owner_count_ += worker.simulations;
}

// One simulation: down the tree to a leaf, a value for the leaf, and up again.
template <GameState S, class H>
void Mcts<S, H>::simulate(Worker& worker) {
  S state = root_state_;
  Node* node = root_;
  worker.path.clear();
  node->visits += 1;
  while (node->growth.load(std::memory_order_acquire) == 2 && node->winner == kUnknown &&
         worker.path.size() < kMaxDepth) {
    const int mover = state.to_move();
    node = &select(*node, mover);
    worker.path.push_back({node, mover});
    state.play(node->action);
    node->visits += 1;
    if (node->growth.load(std::memory_order_acquire) == 0 && !state.is_over() && node->winner == kUnknown &&
        node->visits >= static_cast<std::uint32_t>(settings_.expand_visits))
      expand(*node, state, worker);
  }
  if (settings_.lead_share > 0 && root_->visits >= next_goal_) set_goal();
  const bool known = node->winner != kUnknown;
  const Value value = look(*node, state, worker);
  if (!known && node->winner != kUnknown) settle(worker);
  back_up(worker, value, node->winner == kUnknown);
}

// The value of a leaf: exact when its winner is known, else a playout's.
template <GameState S, class H>
Value Mcts<S, H>::look(Node& leaf, S& state, Worker& worker) {
  if (state.is_over() && worker.heuristics.is_final(state)) {
    const Outcome outcome = state.outcome();
    leaf.winner = static_cast<std::int8_t>(outcome.winner);
    return value_of(outcome);
  }
  if (leaf.winner == kUnknown && leaf.visits <= 1 && !state.is_over()) {
    const Certain certain = worker.heuristics.certain(state);
    leaf.winner = certain.winner;
    if (leaf.winner != kUnknown) return {value_of({leaf.winner, "", false, {}}).win, certain.score};
  }
  if (leaf.winner != kUnknown) {
    // The lead that it has come to so far stands for what is no longer played out.
    const float lead = leaf.visits > 1 ? unsquashed(leaf.score / static_cast<float>(leaf.visits - 1)) : 0.0f;
    const bool first_seat = worker.path.empty() || worker.path.back().mover == 0;
    return {value_of({leaf.winner, "", false, {}}).win, first_seat ? lead : -lead};
  }
  if constexpr (H::kAmaf) std::fill(worker.trace.first.begin(), worker.trace.first.end(), std::int8_t{-1});
  return worker.heuristics.playout(state, settings_, worker.rng, worker.trace);
}

template <GameState S, class H>
bool Mcts<S, H>::expand(Node& node, const S& state, Worker& worker) {
  std::uint8_t leaf = 0;
  if (pool_->is_full()) return false;
  if (!node.growth.compare_exchange_strong(leaf, 1)) return false;
  struct Growing {  // a leaf again if nothing comes of it, also after an exception
    Node* node;
    ~Growing() {
      if (node != nullptr) node->growth = 0;
    }
  } growing{&node};
  const bool complete = worker.heuristics.candidates(state, worker.actions);
  Node* children = pool_->take(worker.actions.size());
  if (children == nullptr) return false;
  worker.priors.assign(worker.actions.size(), Prior{});
  worker.heuristics.priors(state, worker.actions, worker.priors);
  for (std::size_t i = 0; i < worker.actions.size(); ++i) {
    children[i].action = worker.actions[i];
    children[i].prior_visits = worker.priors[i].visits;
    children[i].prior_wins = worker.priors[i].visits * worker.priors[i].win;
  }
  node.children = children;
  node.child_count = static_cast<std::uint16_t>(worker.actions.size());
  node.complete = complete;
  growing.node = nullptr;
  node.growth.store(2, std::memory_order_release);
  return true;
}

template <GameState S, class H>
Node& Mcts<S, H>::select(Node& parent, int mover) const {
  // The parent's value from the mover's side is what its children have come to so far.
  float seen_worth = 0;
  float seen_visits = 0;
  for (int i = 0; i < parent.child_count; ++i) {
    const Node& child = parent.children[i];
    seen_worth += child.worth;
    seen_visits += static_cast<float>(child.visits);
  }
  const float parent_value = seen_visits > 0 ? seen_worth / seen_visits : 0.5f;
  const float first_play = parent_value - settings_.first_play_loss;
  const float log_visits = std::log(seen_visits + 1.0f);
  Node* best = nullptr;
  float best_value = -1e9f;
  for (int i = 0; i < parent.child_count; ++i) {
    Node& child = parent.children[i];
    const std::int8_t winner = child.winner;
    if (winner == 1 - mover && best != nullptr) continue;
    const auto visits = static_cast<float>(child.visits);
    const float weight = visits + child.prior_visits;
    float value = weight > 0 ? (child.worth + child.prior_wins) / weight : first_play;
    if constexpr (H::kAmaf) {
      const auto amaf = static_cast<float>(child.amaf_visits);
      if (amaf > 0 && settings_.amaf_visits > 0) {
        const float share = amaf / (amaf + weight + amaf * weight / settings_.amaf_visits);
        value += share * (child.amaf_wins / amaf - value);
      }
    }
    value += settings_.exploration * std::sqrt(log_visits / (weight + 1.0f));
    if (winner == 1 - mover) value = -1e8f;
    if (winner == mover) value = 1e8f;
    if (value > best_value) {
      best_value = value;
      best = &child;
    }
  }
  return *best;
}

// The last node of the path has just been proven: carry that up as far as it decides.
template <GameState S, class H>
void Mcts<S, H>::settle(Worker& worker) {
  for (std::size_t depth = worker.path.size(); depth-- > 0;) {
    const Step& step = worker.path[depth];
    Node& parent = depth > 0 ? *worker.path[depth - 1].node : *root_;
    const std::int8_t winner = step.node->winner;
    if (winner == step.mover) {
      parent.winner = winner;
      continue;
    }
    if (!parent.complete) return;
    bool draw = false;
    for (int i = 0; i < parent.child_count; ++i) {
      const std::int8_t other = parent.children[i].winner;
      if (other == kUnknown) return;
      draw |= other == kDraw;
    }
    parent.winner = static_cast<std::int8_t>(draw ? kDraw : 1 - step.mover);
  }
}

// Where one side wins whatever is played, wins tell no move from another. So the more decided the game is,
// the more a playout is judged by whether it beats the lead that the root comes to: half of all do.
template <GameState S, class H>
void Mcts<S, H>::set_goal() {
  float wins = 0;
  float score = 0;
  float visits = 0;
  for (int i = 0; i < root_->child_count; ++i) {
    wins += root_->children[i].wins;
    score += root_->children[i].score;
    visits += static_cast<float>(root_->children[i].visits);
  }
  next_goal_ = 2 * root_->visits;
  if (visits <= 0) return;
  const float decided = 2 * wins / visits - 1;
  const float lead = unsquashed(score / visits);
  goal_ = root_state_.to_move() == 0 ? lead : -lead;
  goal_share_ = settings_.lead_share * decided * decided;
}

template <GameState S, class H>
void Mcts<S, H>::back_up(Worker& worker, const Value& value, bool played_out) {
  auto& first = worker.trace.first;
  const float goal = goal_;
  const float goal_share = goal_share_;
  for (std::size_t depth = worker.path.size(); depth-- > 0;) {
    const Step& step = worker.path[depth];
    const float win = step.mover == 0 ? value.win : 1.0f - value.win;
    float worth = win;
    if (played_out && goal_share > 0) {
      const float reached = value.score > goal ? 1.0f : value.score < goal ? 0.0f : 0.5f;
      worth += goal_share * ((step.mover == 0 ? reached : 1.0f - reached) - win);
    }
    step.node->wins += win;
    step.node->worth += worth;
    step.node->score += squashed(step.mover == 0 ? value.score : -value.score);
    if constexpr (H::kAmaf) {
      if (!played_out || settings_.amaf_visits <= 0) continue;
      first[static_cast<std::size_t>(step.node->action)] = static_cast<std::int8_t>(step.mover);
      const Node& parent = depth > 0 ? *worker.path[depth - 1].node : *root_;
      for (int i = 0; i < parent.child_count; ++i) {
        Node& child = parent.children[i];
        if (first[static_cast<std::size_t>(child.action)] != step.mover) continue;
        child.amaf_visits += 1;
        child.amaf_wins += worth;
      }
    }
  }
  if constexpr (H::kOwner) {
    if (!played_out) return;
    for (std::size_t cell = 0; cell < worker.owner.size(); ++cell)
      worker.owner[cell] += static_cast<float>(worker.trace.owner[cell]);
    ++worker.simulations;
  }
}

// Which of two moves the mover should make: a proven win, then the most visits among what is not lost.
template <GameState S, class H>
bool Mcts<S, H>::better(const Node& a, const Node& b, int mover) {
  const auto rank = [&](const Node& n) { return n.winner == mover ? 2 : n.winner == 1 - mover ? 0 : 1; };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  if (a.visits != b.visits) return a.visits > b.visits;
  return a.worth + a.prior_wins > b.worth + b.prior_wins;
}

template <GameState S, class H>
bool Mcts<S, H>::is_clear(std::int64_t remaining) const {
  std::int64_t most = 0;
  std::int64_t second = 0;
  for (int i = 0; i < root_->child_count; ++i) {
    const std::int64_t visits = root_->children[i].visits;
    if (visits > most) {
      second = most;
      most = visits;
    } else {
      second = std::max(second, visits);
    }
  }
  return most - second > remaining;
}

template <GameState S, class H>
void Mcts<S, H>::copy_record(const Node& from, Node& to) {
  to.action = from.action;
  to.winner = from.winner;
  to.complete = from.complete;
  to.visits = from.visits;
  to.wins = from.wins;
  to.worth = from.worth;
  to.score = from.score;
  to.amaf_visits = from.amaf_visits;
  to.amaf_wins = from.amaf_wins;
  to.prior_visits = from.prior_visits;
  to.prior_wins = from.prior_wins;
}

// With its children, which then belong to both; while no thread works.
template <GameState S, class H>
void Mcts<S, H>::move_node(const Node& from, Node& to) {
  copy_record(from, to);
  to.children = from.children;
  to.child_count = from.child_count;
  to.growth = from.growth.load();
}

template <GameState S, class H>
void Mcts<S, H>::copy_tree(const Node& from, Node& to, NodePool& pool) {
  copy_record(from, to);
  if (from.growth != 2) return;
  to.children = pool.take(from.child_count);
  if (to.children == nullptr) return;
  to.child_count = from.child_count;
  for (int i = 0; i < from.child_count; ++i) copy_tree(from.children[i], to.children[i], pool);
  to.growth = 2;
}

template <GameState S, class H>
void Mcts<S, H>::advance(Action action) {
  root_state_.play(action);
  Node* kept = nullptr;
  for (int i = 0; i < root_->child_count; ++i)
    if (root_->children[i].action == action) kept = &root_->children[i];
  const auto old_pool = std::move(pool_);
  reset();
  if (kept != nullptr) copy_tree(*kept, *root_, *pool_);
}

template <GameState S, class H>
SearchReport Mcts<S, H>::report() const {
  SearchReport result;
  const int mover = root_state_.to_move();
  std::vector<const Node*> order;
  for (int i = 0; i < root_->child_count; ++i) order.push_back(&root_->children[i]);
  std::stable_sort(order.begin(), order.end(),
                   [&](const Node* a, const Node* b) { return better(*a, *b, mover); });
  float wins = 0;
  float score = 0;
  float expected = 0;
  for (const Node* node : order) expected += node->prior_wins;
  for (const Node* node : order) {
    SearchedMove move{node->action, node->visits, mean(*node), 0, node->winner, {node->action}};
    if (expected > 0) move.prior = node->prior_wins / expected;
    if (node->visits > 0) move.score = unsquashed(node->score / static_cast<float>(node->visits));
    if (node->winner != kUnknown)
      move.win = node->winner == kDraw ? 0.5f : node->winner == mover ? 1.0f : 0.0f;
    wins += node->wins;
    score += node->score;
    result.visits += node->visits;
    S state = root_state_;
    state.play(node->action);
    for (const Node* at = node; at->growth == 2 && move.line.size() < 60 && !state.is_over();) {
      const Node* next = nullptr;
      for (int i = 0; i < at->child_count; ++i) {
        const Node& child = at->children[i];
        if (child.visits > 0 && (next == nullptr || better(child, *next, state.to_move()))) next = &child;
      }
      if (next == nullptr) break;
      state.play(next->action);
      move.line.push_back(next->action);
      at = next;
    }
    result.moves.push_back(std::move(move));
  }
  if (result.visits > 0) {
    result.win = wins / static_cast<float>(result.visits);
    result.score = unsquashed(score / static_cast<float>(result.visits));
  }
  result.winner = root_->winner;
  if (result.winner != kUnknown)
    result.win = result.winner == kDraw ? 0.5f : result.winner == mover ? 1.0f : 0.0f;
  if constexpr (H::kOwner) {
    for (const float sum : owner_)
      result.owner.push_back(owner_count_ > 0 ? sum / static_cast<float>(owner_count_) : 0);
  }
  return result;
}

// The search that a game is played with: this one, unless games/<game>/heuristics.hpp names another with the
// same methods.
template <GameState S>
struct SearchOf {
  using type = Mcts<S>;
};

}  // namespace tengen
