// Tree search with a neural net that lives elsewhere: collect() brings the positions that wait for the net,
// supply() takes what the net says of them. So many trees can share one batch.
//
// Two ways to choose. Gumbel (Danihelka and others, 2022) plans a fixed number of simulations: at the root
// sequential halving among the moves that look best, below it the improved policy. It gets the most out of
// few simulations and its improved policy is what a net learns from. PUCT knows no end and suits thousands.
// The game's Heuristics say which moves deserve a look and what is certain without search; proven winners are
// carried up. The policy is the net's word on which moves are good.
// Nodes lie in one vector, the children of a node side by side. Wins are always seat 0's, between 0 and 1.
// The net sees a position from its mover's side. Start reading at NetSearch::collect(); how a move is chosen,
// on the way and in the end, is net_choice.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "search/heuristics.hpp"
#include "search/report.hpp"

namespace tengen {

struct NetSearchSettings {
  bool gumbel = true;
  int considered = 16;      // moves that the root starts with (Gumbel)
  float noise = 0;          // scale of the Gumbel noise on the root's policy: 1 explores, 0 plays its best
  float visit_offset = 50;  // how much a difference in value weighs against the policy before any visit
  float value_scale = 1;
  float exploration = 0.8f;      // PUCT; 1.4 scored 37 % against it (docs/results/net-search.json)
  float first_play_loss = 0.2f;  // an unvisited move starts this much below its parent's value (PUCT)
  // In place of what the game's Heuristics say, for trials.
  std::optional<float> playout_share = std::nullopt;
  std::optional<float> lead_share = std::nullopt;
};

struct NetNode {
  Action action = -1;
  std::int8_t winner = kUnknown;  // proven
  std::int8_t mover = 0;          // of the position after the action; known once looked at
  bool looked_at = false;         // the net's word is in, or the winner is known
  bool pending = false;           // waits for the net
  bool complete = false;          // the children are all moves that matter
  std::uint16_t child_count = 0;
  std::uint32_t first_child = 0;
  std::uint32_t visits = 0;
  std::uint32_t waiting = 0;  // visits under way
  float logit = 0;
  float prior = 0;
  float noise = 0;  // Gumbel noise, at the root
  float wins = 0;
  float lead = 0;      // the sum over visits, for seat 0, like all below
  float value = 0.5f;  // what the net says, and a playout where that has a share
  float value_lead = 0;
  float told = 0.5f;  // the net's word alone
};

// A fingerprint of what a net is shown.
inline std::uint64_t key_of(std::span<const float> planes) {
  std::uint64_t key = planes.size();
  for (std::size_t i = 0; i < planes.size(); i += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, &planes[i], std::min<std::size_t>(2, planes.size() - i) * sizeof(float));
    key = (key ^ word) * 0x9E3779B97F4A7C15ull;
    key ^= key >> 29;
  }
  return key;
}

template <GameState S>
class NetSearch {
  static_assert(has_heuristics<S>());

 public:
  static constexpr std::size_t kMaxNodes = 6'000'000;  // about 300 MB
  static constexpr float kLeadSharpness =
      1.0f;  // a side of the board in points is half of what points can be worth
  // A visit that waits counts as lost until its answer comes, so that a young tree is searched better with
  // few of them: 4 against 16 won 95 of 160 games of 250 and 400 visits. An old one hardly notices.
  static constexpr int kFewWaiting = 4;
  static constexpr std::uint32_t kYoung = 1000;  // visits
  // An action that is advised and not sure has so much of the policy. Something is better that has a part of
  // its visits, wins as often but for so little, and leads by more points, which a small net may be off by.
  static constexpr float kFavour = 0.5f;
  static constexpr std::uint32_t kPart = 8;
  static constexpr float kAsOften = 0.01f;
  static constexpr float kPointsMore = 3;
  static constexpr int kMostCertain = 256;  // in one collect(), whose caller may have a clock to look at

