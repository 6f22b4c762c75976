// Many games of one kind that are stepped together. Every array has an entry (or a row) a game, always in the
// same order, and belongs to the caller.
//
// Each game has its own random numbers, so what is drawn does not depend on the number of threads. Calls may
// not overlap; sizes of arrays are not checked. Start reading at step().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include "game.hpp"

namespace tengen {

constexpr int kRunning = -2;               // a winner that is not known yet
constexpr std::int64_t kNoAction = -1;     // leaves a game as it is
constexpr std::size_t kWorthAThread = 64;  // games; fewer are done sooner than a thread is started

// The first game that cannot do what was asked for; `why` is nullptr when all can.
struct Refusal {
  std::size_t game = 0;
  const char* why = nullptr;
};

// Calls work(begin, end) for consecutive parts of 0..count, each in a thread if it can be had, and waits for
// all of them.
template <class Work>
void in_parts(std::size_t count, std::size_t threads, Work work) {
  const std::size_t parts = std::clamp(count / kWorthAThread, std::size_t{1}, threads);
  if (parts == 1) return work(std::size_t{0}, count);
  std::vector<std::exception_ptr> failures(parts);
  std::vector<std::thread> helpers;
  helpers.reserve(parts);
  const auto run = [&](std::size_t part) {
    try {
      work(count * part / parts, count * (part + 1) / parts);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  for (std::size_t part = 1; part < parts; ++part) {
    try {
      helpers.emplace_back(run, part);
    } catch (const std::system_error&) {
      run(part);
    }
  }
  run(0);
  for (std::thread& helper : helpers) helper.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

// What can be done with a batch of any game.
class AnyBatch {
 public:
  virtual ~AnyBatch() = default;

  virtual std::size_t count() const = 0;
  virtual std::size_t action_count() const = 0;
  virtual Planes planes() const = 0;

  // Plays an action in each game, or in none when one of them is illegal. `rewards` gets a pair a game: 1 to
  // the winner and -1 to the loser of a game that this step ended, otherwise 0. `ended` gets which ones.
  virtual Refusal step(std::span<const std::int64_t> actions, std::span<float> rewards,
                       std::span<bool> ended) = 0;
  virtual void reset(std::span<const bool> chosen) = 0;

  // A random legal action of each game, all equally likely; kNoAction where it is over.
  virtual void sample(std::span<std::int64_t> out) = 0;
  // The same with a row of logits a game, action_count() long: softmax over the legal ones.
  virtual Refusal sample(std::span<const float> logits, std::span<std::int64_t> out) = 0;

  virtual void legal(std::span<bool> out) const = 0;    // a row of action_count() a game
  virtual void encode(std::span<float> out) const = 0;  // planes().size() a game
  virtual void to_move(std::span<std::int8_t> out) const = 0;
  virtual void winner(std::span<std::int8_t> out) const = 0;    // a seat, kDraw or kRunning
  virtual void lengths(std::span<std::int32_t> out) const = 0;  // actions since the start
};

template <GameState S>
class Batch final : public AnyBatch {
 public:
  // With `auto_reset` a game that ends begins again in the same step.
  Batch(const S& start, std::size_t count, std::uint64_t seed, bool auto_reset, std::size_t threads)
      : start_(start), states_(count, start), logs_(count), auto_reset_(auto_reset), threads_(threads) {
    rngs_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) rngs_.emplace_back(splitmix64(seed ^ splitmix64(i)));
  }

  const S& state(std::size_t game) const { return states_[game]; }
  const ActionList& log(std::size_t game) const { return logs_[game]; }  // actions since the start

  std::size_t count() const override { return states_.size(); }
  std::size_t action_count() const override { return static_cast<std::size_t>(start_.action_count()); }
  Planes planes() const override { return start_.planes(); }

  Refusal step(std::span<const std::int64_t> actions, std::span<float> rewards,
               std::span<bool> ended) override {
    if (const Refusal refusal = first_illegal(actions); refusal.why) return refusal;
    in_parts(count(), threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        rewards[2 * i] = rewards[2 * i + 1] = 0.0F;
        ended[i] = false;
        if (actions[i] == kNoAction) continue;
        const auto action = static_cast<Action>(actions[i]);
        S& state = states_[i];
        state.play(action);
        logs_[i].push_back(action);
        if (!state.is_over()) continue;
        ended[i] = true;
        if (const int winner = state.outcome().winner; winner != kDraw) {
          rewards[2 * i + static_cast<std::size_t>(winner)] = 1.0F;
          rewards[2 * i + static_cast<std::size_t>(1 - winner)] = -1.0F;
        }
        if (auto_reset_) restart(i);
      }
    });
    return {};
  }

  void reset(std::span<const bool> chosen) override {
    for (std::size_t i = 0; i < count(); ++i)
      if (chosen[i]) restart(i);
  }

  void sample(std::span<std::int64_t> out) override {
    in_parts(count(), threads_, [&](std::size_t begin, std::size_t end) {
      ActionList legal;
      for (std::size_t i = begin; i < end; ++i)
        out[i] = states_[i].is_over() ? kNoAction : draw(states_[i], rngs_[i], legal);
    });
  }

  Refusal sample(std::span<const float> logits, std::span<std::int64_t> out) override {
    const std::size_t width = action_count();
    FirstRefusal refused;
    in_parts(count(), threads_, [&](std::size_t begin, std::size_t end) {
      ActionList legal;
      std::vector<double> sums;
      for (std::size_t i = begin; i < end; ++i) {
        out[i] = kNoAction;
        if (states_[i].is_over()) continue;
        states_[i].legal_actions(legal);
        out[i] = draw_weighted(logits.subspan(i * width, width), legal, sums, rngs_[i]);
        if (out[i] == kNoAction) return refused.note(i, "The logits of its legal actions are not finite.");
      }
    });
    return refused.get();
  }

  void legal(std::span<bool> out) const override {
    const std::size_t width = action_count();
    in_parts(count(), threads_, [&](std::size_t begin, std::size_t end) {
      ActionList legal;
      for (std::size_t i = begin; i < end; ++i) {
        const auto row = out.subspan(i * width, width);
        std::ranges::fill(row, false);
        states_[i].legal_actions(legal);
        for (const Action action : legal) row[static_cast<std::size_t>(action)] = true;
      }
    });
  }

  void encode(std::span<float> out) const override {
    const auto size = static_cast<std::size_t>(planes().size());
    in_parts(count(), threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) states_[i].encode(out.subspan(i * size, size));
    });
  }

  void to_move(std::span<std::int8_t> out) const override {
    for (std::size_t i = 0; i < count(); ++i) out[i] = static_cast<std::int8_t>(states_[i].to_move());
  }

  void winner(std::span<std::int8_t> out) const override {
    for (std::size_t i = 0; i < count(); ++i)
      out[i] = static_cast<std::int8_t>(states_[i].is_over() ? states_[i].outcome().winner : kRunning);
  }

  void lengths(std::span<std::int32_t> out) const override {
    for (std::size_t i = 0; i < count(); ++i) out[i] = static_cast<std::int32_t>(logs_[i].size());
  }

 private:
  // How often a random action is tried before the legal ones are listed.
  static constexpr int kBlindDraws = 4;

  void restart(std::size_t game) {
    states_[game] = start_;
    logs_[game].clear();
  }

  // Keeps the refusal of the lowest game, from whichever thread it comes.
  class FirstRefusal {
   public:
    void note(std::size_t game, const char* why) {
      const std::lock_guard lock(mutex_);
      if (first_.why == nullptr || game < first_.game) first_ = {game, why};
    }
    Refusal get() const { return first_; }

   private:
    std::mutex mutex_;
    Refusal first_;
  };

  Refusal first_illegal(std::span<const std::int64_t> actions) const {
    using Limits = std::numeric_limits<Action>;
    FirstRefusal refused;
    in_parts(count(), threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (actions[i] == kNoAction) continue;
        const bool fits = actions[i] >= Limits::min() && actions[i] <= Limits::max();
        const Action action = fits ? static_cast<Action>(actions[i]) : Limits::min();
        if (const char* why = states_[i].why_illegal(action)) return refused.note(i, why);
      }
    });
    return refused.get();
  }

  static Action draw(const S& state, Rng& rng, ActionList& legal) {
    const auto actions = static_cast<std::uint32_t>(state.action_count());
    for (int i = 0; i < kBlindDraws; ++i) {
      const auto action = static_cast<Action>(rng.below(actions));
      if (state.why_illegal(action) == nullptr) return action;
    }
    state.legal_actions(legal);
    return legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
  }

  // By the softmax of the legal logits, of which some may be minus infinity; kNoAction when they give none.
  static std::int64_t draw_weighted(std::span<const float> logits, const ActionList& legal,
                                    std::vector<double>& sums, Rng& rng) {
    double highest = -std::numeric_limits<double>::infinity();
    for (const Action action : legal)
      highest = std::max(highest, double{logits[static_cast<std::size_t>(action)]});
    double sum = 0;
    sums.clear();
    for (const Action action : legal) {
      sum += std::exp(double{logits[static_cast<std::size_t>(action)]} - highest);
      sums.push_back(sum);
    }
    if (!std::isfinite(sum)) return kNoAction;
    const double at = sum * static_cast<double>(rng.next() >> 11) * 0x1.0p-53;
    const auto found = std::ranges::upper_bound(sums, at);
    return legal[static_cast<std::size_t>(found - sums.begin())];
  }

  S start_;
  std::vector<S> states_;
  std::vector<ActionList> logs_;
  std::vector<Rng> rngs_;
  bool auto_reset_;
  std::size_t threads_;
};

}  // namespace tengen
