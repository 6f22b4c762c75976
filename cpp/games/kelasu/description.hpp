// Kelasu as it is told: views, notation, options.
//
// People write whole moves: `B1-C1`, `F6xF5` (capture), `D0%C1` (convert), `A5@J5` (recall, with or without a
// capture), `=W E0+E1>E1`, `end`. A turn is its moves joined by `;`. A move that is not complete is written
// as its stages so far, `B1` or `=W E1 E0` (target first), and one that is under way goes on with bare cells.
// Start reading at parse() and format().
#pragma once

#include <array>
#include <span>

#include "describe/description.hpp"
#include "games/kelasu/kelasu.hpp"

namespace tengen {

// The last whole move or merge.
template <>
struct Noted<Kelasu> {
  std::vector<int> cells;  // of a move `from, to`, of a merge in order
  bool took = false;       // the move took a piece

  void note(const Kelasu& before, Action action, const Kelasu& after);
};

template <>
struct Description<Kelasu> : PlainDescription<Kelasu> {
  static constexpr std::array<int, 4> kVictoryTiles{44, 45, 54, 55};
  static constexpr std::string_view kLetters = ".BWRDCGSbwrdcgs";  // Blue in capitals

  static int width(const KelasuRules&) { return Kelasu::kWidth; }
  static int height(const KelasuRules&) { return Kelasu::kWidth; }
  static KelasuRules rules(const Json& options) {
    return {.may_end_turn_early = options["may_end_turn_early"].truth()};
  }
  static int extra_actions(const KelasuRules& rules) { return rules.may_end_turn_early ? 1 : 0; }
  static bool mid_move(const Kelasu& state) { return state.stage() != Kelasu::Stage::Choose; }
  static View view(const Played<Kelasu>& played);
  // The actions of a turn or part of one.
  static OrRefused<ActionList> parse(const Played<Kelasu>& played, std::string_view text);
  static OrRefused<std::string> format(const Played<Kelasu>& played, const ActionList& actions);

  // The actions of the move that has been begun and is not complete.
  static ActionList under_way(const Played<Kelasu>& played);
  // How many actions the move has that begins with this one.
  static int move_length(Action first);
  // What a legal move is, by the board before it: move, capture, convert or recall.
  static const char* move_kind(std::span<const std::uint8_t> cells, int start, int to);
};

}  // namespace tengen
