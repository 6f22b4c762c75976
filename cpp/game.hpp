// The contract that every game fulfils and every search is written against.
//
// A state is a value: copy it, change the copy with play(), compare, hash. Nothing here allocates per
// move, does I/O, or knows Python. Actions are small ints in a fixed space per game and rules.
// play() may leave to_move() unchanged (a Kelasu turn is a run of actions), so nobody infers the mover
// from parity. Start reading at the concept GameState at the end of this file.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "fail.hpp"
#include "rng.hpp"

namespace tengen {

using Action = std::int32_t;
using ActionList = std::vector<Action>;  // reused by callers, so that filling it does not allocate

constexpr int kDraw = -1;

// How a finished game ended. `reason` is the word for the state's ending(): for people; code asks ending().
struct Outcome {
  int winner = kDraw;  // 0, 1 or kDraw
  const char* reason = "";
  bool has_score = false;
  std::array<double, 2> score{};  // both seats' points where the game ended by counting
};

// What a light random playout came to.
struct PlayoutResult {
  int winner = kDraw;
  int actions = 0;  // how many actions the playout made
};

// The shape of encode(): a net's input.
struct Planes {
  int channels = 0;
  int height = 0;
  int width = 0;
  constexpr int size() const { return channels * height * width; }
  bool operator==(const Planes&) const = default;
};

template <class S>
concept GameState = std::copyable<S> && std::equality_comparable<S> &&
                    requires(const S& state, S& mutable_state, Action action, ActionList& actions,
                             std::span<std::uint8_t> cells, std::span<float> planes, Rng& rng) {
                      typename S::Rules;
                      requires std::is_enum_v<typename S::Ending>;  // the ways in which a game ends
                      requires std::constructible_from<S, const typename S::Rules&>;
                      { state.rules() } -> std::same_as<const typename S::Rules&>;
                      { state.action_count() } -> std::same_as<int>;
                      { state.cell_count() } -> std::same_as<int>;
                      { state.to_move() } -> std::same_as<int>;
                      { state.is_over() } -> std::same_as<bool>;
                      { state.ending() } -> std::same_as<typename S::Ending>;
                      { state.outcome() } -> std::same_as<Outcome>;  // only when is_over()
                      // nullptr when legal, else one sentence for the player; any int may be asked.
                      { state.why_illegal(action) } -> std::same_as<const char*>;
                      // Replaces the list's content, ascending; empty exactly when is_over().
                      { state.legal_actions(actions) } -> std::same_as<void>;
                      { mutable_state.play(action) } -> std::same_as<void>;  // action must be legal
                      // Of the position (board, mover, stage, ko), not of how it was reached.
                      { state.hash() } -> std::same_as<std::uint64_t>;
                      { state.cells(cells) } -> std::same_as<void>;  // a code a cell, 0 is empty
                      { state.planes() } -> std::same_as<Planes>;
                      { state.encode(planes) } -> std::same_as<void>;  // from the mover's side
                      // Plays this very state to a finish with light random moves.
                      { mutable_state.playout(rng) } -> std::same_as<PlayoutResult>;
                    };

// What a search begins with. A state that remembers what was found after it (PyState) gives one of its own.
template <GameState S>
S own_copy(const S& state) {
  if constexpr (requires { state.own_copy(); })
    return state.own_copy();
  else
    return state;
}

}  // namespace tengen
