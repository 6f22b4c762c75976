// How NetSearch chooses: which move of a position a simulation takes, and which one is made in the end. The
// part of net_search.hpp that is Gumbel's plan or PUCT's formula. Start reading at NetSearch::select_root().
#pragma once

#include "search/net_search.hpp"

namespace tengen {

// The visits that sequential halving gives: in each phase the better half of the moves goes on.
template <GameState S>
void NetSearch<S>::plan() {
  const NetNode& node = root();
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    if (noise_ <= 0) {
      nodes_[i].noise = 0;
      continue;
    }
    const double uniform = (static_cast<double>(rng_.next() >> 11) + 0.5) * 0x1p-53;
    nodes_[i].noise = noise_ * static_cast<float>(-std::log(-std::log(uniform)));
  }
  int considered = std::min<int>({settings_.considered, node.child_count, simulations_});
  const int phases = std::max(1, static_cast<int>(std::ceil(std::log2(std::max(1, considered)))));
  plan_.clear();
  std::uint16_t visits = 0;
  while (static_cast<int>(plan_.size()) < simulations_) {
    const int rounds = std::max(1, simulations_ / (phases * std::max(1, considered)));
    for (int round = 0; round < rounds; ++round, ++visits)
      plan_.insert(plan_.end(), static_cast<std::size_t>(std::max(1, considered)), visits);
    considered = std::max(2, considered / 2);
  }
}

// The weight of a difference in value, in logits.
template <GameState S>
float NetSearch<S>::stretch(const NetNode& node) const {
  std::uint32_t most = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    most = std::max(most, nodes_[i].visits);
  return (settings_.visit_offset + static_cast<float>(most)) * settings_.value_scale;
}

// What an unvisited move is taken to be worth to the mover: the net's word and what visited moves came to.
template <GameState S>
float NetSearch<S>::mixed_value(const NetNode& node, auto own, auto of_child) const {
  float visits = 0;
  float prior = 0;
  float weighted = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    const NetNode& child = nodes_[i];
    if (child.visits == 0) continue;
    visits += static_cast<float>(child.visits);
    prior += child.prior;
    weighted += child.prior * of_child(child);
  }
  if (prior <= 0) return own;
  return (own + visits * weighted / prior) / (1.0f + visits);
}

template <GameState S>
float NetSearch<S>::mixed_win(const NetNode& node) const {
  const float own = node.mover == 0 ? node.value : 1.0f - node.value;
  return mixed_value(node, own, [&](const NetNode& child) { return win_for(child, node.mover); });
}

template <GameState S>
float NetSearch<S>::mixed_worth(const NetNode& node) const {
  const float own =
      (node.mover == 0 ? node.value : 1.0f - node.value) + points_for(node.value_lead, node.mover);
  return mixed_value(node, own, [&](const NetNode& child) { return worth_for(child, node.mover); });
}

template <GameState S>
std::uint32_t NetSearch<S>::select_root() {
  const NetNode& node = root();
  if (!settings_.gumbel) return select_puct(node);
  const int mover = node.mover;
  const std::uint16_t due = plan_[static_cast<std::size_t>(started_)];
  const float scale = stretch(node);
  const float unvisited = mixed_worth(node);
  return best_child(node, [&](const NetNode& child) {
    if (child.winner == 1 - mover) return -1e9f;
    const float win = child.visits > 0 ? worth_for(child, mover) : unvisited;
    const float worth = child.noise + child.logit + scale * win;
    return child.visits + child.waiting == due ? worth : worth - 1e6f;
  });
}

template <GameState S>
std::uint32_t NetSearch<S>::select(const NetNode& node) const {
  return settings_.gumbel ? select_improved(node) : select_puct(node);
}

template <GameState S>
std::uint32_t NetSearch<S>::select_puct(const NetNode& node) const {
  const int mover = node.mover;
  float seen = 0;
  float wins = 0;
  float visited = 0;
  float lead = node.value_lead;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    const NetNode& child = nodes_[i];
    seen += static_cast<float>(child.visits + child.waiting);
    wins += mover == 0 ? child.wins : static_cast<float>(child.visits) - child.wins;
    lead += child.lead;
    visited += static_cast<float>(child.visits);
  }
  const float own = mover == 0 ? node.value : 1.0f - node.value;
  const float value = (own + wins) / (1.0f + seen) + points_for(lead / (1.0f + visited), mover);
  const float first_play = value - settings_.first_play_loss;
  const float root_visits = std::sqrt(seen + 1.0f);
  return best_child(node, [&](const NetNode& child) {
    if (child.winner == 1 - mover) return -1e9f + child.prior;
    if (child.winner == mover) return 1e9f;
    const auto visits = static_cast<float>(child.visits + child.waiting);  // what waits counts as lost
    const float won = mover == 0 ? child.wins : static_cast<float>(child.visits) - child.wins;
    const float points = child.visits > 0 ? points_for(mean_lead(child), mover) : 0.0f;
    const float worth = visits > 0 ? won / visits + points : first_play;
    return worth + settings_.exploration * child.prior * root_visits / (1.0f + visits);
  });
}

