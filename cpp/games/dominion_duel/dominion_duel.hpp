// Dominion Duel: n territories in a row; claiming one locks its unclaimed neighbours; more claims win.
// The rules are docs/rules/dominion-duel.md (DD).
//
// Three sets of territories: what each seat claimed and what is still open; the rest is locked. The sets
// are one machine word for rows of up to 64 and a vector for longer ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "game.hpp"

namespace tengen {

struct DominionDuelRules {
  int n = 9;

  static constexpr int kLargest = 1'000'000;
  void validate() const;
  bool operator==(const DominionDuelRules&) const = default;
};

// The part of Bits that a row needs, for any length.
class LongRow {
 public:
  explicit LongRow(int n) : words_(static_cast<std::size_t>(n + 63) / 64) {}

  bool test(int index) const { return (words_[word(index)] >> (index & 63)) & 1; }
  void set(int index) { words_[word(index)] |= std::uint64_t{1} << (index & 63); }
  void reset(int index) { words_[word(index)] &= ~(std::uint64_t{1} << (index & 63)); }
  bool operator==(const LongRow&) const = default;

 private:
  static std::size_t word(int index) { return static_cast<std::size_t>(index) >> 6; }
  std::vector<std::uint64_t> words_;
};

class ShortRow : public Bits<1> {
 public:
  explicit ShortRow(int) {}
  bool operator==(const ShortRow&) const = default;
};

template <class Row>
class DominionDuel {
 public:
  using Rules = DominionDuelRules;
  enum Cell : std::uint8_t { kOpen, kFirst, kSecond, kLocked };
  enum class Ending : std::uint8_t { GoesOn, Claims };

  explicit DominionDuel(const Rules& rules);
  static DominionDuel from_cells(const Rules& rules, std::span<const std::uint8_t> cells, int to_move);

  const Rules& rules() const { return rules_; }
  int action_count() const { return rules_.n; }
  int cell_count() const { return rules_.n; }
  int to_move() const { return to_move_; }
  bool is_over() const { return open_count_ == 0; }
  Ending ending() const { return is_over() ? Ending::Claims : Ending::GoesOn; }
  Outcome outcome() const;
  const char* why_illegal(Action action) const;
  void legal_actions(ActionList& actions) const;
  void play(Action action);
  std::uint64_t hash() const { return hash_; }
  void cells(std::span<std::uint8_t> out) const;
  Planes planes() const { return {kPlanes, 1, rules_.n}; }
  void encode(std::span<float> out) const;
  PlayoutResult playout(Rng& rng);

  std::array<double, 2> score() const { return {double(claims_[0]), double(claims_[1])}; }

  bool operator==(const DominionDuel&) const = default;

 private:
  enum Plane { kOwn, kOpponent, kLockedPlane, kMoverIsFirst, kPlanes };

  void lock(int territory);

  Rules rules_;
  Row open_;
  std::array<Row, 2> claimed_;
  std::array<int, 2> claims_{};
  int open_count_ = 0;
  int to_move_ = 0;
  std::uint64_t hash_ = 0;
};

using ShortDominionDuel = DominionDuel<ShortRow>;  // n <= 64
using LongDominionDuel = DominionDuel<LongRow>;

}  // namespace tengen
