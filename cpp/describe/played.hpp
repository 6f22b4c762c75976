// A state with the way to it: the actions since its start and the resumptions between them. What Python and
// the browser call a position; searches copy the state alone.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "game.hpp"
#include "history.hpp"

namespace tengen {

// What is told of the way to a state beyond the log, and search does not ask: nothing, unless a game
// specialises it. note() is told of every action.
template <GameState S>
struct Noted {
  void note(const S& /*before*/, Action, const S& /*after*/) {}
};

template <GameState S>
struct Played {
  using State = S;
  S state;
  History<Action, 16> log;
  std::vector<std::pair<std::size_t, int>> resumptions;  // how many actions came before, the seat to move
  [[no_unique_address]] Noted<S> noted;

  explicit Played(S start) : state(std::move(start)) {}

  // The action must be legal.
  void play(Action action) {
    if constexpr (std::is_empty_v<Noted<S>>) {
      state.play(action);
    } else {
      const S before = state;
      state.play(action);
      noted.note(before, action, state);
    }
    log.push(action);
  }

  // nullptr, or why play cannot go on with that seat to move.
  const char* why_not_resume(int seat) const {
    if constexpr (requires(S s) { s.resume(seat); })
      return state.why_not_resume(seat);
    else
      return "Play cannot be resumed in this game.";
  }
  void resume(int seat) {  // must be allowed
    if constexpr (requires(S s) { s.resume(seat); }) {
      state.resume(seat);
      resumptions.emplace_back(log.size(), seat);
    }
  }
};

}  // namespace tengen
