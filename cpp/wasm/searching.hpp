// The two ways in which a position is searched in the page: as the game's own search does it, or with a
// brain's net. tengen.brains.search does the second on the server, and both find the same for the same seed.
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include "net/net.hpp"
#include "search/mcts.hpp"
#include "search/net_search.hpp"

namespace tengen::wasm {

using Brain = std::shared_ptr<const Net>;

template <GameState S>
class Searching {
 public:
  virtual ~Searching() = default;
  virtual void run(const SearchLimits& limits) = 0;
  virtual void advance(Action action) = 0;
  virtual SearchReport report() = 0;
};

template <GameState S>
class OwnSearching : public Searching<S> {
 public:
  OwnSearching(const S& state, std::uint64_t seed) : search_(state, Heuristics<S>::settings(), seed) {}

  void run(const SearchLimits& limits) override { search_.run(limits); }
  void advance(Action action) override { search_.advance(action); }
  SearchReport report() override { return search_.report(); }

 private:
  typename SearchOf<S>::type search_;
};

template <GameState S>
class BrainSearching : public Searching<S> {
 public:
  static constexpr int kBatch = 16;  // positions that the net sees together, as on the server

  // The net must fit. Few simulations are `planned`; then each run starts anew.
  BrainSearching(const S& state, Brain brain, bool planned, std::uint64_t seed)
      : brain_(std::move(brain)), search_(state, {.gumbel = planned}, seed) {
    planes_.resize(static_cast<std::size_t>(kBatch * state.planes().size()));
  }

  void run(const SearchLimits& limits) override {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(limits.ms);
    constexpr std::int64_t kEndless = std::numeric_limits<std::int32_t>::max();
    const std::int64_t visits = limits.visits > 0 ? std::min(limits.visits, kEndless) : kEndless;
    search_.begin(static_cast<int>(visits), 0);
    while (!search_.finished()) {
      const int count = search_.collect(kBatch, planes_.data());
      if (count > 0) {
        brain_->evaluate(planes_.data(), count, search_.root_state().planes(), words_);
        search_.supply(words_.policy.data(), words_.value.data(),
                       words_.lead.empty() ? nullptr : words_.lead.data());
      }
      if (limits.ms > 0 && Clock::now() >= deadline) break;
      if (limits.stop_when_clear && search_.is_clear()) break;
    }
  }

  void advance(Action action) override { search_.advance(action); }

  SearchReport report() override {
    SearchReport report = search_.report();
    const S& state = search_.root_state();
    state.encode({planes_.data(), static_cast<std::size_t>(state.planes().size())});
    brain_->evaluate(planes_.data(), 1, state.planes(), words_);
    for (const float owner : words_.ownership) report.owner.push_back(state.to_move() == 0 ? owner : -owner);
    return report;
  }

 private:
  Brain brain_;
  NetSearch<S> search_;
  std::vector<float> planes_;
  NetWords words_;
};

// With a brain where there is one.
template <GameState S>
std::unique_ptr<Searching<S>> new_searching(const S& state, const Brain& brain, bool planned,
                                            std::uint64_t seed) {
  if (brain != nullptr) return std::make_unique<BrainSearching<S>>(state, brain, planned, seed);
  return std::make_unique<OwnSearching<S>>(state, seed);
}

}  // namespace tengen::wasm
