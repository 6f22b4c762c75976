// What a game says of its positions to whoever shows them: views, notation and the meaning of numbers, one
// description for Python and for the browser.
//
// A game specialises Description<S> in games/<game>/description.hpp and inherits what it does not say from
// PlainDescription<S>. It must have kLetters, width(), height(), rules(), view(), parse() and format().
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "describe/json.hpp"
#include "describe/played.hpp"
#include "describe/text.hpp"

namespace tengen {

// What a client needs to draw a position and to explain it; tengen.game.View.
struct View {
  const char* board;  // points, squares or row
  int width;
  int height;
  std::string cells;  // a letter a cell
  int to_move;
  std::vector<int> last;                         // the cells that the last move touched
  std::vector<int> captured;                     // the cells whose pieces the last move took
  std::optional<std::array<double, 2>> score{};  // as if the game were counted now
  Json details = Json::Object{};                 // what this game alone has
};

// As JSON, the same from a server and in the page.
inline Json told_view(View view) {
  return Json::Object{{"board", view.board},
                      {"width", view.width},
                      {"height", view.height},
                      {"cells", std::move(view.cells)},
                      {"to_move", view.to_move},
                      {"last", Json::list(view.last)},
                      {"captured", Json::list(view.captured)},
                      {"score", view.score ? Json::pair((*view.score)[0], (*view.score)[1]) : Json()},
                      {"details", std::move(view.details)}};
}

// A win rate and a lead, from one side.
struct Judged {
  double win;
  double lead;
};

template <GameState S>
struct PlainDescription {
  static bool mid_move(const S&) { return false; }
  // Whether an end by passes is followed by an agreement on what is dead, and whether this is one.
  static bool agreement(const typename S::Rules&) { return false; }
  static bool can_resume(const S&) { return false; }
  // What a search's win rate and lead mean, where experience says something else.
  static Judged judged(const S&, double win, double lead, bool /*by_net*/) { return {win, lead}; }
  // Actions that these rules have beside those that all rules have on the same board.
  static int extra_actions(const typename S::Rules&) { return 0; }
  // Whether a brain that learned to play by the one rules plays as well by the others, its own board or not.
  static bool trained_for(const typename S::Rules& rules, const typename S::Rules& learned) {
    return rules == learned;
  }
  // For each legal action the winner when both play on without a mistake, where that is known.
  static std::optional<std::vector<std::pair<Action, int>>> outcomes(const S&) { return {}; }
};

template <GameState S>
struct Description;

template <GameState S>
std::vector<std::uint8_t> codes_of(const S& state) {
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(state.cell_count()));
  state.cells(codes);
  return codes;
}

template <GameState S>
std::string letters_of(const S& state) {
  std::string cells;
  for (const std::uint8_t code : codes_of(state)) cells += Description<S>::kLetters[code];
  return cells;
}

// The last action, where it was one and below `limit`.
template <GameState S>
std::vector<int> last_below(const Played<S>& played, int limit) {
  if (played.log.size() == 0) return {};
  const std::vector<Action> last = played.log.newest(1);
  return last[0] < limit ? std::vector<int>{last[0]} : std::vector<int>{};
}

// For games whose moves are one action: read by `read`, written by `write` if it is legal.
template <GameState S>
OrRefused<ActionList> one_action(const S& state, Action action) {
  if (const char* why = state.why_illegal(action)) return Refused{Refused::Kind::Illegal, why};
  return ActionList{action};
}

template <GameState S>
std::optional<Refused> not_one_action(const S& state, const ActionList& actions) {
  if (actions.size() != 1) return Refused{Refused::Kind::Value, "A move of this game is one action."};
  if (const char* why = state.why_illegal(actions[0])) return Refused{Refused::Kind::Illegal, why};
  return {};
}

}  // namespace tengen
