// Plays a Great Kingdom position to a value.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/great_kingdom_reader.hpp"
#include "search/policy.hpp"

namespace tengen {

struct GkKnobs {
  int local = 50;       // percent
  int invade_size = 100;  // enemy territory of at least so many cells may be entered
  int read3 = 1;
  int own_size = 100;
  int pass_percent = 0;
  int defend = 1;
  int first_line = 0;  // percent rejected
  int budget = 60;
  int depth = 6;
  int prior = 1;
  int zone = 1;
  int cap = 1000;
  int dbl = 1;
  int ladder = 0;
  double mix = 0;
  int min_lib = 2;
  float hot_visits = 20;
  double slope = 0.15;
  int careful = 1;
  int defend2 = 0;
  double tempo = 2;
};
inline GkKnobs gk_knobs;

template <int MaxSize>
class GreatKingdomPlayout {
 public:
  using Groups = GreatKingdomGroups<MaxSize>;
  using Board = typename Groups::Board;
  using State = typename Groups::State;

  GreatKingdomPlayout(const State& state, Rng& rng, Trace& trace)
      : state_(state), groups_(state), rng_(rng), trace_(trace), mover_(state.to_move()) {
    groups_.empty().for_each([&](int bit) { open_[left_++] = static_cast<std::uint16_t>(bit); });
  }

  Value run() {
    int moves = 0;
    for (int passes = state_.passes(); passes < 2;) {
      if (groups_.captures(mover_).any()) return captured_by(mover_);
      const Board danger = groups_.captures(1 - mover_);
      int bit = -1;
      if (danger.any()) {
        bit = danger.first();
        if ((groups_.is_free() && danger.count() > 1) || !groups_.is_legal(bit, mover_) ||
            groups_.liberties_after(bit, mover_).count() < 2)
          return captured_by(1 - mover_);
      } else {
        if (gk_knobs.read3 && groups_.has_castle(mover_) && find_kill(mover_) >= 0) return captured_by(mover_);
        if (gk_knobs.ladder && groups_.has_castle(mover_) && groups_.liberties_of_weak(1 - mover_, 2).any()) {
          CaptureReader<MaxSize> reader(gk_knobs.ladder);
          if (reader.attack(groups_, mover_, 5) >= 0) return captured_by(mover_);
        }
        if (moves >= gk_knobs.cap) return estimated();
        bit = choose();
      }
      ++moves;
      if (bit < 0) {
        ++passes;
      } else {
        passes = 0;
        place(bit);
      }
      mover_ = 1 - mover_;
    }
    return counted();
  }

 private:
  // A cell on which the seat's castle starts a capture in three.
  int find_kill(int seat) {
    int found = -1;
    Board seen;
    groups_.for_each_group(1 - seat, [&](const Board& liberties) {
      if (found >= 0 || liberties.count() != 2) return;
      const int a = liberties.first();
      Board rest = liberties;
      rest.reset(a);
      const int b = rest.first();
      if (kills(a, b, seat)) found = a;
      else if (kills(b, a, seat)) found = b;
      if (found < 0 && gk_knobs.dbl && groups_.is_free()) {
        const Board shared = liberties & seen;
        if (shared.count() == 1 && groups_.liberties_after(shared.first(), seat).count() > 1)
          found = shared.first();
      }
      seen |= liberties;
      if (found >= 0) target_ = liberties;
    });
    return found;
  }
  // Whether an enemy group with those two liberties dies when the seat takes the first.
  bool kills(int take, int last, int seat) const {
    Board escape = groups_.liberties_after(last, 1 - seat);
    escape.reset(take);
    if (escape.count() > 1) return false;
    if (groups_.liberties_after(take, seat).count() < 2) return false;
    if (groups_.is_free()) return true;
    return groups_.is_legal(take, seat) && (groups_.touches(last, seat) || Groups::around(take).test(last));
  }

  int choose() {
    if (!groups_.has_castle(mover_)) return -1;
    if (gk_knobs.defend) {
      if (find_kill(1 - mover_) >= 0) {
        int best = -1;
        int most = 2;
        target_.for_each([&](int bit) {
          const int count = groups_.liberties_after(bit, mover_).count();
          if (count > most && groups_.is_legal(bit, mover_)) {
            most = count;
            best = bit;
          }
        });
        if (best >= 0) return best;
        if (gk_knobs.defend2) {
          target_.for_each([&](int bit) {
            if (best < 0 && groups_.is_legal(bit, mover_) && is_steady(bit)) best = bit;
          });
          if (best >= 0) return best;
        }
      }
    }
    if (last_ >= 0 && static_cast<int>(rng_.below(100)) < gk_knobs.local) {
      std::array<int, 8> near;
      std::uint32_t count = 0;
      constexpr int s = Groups::kStride;
      for (const int step : {-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1}) {
        const int bit = last_ + step;
        if (bit >= 0 && bit < MaxSize * s && groups_.empty().test(bit)) near[count++] = bit;
      }
      while (count > 0) {
        const std::uint32_t pick = rng_.below(count);
        if (is_sane(near[pick])) return near[pick];
        near[pick] = near[--count];
      }
    }
    for (std::uint32_t rest = left_; rest > 0; --rest) {
      const std::uint32_t pick = rng_.below(rest);
      const int bit = open_[pick];
      if (!groups_.empty().test(bit)) {
        open_[pick] = open_[rest - 1];
        open_[rest - 1] = open_[--left_];
        continue;
      }
      if (is_sane(bit)) return bit;
      std::swap(open_[pick], open_[rest - 1]);
    }
    return -1;
  }