  NetSearch(const S& root, const NetSearchSettings& settings, std::uint64_t seed)
      : settings_(settings),
        playout_share_(settings.playout_share.value_or(Heuristics<S>::playout_share(root))),
        lead_share_(settings.lead_share.value_or(Heuristics<S>::lead_share(root, settings.gumbel))),
        rng_(seed),
        root_state_(root) {
    nodes_.emplace_back();
    side_ = std::sqrt(static_cast<float>(root.cell_count()));
    trace_.first.assign(static_cast<std::size_t>(root.action_count()), -1);
    trace_.owner.assign(static_cast<std::size_t>(root.cell_count()), 0);
  }

  const S& root_state() const { return root_state_; }

  // A new run of that many simulations; the tree stays. `noise` as in the settings.
  void begin(int simulations, float noise);
  bool finished() const {
    return waiting_.empty() && (started_ >= simulations_ || is_decided() || is_full());
  }
  // Whether no other move can catch up any more in this run (PUCT; Gumbel carries its plan out).
  bool is_clear() const;
  // Finds up to `most` positions for the net and writes their planes one after another. None are found when
  // the run is finished, or when all that is worth looking at waits already.
  int collect(int most, float* planes);
  // The net's words for all positions that wait, in the order in which they were collected: logits of all
  // actions and the worth to the mover from -1 to 1; leads may be null.
  void supply(const float* logits, const float* values, const float* leads);
  // Goes on from the state after that action. Gumbel plans anew; PUCT keeps what it knows.
  void advance(Action action);

  Action choice() const;
  // What the policy should have been: the net's, moved towards the moves that came out well. By action.
  void improved_policy(std::span<float> out) const;
  // How far that improved policy is from the net's: the Kullback-Leibler divergence in nats.
  float surprise(std::span<const float> improved) const;
  float root_win() const;  // of the root's mover
  bool proven() const { return root().winner != kUnknown; }
  SearchReport report() const;

 private:
  struct Leaf {
    std::vector<std::uint32_t> path;  // from the root to the leaf, both included
    std::uint64_t key = 0;            // of what the net is shown
  };

  const NetNode& root() const { return nodes_[0]; }
  bool is_full() const { return nodes_.size() > kMaxNodes; }
  // There is nothing left to find out. The root itself need not be proven: it may have moves that do not
  // matter beside those that are.
  bool is_decided() const {
    const NetNode& node = root();
    if (node.winner != kUnknown) return true;
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
      if (nodes_[i].winner == kUnknown) return false;
    return node.child_count > 0;
  }
  float win_for(const NetNode& node, int seat) const {
    const float win = node.visits > 0 ? node.wins / static_cast<float>(node.visits) : node.value;
    return seat == 0 ? win : 1.0f - win;
  }
  // What a search tries to get the most of: the chance to win and, where the game counts, a part for points,
  // so that of moves that win or lose alike the better one is played.
  float worth_for(const NetNode& node, int seat) const {
    return win_for(node, seat) + points_for(mean_lead(node), seat);
  }
  float mean_lead(const NetNode& node) const {
    return node.visits > 0 ? node.lead / static_cast<float>(node.visits) : node.value_lead;
  }
  // The worth of a lead of seat 0 beside what the net expects of the root, to either seat.
  float points_for(float lead, int seat) const {
    if (lead_share_ == 0) return 0;
    const float more = (lead - root().value_lead) * kLeadSharpness * side_;
    const float worth = 0.5f * lead_share_ * more / (1.0f + std::abs(more));  // the same in every home
    return seat == 0 ? worth : -worth;
  }
  std::uint32_t best_child(const NetNode& node, auto worth) const {
    std::uint32_t best = node.first_child;
    float most = -std::numeric_limits<float>::infinity();
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
      if (const float w = worth(nodes_[i]); w > most) {
        most = w;
        best = i;
      }
    }
    return best;
  }

  void take_advice();
  void follow_advice(NetNode& node);  // among the children: some are left out, or one is favoured
  // A plan of few simulations finds nothing better.
  bool is_told_to() const { return advice_.action >= 0 && (advice_.sure || settings_.gumbel); }
  void look_at(std::uint32_t index, const S& state);
  void open(NetNode& node, const S& state, const float* logits);
  bool open_like(std::uint32_t index, const S& state, std::uint64_t key);
  float with_playout(const S& state, float told);
  std::uint32_t select(const NetNode& node) const;
  std::uint32_t select_root();
  std::uint32_t select_puct(const NetNode& node) const;
  std::uint32_t select_improved(const NetNode& node) const;
  void plan();
  const NetNode& better_than_advised(const NetNode& advised) const;
  float mixed_value(const NetNode& node, auto own, auto of_child) const;
  float mixed_win(const NetNode& node) const;
  float mixed_worth(const NetNode& node) const;
  float stretch(const NetNode& node) const;
  void settle(const std::vector<std::uint32_t>& path);
  void back_up(const std::vector<std::uint32_t>& path, float win, float lead);
  void copy_tree(const std::vector<NetNode>& from, std::uint32_t source, std::uint32_t target);

  NetSearchSettings settings_;
  float playout_share_;
  float lead_share_;
  Rng rng_;
  S root_state_;
  std::vector<NetNode> nodes_;
  std::vector<Leaf> waiting_;
  // By what the net was shown: the node with its answer. Another order of the same moves asks no more.
  std::unordered_map<std::uint64_t, std::uint32_t> answered_;
  std::vector<std::uint32_t> path_;
  std::vector<std::uint16_t> plan_;  // by simulation: how many visits the move that is due has had (Gumbel)
  ActionList actions_;
  Trace trace_;              // of playouts; nobody reads it
  Advice advice_;            // for the root
  bool is_advised_ = false;  // it has been asked for
  int simulations_ = 0;
  int started_ = 0;
  float noise_ = 0;
  float side_ = 1;  // of a square as large as the board
};

