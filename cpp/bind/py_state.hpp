// A game written in Python as the searches see it: PyState models GameState over any object of the protocol
// tengen.game.State.
//
// A PyState points at a Seen: the Python object with what has been asked of it, so that nothing is asked
// twice. States of one search share the Seen of positions that simulations come back to (own_copy(),
// kMostKept); playouts keep nothing. All of it needs the interpreter's lock, which Python code gives up now
// and then by itself, and breathe() where a game's methods are not Python. What a game says is checked: a
// wrong answer is a ValueError that names the game, never a crash. Exceptions of its code come through as
// they are. Start reading at PyState::play() and playout().
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "bind/bound.hpp"
#include "search/heuristics.hpp"

namespace tengen {

// What is the same for all states of a game.
struct PyGame {
  nb::object game;
  std::string name;
  int action_count = 0;
  int cell_count = 0;
  bool evaluates = false;        // its states have evaluate()
  bool plays_unchecked = false;  // its states have play_legal(), which trusts that an action is legal
  Planes planes{};               // of encode(), once asked for
};

class PyState {
 public:
  struct Seen;
  // The Python state itself, from which a game can be played on.
  struct Rules {
    nb::object start;
    bool operator==(const Rules& other) const { return start.is(other.start); }
  };
  enum class Ending : std::uint8_t { GoesOn, Over };
  static constexpr int kPlayoutCap = 2000;          // actions, then a playout counts as a draw
  static constexpr std::size_t kMostKept = 50'000;  // positions that one search remembers
  static constexpr int kMostActions = 65'535;       // that a node of a tree can have

  // Refuses what does not have the methods of a state.
  explicit PyState(const Rules& rules);

  // The same position, which remembers what play from it comes to.
  PyState own_copy() const;
  const Rules& rules() const;
  int action_count() const { return game_->action_count; }
  int cell_count() const { return game_->cell_count; }
  int to_move() const;
  bool is_over() const;
  Ending ending() const { return is_over() ? Ending::Over : Ending::GoesOn; }
  Outcome outcome() const;
  const char* why_illegal(Action action) const;
  void legal_actions(ActionList& actions) const;
  void play(Action action);
  std::uint64_t hash() const;
  bool operator==(const PyState& other) const;
  void cells(std::span<std::uint8_t> out) const;
  Planes planes() const;
  void encode(std::span<float> out) const;
  PlayoutResult playout(Rng& rng);

  bool evaluates() const { return game_->evaluates; }
  float evaluate() const;  // the mover's chance to win, 0 to 1; only if evaluates()

 private:
  const ActionList& legal() const;

  std::shared_ptr<PyGame> game_;
  std::shared_ptr<Seen> seen_;
};

template <>
struct Heuristics<PyState> : PlainHeuristics<PyState> {
  static constexpr int kCheckEvery = 1;  // a playout of a game in Python takes long

  Value playout(PyState& state, const SearchSettings& settings, Rng& rng, Trace&) {
    if (state.evaluates() && !settings.light_playouts && !state.is_over()) {
      const float win = state.evaluate();
      return {state.to_move() == 0 ? win : 1.0f - win, 0};
    }
    state.playout(rng);
    return state.is_over() ? value_of(state.outcome()) : Value{};
  }
};

template <>
struct Binding<PyState> {
  using Given = const nb::object&;
  struct Unlocked {};
  static constexpr bool kHoldsLock = true;
  static PyState state(Given given) { return PyState(PyState::Rules{given}); }
  using Element = nb::object;
  static nb::object to_python(Given, const PyState& state, const ActionList&) { return state.rules().start; }
};

}  // namespace tengen