  // Whether the mover's castle there can be captured neither in one nor in three.
  bool is_steady(int bit) const {
    const Board liberties = groups_.liberties_after(bit, mover_);
    const int count = liberties.count();
    if (count != 2) return count > 2;
    if (gk_knobs.min_lib > 2) return false;
    const int a = liberties.first();
    Board rest = liberties;
    rest.reset(a);
    const int b = rest.first();
    return !dies(bit, a, b) && !dies(bit, b, a);
  }

  bool is_sane(int bit) const {
    if (gk_knobs.careful && !is_steady(bit)) return false;
    const int owner = groups_.region_owner(bit);
    if (owner < 0) return true;
    if (!groups_.is_legal(bit, mover_)) return false;
    const int size = Board::single(bit).template flood<Groups::kStride>(groups_.empty()).count();
    return size >= (owner == mover_ ? gk_knobs.own_size : gk_knobs.invade_size);
  }

  // Whether the mover's group made by a castle on `bit`, with those two liberties, dies when the enemy takes one.
  bool dies(int bit, int take, int last) const {
    Board escape = groups_.liberties_after(last, mover_) | groups_.liberties_after(bit, mover_);
    escape.reset(take);
    escape.reset(last);
    escape.reset(bit);
    if (escape.count() > 1) return false;
    Board attacker = groups_.liberties_after(take, 1 - mover_);
    attacker.reset(bit);
    return attacker.count() > 1;
  }

  void place(int bit) {
    groups_.place(bit, mover_);
    last_ = bit;
    auto& first = trace_.first[static_cast<std::size_t>(state_.cell_of(bit))];
    if (first < 0) first = static_cast<std::int8_t>(mover_);
  }

  Value captured_by(int seat) {
    mark_owner({});
    return {seat == 0 ? 1.0f : 0.0f, 0};
  }
  // Empty cells go to who is nearer.
 public:
  double guess() { const auto own = trace_.owner; const float v = estimated().win; trace_.owner = own; return v; }
 private:
  Value estimated() {
    std::array<Board, 2> reach{groups_.stones(0), groups_.stones(1)};
    Board open = groups_.empty();
    while (open.any()) {
      const Board blue = reach[0].template neighbours<Groups::kStride>() & open;
      const Board orange = reach[1].template neighbours<Groups::kStride>() & open;
      if ((blue | orange).none()) break;
      reach[0] |= blue.without(orange);
      reach[1] |= orange.without(blue);
      open = open.without(blue | orange);
    }
    const int lead = (reach[0] & groups_.empty()).count() - (reach[1] & groups_.empty()).count();
    mark_owner(reach);
    const double x = gk_knobs.slope * (lead - state_.rules().lead + 0.5 + (mover_ == 0 ? gk_knobs.tempo : -gk_knobs.tempo));
    return {static_cast<float>(1 / (1 + std::exp(-x))), static_cast<float>(lead)};
  }
  Value counted() {
    const auto owned = groups_.territories();
    mark_owner(owned);
    const int lead = owned[0].count() - owned[1].count();
    return {lead >= state_.rules().lead ? 1.0f : 0.0f, static_cast<float>(lead)};
  }
  void mark_owner(const std::array<Board, 2>& territory) {
    std::fill(trace_.owner.begin(), trace_.owner.end(), std::int8_t{0});
    for (const int seat : {0, 1})
      (groups_.stones(seat) | territory[seat]).for_each([&](int bit) {
        trace_.owner[static_cast<std::size_t>(state_.cell_of(bit))] = seat == 0 ? 1 : -1;
      });
  }

  const State& state_;
  Groups groups_;
  Rng& rng_;
  Trace& trace_;
  int mover_;
  int last_ = -1;
  Board target_;
  std::array<std::uint16_t, MaxSize * MaxSize> open_;  // cells that may be empty, the first `left_`
  std::uint32_t left_ = 0;
};

}  // namespace tengen