template <GameState S>
void NetSearch<S>::begin(int simulations, float noise) {
  simulations_ = simulations;
  started_ = 0;
  noise_ = noise;
  if (root_state_.is_over()) {
    simulations_ = 0;
    return;
  }
  nodes_[0].mover = static_cast<std::int8_t>(root_state_.to_move());
  if (!is_advised_) take_advice();
  if (is_told_to()) {
    simulations_ = 0;
    return;
  }
  NetNode& node = nodes_[0];
  if (node.looked_at) {
    if (settings_.gumbel) plan();
    return;
  }
  // A certain win is taken; of a certain loss the best defence is still sought.
  const Heuristics<S> heuristics;
  const Certain certain = heuristics.certain(root_state_);
  if (certain.winner == root_state_.to_move()) {
    node.winner = certain.winner;
    node.first_child = static_cast<std::uint32_t>(nodes_.size());
    node.child_count = 1;
    node.looked_at = true;
    NetNode child;
    child.action = certain.action;
    child.winner = certain.winner;
    child.looked_at = true;
    child.visits = 1;
    child.wins = certain.winner == 0 ? 1.0f : 0.0f;
    child.prior = 1;
    nodes_.push_back(child);
  }
}

// Of what the game's heuristics know of the root: a sure end of the game is the only move, and moves that
// only cost are left out.
template <GameState S>
void NetSearch<S>::take_advice() {
  is_advised_ = true;
  advice_ = Heuristics<S>().advise(root_state_, rng_.next());
  NetNode& node = nodes_[0];
  if (!is_told_to()) {
    if (node.child_count > 0) follow_advice(node);
    return;
  }
  node.looked_at = true;
  node.value = advice_.value.win;
  node.first_child = static_cast<std::uint32_t>(nodes_.size());
  node.child_count = 1;
  NetNode child;
  child.action = advice_.action;
  child.looked_at = true;
  child.visits = 1;
  child.prior = 1;
  child.value = child.wins = advice_.value.win;
  child.value_lead = child.lead = advice_.value.score / static_cast<float>(root_state_.cell_count());
  nodes_.push_back(child);
}

