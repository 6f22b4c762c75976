// Kelasu: rules, after docs/rules/kelasu.md.
//
// Callers see cells 0..99, row by row from the top left. Inside, the board is laid out with a guard column
// (see bits.hpp): square = row * 11 + column, a piece code per square and the same pieces once more as bit
// sets by seat and by kind. So "which of my pieces can move" is a few shifts over whole sets.
//
// An action is one stage of a move or merge (Stage below): a move is `from, to`, a merge is
// `kind, target, cell...`. Only what can be completed is offered. Start reading at play().
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "game.hpp"
#include "history.hpp"

namespace tengen {

struct KelasuRules {
  bool may_end_turn_early = false;  // adds the action kEndTurn

  void validate() const {}  // every value is allowed
  bool operator==(const KelasuRules&) const = default;
};

class Kelasu {
 public:
  using Rules = KelasuRules;

  static constexpr int kWidth = 10;
  static constexpr int kCells = kWidth * kWidth;
  static constexpr int kMergeKinds = 6;          // warrior runner diplomat champion general stone
  static constexpr Action kFirstMerge = kCells;  // actions 100..105 begin a merge of that kind
  static constexpr Action kEndTurn = kFirstMerge + kMergeKinds;
  static constexpr std::array<int, kMergeKinds> kMergeCost = {2, 4, 4, 5, 10, 21};  // ascending
  static constexpr int kQuietLimit = 64;                                            // rounds
  static constexpr int kRepetitionLimit = 4;                                        // occurrences
  static constexpr int kPlayoutCap = 5000;  // actions, then a playout counts as a draw

  // A cell code is the piece for Blue (seat 0), the piece + 7 for Red (seat 1), 0 for empty.
  enum Piece : std::uint8_t { kNone, kBlank, kWarrior, kRunner, kDiplomat, kChampion, kGeneral, kStone };
  static constexpr int kPieces = 7;

  enum class Ending : std::uint8_t {
    GoesOn,
    VictoryTiles,
    NoStones,
    NoPieces,
    Repetition,
    Quiet,
    Stalemate,
  };

  // The board with its guard column, for who reads whole sets of pieces.
  static constexpr int kStride = kWidth + 1;
  static constexpr int kSquares = kWidth * kStride;
  using Squares = Bits<2>;
  static int square_of(int cell) { return cell + cell / kWidth; }
  static int cell_of(int square) { return square - square / kStride; }

  enum class Stage : std::uint8_t {
    Choose,       // a piece to move, or a kind to merge into
    Move,         // where the chosen piece goes
    MergeTarget,  // the cell where the new piece will stand
    MergeCells,   // the other blanks of the merge, one by one, each touching those chosen before
  };

  // The planes of encode(); the board is never turned, kMoverIsBlue says which way is forward.
  enum Plane {
    kOwn = 0,                      // 7: the mover's pieces by kind
    kOpponent = kOwn + kPieces,    // 7: the opponent's
    kMoved = kOpponent + kPieces,  // pieces that have moved this turn
    kVictoryTiles,
    kSelected,                     // the piece to move, or the cells of the merge chosen so far
    kTarget,                       // where the merged piece will stand
    kEligible,                     // the mover's blanks that may merge
    kEnergy,                       // constant: energy / 8
    kKind,                         // 6 constants: the kind being merged
    kStage = kKind + kMergeKinds,  // 4 constants
    kMoverIsBlue = kStage + 4,     // constant
    kQuiet,                        // constant: quiet rounds / 64
    kRepetitions,                  // constant: times this turn's first position has come up / 4
    kPlaneCount,
  };

  explicit Kelasu(const Rules& rules);

  // A position at the start of a turn of `to_move`. Refuses what is already decided. Does not check that
  // the position can be reached from the start.
  static Kelasu from_cells(const Rules& rules, std::span<const std::uint8_t> cells, int to_move);

  const Rules& rules() const { return rules_; }
  int action_count() const { return kEndTurn + (rules_.may_end_turn_early ? 1 : 0); }
  int cell_count() const { return kCells; }
  int to_move() const { return to_move_; }
  bool is_over() const { return ending_ != Ending::GoesOn; }
  Ending ending() const { return ending_; }
  Outcome outcome() const;

  const char* why_illegal(Action action) const;
  void legal_actions(ActionList& actions) const;
  void play(Action action);

  std::uint64_t hash() const;
  bool operator==(const Kelasu& other) const;

