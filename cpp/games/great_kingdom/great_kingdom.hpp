// Great Kingdom: place castles, capture one and win at once, or pass twice and count territory.
//
// The rules are docs/rules/great-kingdom.md, cited below as "GK 5". A position is three bitboards (the
// castles of both seats and the empty cells), the mover and the count of passes in a row. Boards have
// the constant stride MaxSize + 1, whose last column is a guard; a smaller board sits in the top-left
// corner. "Cell" is an index 0..size²-1, row by row; "bit" is the place of a cell in a bitboard.
// Start reading at GreatKingdom::play() in the .cpp, which rests on effect() and territories().
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "bits.hpp"
#include "game.hpp"

namespace tengen {

// The defaults are the preset `rulebook` (GK 9).
struct GreatKingdomRules {
  static constexpr int kMinSize = 3;
  static constexpr int kMaxSize = 19;
  static constexpr int kMaxLead = 400;  // more than the cells of the largest board, either way

  int size = 9;
  bool neutral = true;                // a neutral castle in the centre (GK 1, 2)
  int lead = 3;                       // Blue wins on territory when ahead by at least this (GK 6)
  bool suicide_loses = true;          // else a suicidal placement is illegal (GK 3)
  bool enter_enemy_territory = true;  // else such a placement is illegal, even one that captures (GK 7)
  bool enter_own_territory = true;
  int castles = 0;  // that each side has; 0 is no limit (GK 8)

  void validate() const;  // throws InvalidOption
  bool operator==(const GreatKingdomRules&) const = default;
};

template <int MaxSize>
class GreatKingdom {
 public:
  static constexpr int kStride = MaxSize + 1;
  static constexpr int kWords = (MaxSize * kStride + 63) / 64;

  using Rules = GreatKingdomRules;
  using Board = Bits<kWords>;

  enum Code : std::uint8_t { kEmpty, kBlue, kOrange, kNeutral };  // of cells(); letters ".BON"
  enum Ending : std::uint8_t { kGoesOn, kCapture, kSuicide, kTerritory };

  // The planes of encode(). Those after kMoverIsBlue hold one number all over: the options.
  enum Plane {
    kOwnCastles,
    kOpponentCastles,
    kNeutralCastle,
    kOnBoard,  // ones, so that a net that pads sees the edge
    kOwnTerritory,
    kOpponentTerritory,
    kOwnAtari,  // castles of groups with one liberty
    kOpponentAtari,
    kOwnTwoLiberties,
    kOpponentTwoLiberties,
    kLastWasPass,
    kMoverIsBlue,
    kLead,  // lead / 8 when Blue is to move, -lead / 8 when Orange is
    kSuicideIllegal,
    kEnemyTerritoryBanned,
    kOwnTerritoryBanned,
    kOwnCastlesLeft,  // / size², at most 1; 0 without a limit
    kOpponentCastlesLeft,
    kCastlesUnlimited,
    kPlanes
  };

  explicit GreatKingdom(const Rules& rules = {});  // the empty board, Blue to move; throws InvalidOption

  // A position with nothing passed yet. `cells` holds a Code a cell. Throws InvalidPosition for what no
  // unfinished game can show; whether the counts of castles fit alternate turns is not checked.
  static GreatKingdom from_cells(const Rules& rules, std::span<const std::uint8_t> cells, int to_move);

  // The contract of GameState.
  const Rules& rules() const { return rules_; }
  int cell_count() const { return rules_.size * rules_.size; }
  int action_count() const { return cell_count() + 1; }
  int to_move() const { return to_move_; }  // after a capture the captured side, after a suicide its foe
  bool is_over() const { return ending_ != kGoesOn; }
  Outcome outcome() const;
  const char* why_illegal(Action action) const;
  void legal_actions(ActionList& actions) const;
  void play(Action action);
  std::uint64_t hash() const { return hash_; }
  void cells(std::span<std::uint8_t> out) const;
  Planes planes() const { return {kPlanes, rules_.size, rules_.size}; }
  void encode(std::span<float> out) const;
  PlayoutResult playout(Rng& rng);

  // The board as if it ended now (GK 5): the points of both seats, and the owner of each cell
  // (0 nobody, 1 Blue, 2 Orange).
  std::array<double, 2> score() const;
  void territory(std::span<std::uint8_t> out) const;
  std::array<Board, 2> territories() const { return territories(rules_.size, stones_, empty_); }

  // Of the group of each castle; 0 on other cells.
  void liberties(std::span<std::uint16_t> out) const;
  // Whether the action is a legal placement that loses at once by suicide.
  bool would_lose(Action action) const;
  // 1 on the castles without liberties when the game ended by capture or suicide, 0 elsewhere.
  void captured(std::span<std::uint8_t> out) const;
  int castles_left(int seat) const;  // -1 without a limit

  // For searches.
  Action pass() const { return cell_count(); }
  int passes() const { return passes_; }  // in a row: 0, 1, or 2 at the end
  Ending ending() const { return ending_; }
  const Board& stones(int seat) const { return stones_[seat]; }
  const Board& empty() const { return empty_; }
  Board neutral() const;
  int bit_of(int cell) const;
  int cell_of(int bit) const;
  // The same as territories() for any board, and the seat whose territory one empty cell lies in, or -1.
  static std::array<Board, 2> territories(int size, const std::array<Board, 2>& stones, const Board& empty);
  static int region_owner(int size, const std::array<Board, 2>& stones, const Board& empty, int bit);

  bool operator==(const GreatKingdom& o) const {
    return rules_ == o.rules_ && stones_ == o.stones_ && to_move_ == o.to_move_ && passes_ == o.passes_;
  }

 private:
  static Ending effect(int bit, const Board& own, const Board& enemy, const Board& empty);
  bool is_suicide(int bit) const;
  int region_owner(int bit) const { return region_owner(rules_.size, stones_, empty_, bit); }
  bool territory_bans(int bit) const;
  bool out_of_castles() const;
  void place(int bit);
  void make_pass();
  template <bool Restricted>
  PlayoutResult run_playout(Rng& rng);
  int draw(std::span<std::uint16_t> candidates, Rng& rng) const;

  Rules rules_;
  std::array<Board, 2> stones_;
  Board empty_;
  std::uint64_t hash_ = 0;
  std::int8_t to_move_ = 0;
  std::int8_t passes_ = 0;
  Ending ending_ = kGoesOn;  // follows from the rest: board, mover and passes
};

extern template class GreatKingdom<7>;
extern template class GreatKingdom<9>;
extern template class GreatKingdom<19>;

}  // namespace tengen