template <GameState S>
void NetSearch<S>::follow_advice(NetNode& node) {
  if (advice_.action >= 0) {
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
      nodes_[i].prior *= 1 - kFavour;
      if (nodes_[i].action == advice_.action) nodes_[i].prior += kFavour;
    }
  }
  std::uint32_t kept = node.first_child;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    const auto& out = advice_.left_out;
    if (std::find(out.begin(), out.end(), nodes_[i].action) == out.end()) nodes_[kept++] = nodes_[i];
  }
  if (kept < node.first_child + node.child_count) node.complete = false;
  node.child_count = static_cast<std::uint16_t>(kept - node.first_child);
}

template <GameState S>
bool NetSearch<S>::is_clear() const {
  if (settings_.gumbel) return false;
  const NetNode& node = root();
  std::int64_t most = 0;
  std::int64_t second = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    if (nodes_[i].winner == 1 - node.mover) continue;
    const std::int64_t visits = nodes_[i].visits;
    second = std::max(second, std::min(visits, most));
    most = std::max(most, visits);
  }
  return most - second > simulations_ - started_;
}

template <GameState S>
int NetSearch<S>::collect(int most, float* planes) {
  const auto plane_size = static_cast<std::size_t>(root_state_.planes().size());
  if (!settings_.gumbel && root().visits < kYoung) most = std::min(most, kFewWaiting);
  int found = 0;
  int certain = 0;  // simulations that needed no net
  while (found < most && started_ < simulations_ && !is_decided() && !is_full()) {
    S state = root_state_;
    std::uint32_t index = 0;
    path_.assign(1, 0);
    if (root().pending) break;
    if (root().looked_at && settings_.gumbel && !waiting_.empty()) {
      // Moves of one round may be looked at together; a new round needs what the last one found.
      const auto at = static_cast<std::size_t>(started_);
      if (plan_[at] != plan_[at - 1]) break;
    }
    while (nodes_[index].looked_at && nodes_[index].child_count > 0 && nodes_[index].winner == kUnknown) {
      index = index == 0 ? select_root() : select(nodes_[index]);
      path_.push_back(index);
      state.play(nodes_[index].action);
    }
    if (nodes_[index].pending) break;  // two simulations cannot wait for the same position
    if (index != 0) ++started_;
    if (!nodes_[index].looked_at && index != 0) look_at(index, state);
    if (nodes_[index].looked_at) {
      const NetNode& node = nodes_[index];
      if (node.winner != kUnknown) {
        settle(path_);
        const float win = node.winner == kDraw ? 0.5f : node.winner == 0 ? 1.0f : 0.0f;
        back_up(path_, win, node.value_lead);
      } else {
        back_up(path_, node.value, node.value_lead);
      }
      if (++certain == kMostCertain) break;
      continue;
    }
    nodes_[index].mover = static_cast<std::int8_t>(state.to_move());
    const std::span<float> shown{planes + static_cast<std::size_t>(found) * plane_size, plane_size};
    state.encode(shown);
    const std::uint64_t key = key_of(shown);
    if (index != 0 && open_like(index, state, key)) {
      back_up(path_, nodes_[index].value, nodes_[index].value_lead);
      if (++certain == kMostCertain) break;
      continue;
    }
    nodes_[index].pending = true;
    for (const std::uint32_t i : path_) ++nodes_[i].waiting;
    waiting_.push_back({path_, key});
    ++found;
  }
  return found;
}

// What needs no net: the game is over, or the heuristics are certain.
template <GameState S>
void NetSearch<S>::look_at(std::uint32_t index, const S& state) {
  NetNode& node = nodes_[index];
  const Heuristics<S> heuristics;
  node.mover = static_cast<std::int8_t>(state.to_move());
  if (state.is_over()) {
    if (!heuristics.is_final(state)) return;  // the net says who would win
    const Value value = value_of(state.outcome());
    node.value = value.win;
    node.value_lead = value.score / static_cast<float>(state.cell_count());
    node.looked_at = true;
    node.winner = static_cast<std::int8_t>(state.outcome().winner);
    return;
  }
  const Certain certain = heuristics.certain(state);
  if (certain.winner == kUnknown) return;
  node.winner = certain.winner;
  node.looked_at = true;
}