// The move that the improved policy would have visited most by now.
template <GameState S>
std::uint32_t NetSearch<S>::select_improved(const NetNode& node) const {
  const int mover = node.mover;
  const float scale = stretch(node);
  const float unvisited = mixed_worth(node);
  const auto worth = [&](const NetNode& child) {
    return child.logit + scale * (child.visits > 0 ? worth_for(child, mover) : unvisited);
  };
  float highest = -std::numeric_limits<float>::infinity();
  float visits = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    if (nodes_[i].winner != 1 - mover) highest = std::max(highest, worth(nodes_[i]));
    visits += static_cast<float>(nodes_[i].visits + nodes_[i].waiting);
  }
  float sum = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    if (nodes_[i].winner != 1 - mover) sum += std::exp(worth(nodes_[i]) - highest);
  return best_child(node, [&](const NetNode& child) {
    if (child.winner == 1 - mover) return -1e9f + child.prior;
    if (child.winner == mover) return 1e9f;
    return std::exp(worth(child) - highest) / sum -
           static_cast<float>(child.visits + child.waiting) / (1.0f + visits);
  });
}

template <GameState S>
Action NetSearch<S>::choice() const {
  const NetNode& node = root();
  const int mover = node.mover;
  std::uint32_t most = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    if (nodes_[i].winner != 1 - mover) most = std::max(most, nodes_[i].visits);
  const float scale = stretch(node);
  const float unvisited = mixed_worth(node);
  const std::uint32_t best = best_child(node, [&](const NetNode& child) {
    if (child.winner == mover) return 1e9f;
    if (child.winner == 1 - mover) return -1e9f + static_cast<float>(child.visits);
    const float win = child.visits > 0 ? worth_for(child, mover) : unvisited;
    if (!settings_.gumbel) return 2 * static_cast<float>(child.visits) + win;  // a visit more beats any worth
    const float worth = child.noise + child.logit + scale * win;
    return child.visits == most ? worth : worth - 1e6f;
  });
  if (advice_.action < 0 || is_told_to() || nodes_[best].winner == mover) return nodes_[best].action;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    if (nodes_[i].action == advice_.action) return better_than_advised(nodes_[i]).action;
  return nodes_[best].action;
}

// The advised action itself where nothing is.
template <GameState S>
const NetNode& NetSearch<S>::better_than_advised(const NetNode& advised) const {
  const int mover = root().mover;
  const float sign = mover == 0 ? 1.0f : -1.0f;
  const float points = kPointsMore / static_cast<float>(root_state_.cell_count());
  const NetNode* best = &advised;
  const auto is_free = [&](Action a) {
    return std::find(advice_.free.begin(), advice_.free.end(), a) != advice_.free.end();
  };
  for (std::uint32_t i = root().first_child; i < root().first_child + root().child_count; ++i) {
    const NetNode& child = nodes_[i];
    if (child.visits == 0 || child.visits * kPart < advised.visits) continue;
    if (win_for(child, mover) < win_for(advised, mover) - kAsOften) continue;
    const float more = sign * (mean_lead(child) - mean_lead(advised));
    if (more < (is_free(child.action) ? 0 : points)) continue;
    if (best == &advised || worth_for(child, mover) > worth_for(*best, mover)) best = &child;
  }
  return *best;
}

template <GameState S>
void NetSearch<S>::improved_policy(std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  const NetNode& node = root();
  const int mover = node.mover;
  if (node.winner == mover) {
    out[static_cast<std::size_t>(choice())] = 1;
    return;
  }
  const float scale = stretch(node);
  const float unvisited = mixed_worth(node);
  bool all_lost = true;  // of the moves that matter; others may be left, so the root need not be proven
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    all_lost &= nodes_[i].winner == 1 - mover;
  float highest = -std::numeric_limits<float>::infinity();
  const auto worth = [&](const NetNode& child) {
    return child.logit + scale * (child.visits > 0 ? worth_for(child, mover) : unvisited);
  };
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i)
    if (all_lost || nodes_[i].winner != 1 - mover) highest = std::max(highest, worth(nodes_[i]));
  float sum = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    if (!all_lost && nodes_[i].winner == 1 - mover) continue;
    const float weight = std::exp(worth(nodes_[i]) - highest);
    out[static_cast<std::size_t>(nodes_[i].action)] = weight;
    sum += weight;
  }
  for (float& weight : out) weight /= sum;
}

template <GameState S>
float NetSearch<S>::surprise(std::span<const float> improved) const {
  constexpr float kLeast = 1e-6f;  // of a prior
  const NetNode& node = root();
  float sum = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    const float share = improved[static_cast<std::size_t>(nodes_[i].action)];
    if (share > 0) sum += share * std::log(share / std::max(nodes_[i].prior, kLeast));
  }
  return std::max(0.0f, sum);
}

template <GameState S>
float NetSearch<S>::root_win() const {
  const NetNode& node = root();
  if (node.winner != kUnknown) return node.winner == kDraw ? 0.5f : node.winner == node.mover ? 1.0f : 0.0f;
  return mixed_win(node);
}

}  // namespace tengen
