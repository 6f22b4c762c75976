// What Python calls a state: the C++ state with the Python game that it belongs to and the log of actions
// that led to it. Shared by the files that bind states and what works on them.
#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <stdexcept>

#include "game.hpp"
#include "history.hpp"

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
struct Bound {
  using State = S;
  S state;
  nb::object game;
  nb::object origin;  // the arguments of Game.position, or None
  History<Action, 16> log;

  Bound played(Action action) const {
    if (const char* why = state.why_illegal(action)) throw IllegalAction(why);
    Bound next = *this;
    next.state.play(action);
    next.log.push(action);
    return next;
  }
};

}  // namespace tengen