template <GameState S>
void NetSearch<S>::supply(const float* logits, const float* values, const float* leads) {
  const auto action_count = static_cast<std::size_t>(root_state_.action_count());
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const auto& path = waiting_[i].path;
    S state = root_state_;
    for (std::size_t depth = 1; depth < path.size(); ++depth) state.play(nodes_[path[depth]].action);
    for (const std::uint32_t at : path) --nodes_[at].waiting;
    NetNode& leaf = nodes_[path.back()];
    const float win = 0.5f + 0.5f * std::clamp(values[i], -1.0f, 1.0f);
    const float lead = leads != nullptr ? leads[i] : 0.0f;
    leaf.pending = false;
    leaf.looked_at = true;
    leaf.told = state.to_move() == 0 ? win : 1.0f - win;
    leaf.value = with_playout(state, leaf.told);
    leaf.value_lead = state.to_move() == 0 ? lead : -lead;
    const float value = leaf.value;
    const float seat_lead = leaf.value_lead;
    if (!state.is_over()) {
      open(leaf, state, logits + i * action_count);
      answered_[waiting_[i].key] = path.back();
    }
    if (path.size() == 1) {
      follow_advice(nodes_[0]);
      if (settings_.gumbel) plan();
    } else {
      back_up(path, value, seat_lead);
    }
  }
  waiting_.clear();
}

// What the net says of a leaf, and a playout from it where that has a share.
template <GameState S>
float NetSearch<S>::with_playout(const S& state, float told) {
  if (playout_share_ == 0) return told;
  S copy = state;
  const float played = Heuristics<S>().playout(copy, Heuristics<S>::settings(), rng_, trace_).win;
  return told + playout_share_ * (played - told);
}

// Looks at a leaf without asking the net, if it was shown the same before and the moves are the same: what is
// legal may depend on more than the net sees.
template <GameState S>
bool NetSearch<S>::open_like(std::uint32_t index, const S& state, std::uint64_t key) {
  const auto found = answered_.find(key);
  if (found == answered_.end() || state.is_over()) return false;
  const NetNode twin = nodes_[found->second];
  const bool complete = Heuristics<S>().candidates(state, actions_);
  if (actions_.size() != twin.child_count || complete != twin.complete) return false;
  for (std::uint32_t i = 0; i < twin.child_count; ++i)
    if (nodes_[twin.first_child + i].action != actions_[i]) return false;
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(first + twin.child_count);
  for (std::uint32_t i = 0; i < twin.child_count; ++i) {
    const NetNode& from = nodes_[twin.first_child + i];
    nodes_[first + i].action = from.action;
    nodes_[first + i].logit = from.logit;
    nodes_[first + i].prior = from.prior;
  }
  NetNode& node = nodes_[index];
  node.looked_at = true;
  node.complete = complete;
  node.first_child = first;
  node.child_count = twin.child_count;
  node.told = twin.told;
  node.value = with_playout(state, twin.told);
  node.value_lead = twin.value_lead;
  return true;
}

template <GameState S>
void NetSearch<S>::open(NetNode& node, const S& state, const float* logits) {
  const Heuristics<S> heuristics;
  const bool complete = heuristics.candidates(state, actions_);
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  node.complete = complete;
  node.first_child = first;
  node.child_count = static_cast<std::uint16_t>(actions_.size());
  float highest = -std::numeric_limits<float>::infinity();
  for (const Action a : actions_) highest = std::max(highest, logits[a]);
  float sum = 0;
  nodes_.resize(first + actions_.size());  // `node` must not be used from here on
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    NetNode& child = nodes_[first + i];
    child.action = actions_[i];
    child.logit = logits[actions_[i]] - highest;
    child.prior = std::exp(child.logit);
    sum += child.prior;
  }
  for (std::size_t i = 0; i < actions_.size(); ++i) nodes_[first + i].prior /= sum;
}

