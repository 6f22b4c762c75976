// What Python calls a state: the C++ state with the Python game that it belongs to, the log of actions that
// led to it and the resumptions between them. Shared by the files that bind states and what works on them.
#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "describe/played.hpp"

namespace tengen {

namespace nb = nanobind;
using namespace nb::literals;

struct IllegalAction : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Any Python int, also one that no machine word holds: those are out of range, not a type error.
inline Action to_action(nb::handle value) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  constexpr Action kNowhere = std::numeric_limits<Action>::min();
  const bool fits = overflow == 0 && number >= kNowhere && number <= std::numeric_limits<Action>::max();
  return fits ? static_cast<Action>(number) : kNowhere;
}

template <GameState S>
struct Bound : Played<S> {
  nb::object game;
  nb::object origin;  // the arguments of Game.position, or None

  Bound(S start, nb::object owner, nb::object from)
      : Played<S>(std::move(start)), game(std::move(owner)), origin(std::move(from)) {}

  Bound played(Action action) const {
    if (const char* why = this->state.why_illegal(action)) throw IllegalAction(why);
    Bound next = *this;
    next.state.play(action);
    next.log.push(action);
    next.noted.note(this->state, action, next.state);
    return next;
  }

  // The state after all of them, with one copy; nothing but the exception is left where one is illegal.
  Bound played(const ActionList& actions) const {
    Bound next = *this;
    for (const Action action : actions) {
      if (const char* why = next.state.why_illegal(action)) throw IllegalAction(why);
      next.play(action);
    }
    return next;
  }

  Bound resumed(int seat) const {
    if (const char* why = this->why_not_resume(seat)) throw IllegalAction(why);
    Bound next = *this;
    next.resume(seat);
    return next;
  }
};

// How the searches take a state from Python, and what they do about the interpreter's lock meanwhile.
template <GameState S>
struct Binding {
  using Given = const Bound<S>&;
  using Unlocked = nb::gil_scoped_release;  // as long as it lives, others have the lock
  static constexpr bool kHoldsLock = false;
  static const S& state(Given given) { return given.state; }
  using Element = const Bound<S>*;  // of a list
  static const S& state(Element given) { return given->state; }
  // What Python gets of a state that those actions led to.
  static nb::object to_python(Given start, const S& state, const ActionList& actions) {
    if constexpr (!std::is_empty_v<Noted<S>>) return nb::cast(start.played(actions));
    Bound<S> bound = start;
    bound.state = state;
    for (const Action action : actions) bound.log.push(action);
    return nb::cast(std::move(bound));
  }
};

}  // namespace tengen
