// Kelasu's whole moves as search sees them, and the wins that need no search.
//
// A KelasuMove is all the actions from a state's stage to the end of that move or merge. Of the many ways to
// choose a merge's blanks only one a kind and target is looked at: which blanks are used up matters little.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/kelasu/eval.hpp"
#include "games/kelasu/kelasu.hpp"

namespace tengen {

struct KelasuMove {
  static constexpr std::size_t kMaxActions = 22;  // a stone takes its kind and 21 cells

  std::array<std::uint8_t, kMaxActions> actions{};
  std::uint8_t count = 0;
  int order = 0;  // what it is worth at first sight; more is looked at earlier

  void add(Action action) { actions[count++] = static_cast<std::uint8_t>(action); }
  // Tells the moves of a state apart.
  std::uint16_t code() const { return static_cast<std::uint16_t>(actions[0] << 7 | actions[1]); }
  static constexpr std::size_t kCodes = 107 << 7;
};

// The moves of a state that is not over, in no order. Of a merge only what tells it apart is there: its kind
// and target.
void kelasu_moves(const Kelasu& state, const KelasuEval& eval, std::vector<KelasuMove>& moves);
// Plays one of them to its end.
void kelasu_play(Kelasu& state, const KelasuMove& move);
// Adds the blanks that a merge takes when it is played.
void kelasu_complete(const Kelasu& state, KelasuMove& move);

// The first action of a way to win in this very turn by walking onto the victory tiles or by taking the last
// stones, -1 if none is seen. What it finds is certain; it does not find every win.
Action kelasu_win_this_turn(const Kelasu& state);

// The opponent's threat to win if the mover gave the rest of its turn away, asked between two moves: squares
// that a move has to enter to stop it, none if there is no threat.
Kelasu::Squares kelasu_threat(const Kelasu& state, const KelasuEval& eval);
// Whether a move, not a merge, may stop that threat: it enters such a square or leaves a victory tile.
bool kelasu_answers(const Kelasu::Squares& threat, const KelasuMove& move);

}  // namespace tengen