// The last node of the path is proven: carry that up as far as it decides.
template <GameState S>
void NetSearch<S>::settle(const std::vector<std::uint32_t>& path) {
  for (std::size_t depth = path.size() - 1; depth-- > 0;) {
    const std::int8_t winner = nodes_[path[depth + 1]].winner;
    NetNode& parent = nodes_[path[depth]];
    if (winner == parent.mover) {
      parent.winner = winner;
      continue;
    }
    if (!parent.complete) return;
    bool draw = false;
    for (std::uint32_t i = parent.first_child; i < parent.first_child + parent.child_count; ++i) {
      const std::int8_t other = nodes_[i].winner;
      if (other == kUnknown || other == parent.mover) return;
      draw |= other == kDraw;
    }
    parent.winner = static_cast<std::int8_t>(draw ? kDraw : 1 - parent.mover);
  }
}

template <GameState S>
void NetSearch<S>::back_up(const std::vector<std::uint32_t>& path, float win, float lead) {
  for (const std::uint32_t i : path) {
    nodes_[i].visits += 1;
    nodes_[i].wins += win;
    nodes_[i].lead += lead;
  }
}

template <GameState S>
void NetSearch<S>::copy_tree(const std::vector<NetNode>& from, std::uint32_t source, std::uint32_t target) {
  nodes_[target] = from[source];
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  const std::uint16_t count = from[source].child_count;
  nodes_[target].first_child = first;
  nodes_.resize(first + count);
  for (std::uint32_t i = 0; i < count; ++i) copy_tree(from, from[source].first_child + i, first + i);
}

template <GameState S>
void NetSearch<S>::advance(Action action) {
  root_state_.play(action);
  std::vector<NetNode> old = std::move(nodes_);
  nodes_.assign(1, NetNode{});
  is_advised_ = false;
  advice_ = {};
  waiting_.clear();
  answered_.clear();
  simulations_ = started_ = 0;
  if (settings_.gumbel) return;
  const NetNode& node = old[0];
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    if (old[i].action != action || !old[i].looked_at || old[i].child_count == 0) continue;
    copy_tree(old, i, 0);
    return;
  }
}

template <GameState S>
SearchReport NetSearch<S>::report() const {
  SearchReport result;
  const NetNode& node = root();
  if (node.child_count == 0) return result;
  const int mover = node.mover;
  const Action best = choice();
  std::vector<const NetNode*> order;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    order.push_back(&nodes_[i]);
  std::stable_sort(order.begin(), order.end(), [&](const NetNode* a, const NetNode* b) {
    if ((a->action == best) != (b->action == best)) return a->action == best;
    return a->visits != b->visits ? a->visits > b->visits : a->prior > b->prior;
  });
  const float sign = mover == 0 ? 1.0f : -1.0f;
  const auto cells = static_cast<float>(root_state_.cell_count());
  for (const NetNode* child : order) {
    SearchedMove move{
        child->action, child->visits,  child->visits > 0 ? win_for(*child, mover) : mixed_win(node), 0,
        child->winner, {child->action}};
    if (child->winner != kUnknown)
      move.win = child->winner == kDraw ? 0.5f : child->winner == mover ? 1.0f : 0.0f;
    move.prior = child->prior;
    if (child->visits > 0) move.score = sign * cells * child->lead / static_cast<float>(child->visits);
    result.visits += child->visits;
    for (const NetNode* at = child; at->child_count > 0 && move.line.size() < 60;) {
      const std::uint32_t next = best_child(*at, [&](const NetNode& c) {
        return static_cast<float>(c.visits) + (c.winner == at->mover ? 1e9f : 0.0f);
      });
      if (nodes_[next].visits == 0) break;
      move.line.push_back(nodes_[next].action);
      at = &nodes_[next];
    }
    result.moves.push_back(std::move(move));
  }
  result.win = root_win();
  result.winner = node.winner;
  if (best == advice_.action && !is_told_to()) {  // nothing is better, so that the count stands
    const float win = advice_.value.win;
    result.win = result.moves.front().win = mover == 0 ? win : 1 - win;
    result.moves.front().score = sign * advice_.value.score;
  }
  result.score = result.moves.front().score;
  return result;
}

}  // namespace tengen

#include "search/net_choice.hpp"