  void cells(std::span<std::uint8_t> out) const;
  Planes planes() const { return {.channels = kPlaneCount, .height = kWidth, .width = kWidth}; }
  void encode(std::span<float> out) const;
  PlayoutResult playout(Rng& rng);

  int energy() const { return energy_; }
  int quiet_rounds() const { return quiet_rounds_; }
  Stage stage() const { return stage_; }
  int selected_from() const;          // the cell of the piece to move; -1 outside Stage::Move
  int merge_kind() const;             // 0..5; -1 when no merge has begun
  int merge_target() const;           // -1 outside Stage::MergeCells
  std::vector<int> selected() const;  // the cells of the merge chosen so far, target included
  std::vector<int> moved() const;     // cells of the pieces that have moved this turn
  // The following three do not depend on the stage.
  std::vector<int> movable() const;          // cells of the pieces that may move now
  std::vector<int> targets(int cell) const;  // where the piece there goes, its turn or not, moved or not
  std::vector<int> merge_targets(int kind) const;

  // The same by squares, for search.
  const Squares& side(int seat) const { return side_[static_cast<std::size_t>(seat)]; }
  const Squares& kind(Piece piece) const { return kind_[piece]; }
  int code_at(int square) const { return board_[static_cast<std::size_t>(square)]; }
  const Squares& moved_squares() const { return moved_; }
  const Squares& selected_squares() const { return selected_; }
  Squares movable_squares() const;
  Squares targets_of(int square) const;
  Squares eligible_blanks() const;     // the mover's blanks that may merge
  Squares merge_area(int size) const;  // those whose connected group has at least that many, 2 or more
  int open_merge_kinds() const;        // how many kinds can be completed: the first ones, costs ascend
  Kelasu turn_given_away() const;      // as if the rest of the turn could be left out

 private:
  struct Empty {};
  Kelasu(const Rules& rules, Empty) : rules_(rules) {}

  static std::vector<int> cells_of(const Squares& squares);

  void put(int square, int code);
  void remove(int square);
  void move_piece(int from, int to);
  void merge();
  void note_event(bool irreversible);
  void finish_action(int cost);
  bool decide();
  void end_turn();
  void begin_turn();
  void finish(int winner, Ending ending);

  Squares own(Piece piece) const { return side_[to_move_] & kind_[piece]; }
  bool holds_victory_tiles(int seat) const;
  bool has_stones(int seat) const { return (side_[seat] & kind_[kStone]).any(); }
  bool has_pieces(int seat) const { return side_[seat].without(kind_[kStone]).any(); }

  void add_slide(Squares& targets, int square, int step, int reach, int captures_from) const;
  void add_capture(Squares& targets, int square, int seat) const;
  bool can_act() const;
  Squares legal_squares() const;
  bool may_end_now() const { return rules_.may_end_turn_early && acted_ && stage_ == Stage::Choose; }

  const char* why_not_choose(Action action) const;
  const char* why_not_destination(int square) const;
  const char* why_not_in_merge(int square) const;

  Rules rules_;
  std::array<std::uint8_t, kSquares> board_{};  // codes; guard squares stay 0
  std::array<Squares, 2> side_{};
  std::array<Squares, kPieces + 1> kind_{};  // by Piece, both seats; kNone is unused
  Squares moved_;
  Squares selected_;  // Stage::MergeCells: what has been chosen, target included
  std::int16_t energy_ = 0;
  std::int16_t quiet_rounds_ = 0;
  std::uint8_t to_move_ = 0;
  Stage stage_ = Stage::Choose;
  std::uint8_t anchor_ = 0;      // Stage::Move: from; Stage::MergeCells: target; else 0
  std::uint8_t merge_kind_ = 0;  // Stage::MergeTarget, Stage::MergeCells; else 0
  bool acted_ = false;           // something has been done this turn
  bool eventful_ = false;        // this round has seen a blank move, merge, capture or conversion
  std::int8_t winner_ = kDraw;
  Ending ending_ = Ending::GoesOn;
  std::uint8_t repetitions_ = 0;      // how often the position at the start of this turn has come up
  std::uint64_t board_key_ = 0;       // of the pieces
  std::uint64_t turn_key_ = 0;        // of moved_ and selected_
  History<std::uint64_t> turn_ends_;  // keys of the positions at ends of turns that can still recur
};

}  // namespace tengen
