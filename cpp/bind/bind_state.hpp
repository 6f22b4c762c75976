// bind_state() gives the states of every game the same methods; each game's file adds its own to the class
// that it returns. What more than one of those files needs of the values' shapes stands here too.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/bound.hpp"
#include "bind/plain.hpp"
#include "describe/description.hpp"

namespace tengen {

inline nb::bytes to_bytes(const std::vector<std::uint8_t>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size());
}

inline std::span<const std::uint8_t> as_span(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

template <class T>
std::pair<T, T> pair(const std::array<T, 2>& values) {
  return {values[0], values[1]};
}

inline nb::object python_outcome(const Outcome& outcome) {
  const nb::object winner = outcome.winner == kDraw ? nb::none() : nb::object(nb::int_(outcome.winner));
  const nb::object score =
      outcome.has_score ? nb::object(nb::make_tuple(outcome.score[0], outcome.score[1])) : nb::none();
  return nb::module_::import_("tengen.game").attr("Outcome")(winner, outcome.reason, score);
}

template <GameState S>
nb::list legal_actions(const Bound<S>& self) {
  static thread_local ActionList actions;
  self.state.legal_actions(actions);
  nb::list result = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(actions.size())));
  for (std::size_t i = 0; i < actions.size(); ++i)
    PyList_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(actions[i]));
  return result;
}

template <GameState S>
nb::tuple resumptions(const Bound<S>& self) {
  nb::list all;
  for (const auto& [before, seat] : self.resumptions) all.append(nb::make_tuple(before, seat));
  return nb::tuple(all);
}

template <GameState S>
nb::ndarray<nb::numpy, float, nb::ndim<3>> encode(const Bound<S>& self) {
  const Planes shape = self.state.planes();
  auto data = std::make_unique<float[]>(static_cast<std::size_t>(shape.size()));
  self.state.encode({data.get(), static_cast<std::size_t>(shape.size())});
  float* values = data.release();
  const nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  const std::array<std::size_t, 3> extent{static_cast<std::size_t>(shape.channels),
                                          static_cast<std::size_t>(shape.height),
                                          static_cast<std::size_t>(shape.width)};
  return nb::ndarray<nb::numpy, float, nb::ndim<3>>(values, 3, extent.data(), owner);
}

template <GameState S>
std::array<std::int64_t, 4> playouts(typename Binding<S>::Given given, std::int64_t count,
                                     std::uint64_t seed) {
  const S& start = Binding<S>::state(given);
  [[maybe_unused]] typename Binding<S>::Unlocked unlocked;
  Rng rng(seed);
  std::array<std::int64_t, 4> tally{};  // wins of seat 0, of seat 1, draws, actions
  for (std::int64_t i = 0; i < count; ++i) {
    S state = start;
    const PlayoutResult result = state.playout(rng);
    ++tally[static_cast<std::size_t>(result.winner == kDraw ? 2 : result.winner)];
    tally[3] += result.actions;
  }
  return tally;
}

template <GameState S, class F>
std::vector<std::uint8_t> per_cell(const S& state, F fill) {
  std::vector<std::uint8_t> values(static_cast<std::size_t>(state.cell_count()));
  fill(std::span<std::uint8_t>(values));
  return values;
}

template <GameState S>
std::vector<std::uint16_t> liberties(const Bound<S>& self) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(self.state.cell_count()));
  self.state.liberties(values);
  return values;
}

template <GameState S>
nb::object view(const Bound<S>& self) {
  const View seen = Description<S>::view(self);
  const nb::object score =
      seen.score ? nb::object(nb::make_tuple((*seen.score)[0], (*seen.score)[1])) : nb::none();
  return nb::module_::import_("tengen.game")
      .attr("View")(seen.board, seen.width, seen.height, nb::tuple(to_python_text(seen.cells)), seen.to_move,
                    nb::tuple(nb::cast(seen.last)), nb::tuple(nb::cast(seen.captured)), score,
                    to_python(seen.details));
}

// What every game has. The signatures are what the stub shows.
template <GameState S>
nb::class_<Bound<S>> bind_state(nb::module_& m, const char* name, const char* doc) {
  using B = Bound<S>;
  const std::string type = name;
  const std::string play_signature = "def play(self, action: typing.SupportsIndex, /) -> " + type;
  const std::string play_all_signature =
      "def play_all(self, actions: collections.abc.Iterable[typing.SupportsIndex], /) -> " + type;
  const std::string resume_signature = "def resume(self, seat: int, /) -> " + type;

  const std::string from_cells_signature =
      "def from_cells(game: object, rules: object, cells: bytes, to_move: typing.SupportsIndex, origin: "
      "object) -> " +
      type;

  nb::class_<B> cls(m, name, doc);
  cls.def_static(
         "start",
         [](nb::object game, const typename S::Rules& rules) {
           rules.validate();
           return B(S(rules), std::move(game), nb::none());
         },
         "game"_a, "rules"_a)
      .def_static(
          "from_cells",
          [](nb::object game, const typename S::Rules& rules, const nb::bytes& cells, nb::handle to_move,
             nb::object origin) {
            rules.validate();
            return B(S::from_cells(rules, as_span(cells), to_action(to_move)), std::move(game),
                     std::move(origin));
          },
          "game"_a, "rules"_a, "cells"_a, "to_move"_a, "origin"_a, nb::sig(from_cells_signature.c_str()))
      .def_prop_ro(
          "game", [](const B& self) { return self.game; },
          nb::for_getter(nb::sig("def game(self) -> tengen.game.Game")))
      .def_prop_ro("to_move", [](const B& self) { return self.state.to_move(); })
      .def_prop_ro(
          "outcome",
          [](const B& self) {
            return self.state.is_over() ? python_outcome(self.state.outcome()) : nb::none();
          },
          nb::for_getter(nb::sig("def outcome(self) -> tengen.game.Outcome | None")))
      .def_prop_ro(
          "actions", [](const B& self) { return nb::tuple(nb::cast(self.log.items())); },
          nb::for_getter(nb::sig("def actions(self) -> tuple[int, ...]")))
      .def_prop_ro(
          "last_action",
          [](const B& self) {
            return self.log.size() ? nb::object(nb::int_(self.log.newest(1).front())) : nb::none();
          },
          nb::for_getter(nb::sig("def last_action(self) -> int | None")),
          "Of `actions`, which takes longer the more there are.")
      .def_prop_ro("resumptions", &resumptions<S>,
                   nb::for_getter(nb::sig("def resumptions(self) -> tuple[tuple[int, int], ...]")),
                   "Where play was resumed: how many actions came before, and the seat to move then.")
      .def_prop_ro(
          "origin", [](const B& self) { return self.origin; },
          nb::for_getter(nb::sig("def origin(self) -> tuple[str, int] | None")))
      .def("legal_actions", &legal_actions<S>, nb::sig("def legal_actions(self) -> list[int]"))
      .def(
          "play", [](const B& self, nb::handle action) { return self.played(to_action(action)); },
          nb::sig(play_signature.c_str()))
      .def(
          "play_all",
          [](const B& self, nb::iterable actions) {
            ActionList all;
            for (const nb::handle action : actions) all.push_back(to_action(action));
            return self.played(all);
          },
          nb::sig(play_all_signature.c_str()), "The state after all of those actions.")
      .def(
          "resume", [](const B& self, int seat) { return self.resumed(seat); },
          nb::sig(resume_signature.c_str()),
          "Back to play after a stop that the rules allow to end, with that seat to move.")
      .def(
          "why_illegal",
          [](const B& self, nb::handle action) -> nb::object {
            const char* why = self.state.why_illegal(to_action(action));
            return why ? nb::object(nb::str(why)) : nb::none();
          },
          nb::sig("def why_illegal(self, action: typing.SupportsIndex, /) -> str | None"),
          "The sentence of the IllegalAction that play would raise, None when the action is legal.")
      .def("view", &view<S>, nb::sig("def view(self) -> tengen.game.View"),
           "What a client needs to draw and explain the position.")
      .def(
          "view_json",
          [](const B& self) {
            const std::string told = told_view(Description<S>::view(self)).written();
            return nb::bytes(told.data(), told.size());
          },
          "The same as JSON.")
      .def(
          "parse",
          [](const B& self, nb::str text) {
            return unless_refused(Description<S>::parse(self, from_python_text(text)));
          },
          "text"_a, "The actions that a person wrote; raises NotationError and IllegalAction.")
      .def(
          "format",
          [](const B& self, nb::iterable actions) {
            ActionList all;
            for (const nb::handle action : actions) all.push_back(to_action(action));
            return unless_refused(Description<S>::format(self, all));
          },
          nb::sig("def format(self, actions: collections.abc.Iterable[typing.SupportsIndex]) -> str"),
          "Those actions as people write them.")
      .def_prop_ro(
          "mid_move", [](const B& self) { return Description<S>::mid_move(self.state); },
          "Whether the last action has begun a move that the next one goes on with.")
      .def_prop_ro_static(
          "letters", [](nb::handle) { return std::string(Description<S>::kLetters); },
          "A letter for each code of a cell, the empty cell's first.")
      .def_static(
          "trained_for",
          [](const typename S::Rules& rules, const typename S::Rules& learned) {
            return Description<S>::trained_for(rules, learned);
          },
          "rules"_a, "learned"_a,
          "Whether a brain that learned by the one rules plays as well by the others.")
      .def("encode", &encode<S>, nb::sig("def encode(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("cells",
           [](const B& self) {
             return to_bytes(per_cell(self.state, [&](auto out) { self.state.cells(out); }));
           })
      .def(
          "__eq__",
          [](const B& self, const B& other) {
            return self.state.rules() == other.state.rules() && self.state == other.state;
          },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const B& self) { return static_cast<std::int64_t>(self.state.hash()); })
      .def(
          "__repr__",
          [](nb::handle self) {
            return nb::cast<nb::str>(nb::module_::import_("tengen.game").attr("describe")(self));
          },
          nb::sig("def __repr__(self) -> str"))
      .def(
          "__reduce__",
          [](const B& self) {
            return nb::make_tuple(nb::module_::import_("tengen.game").attr("restore"),
                                  nb::make_tuple(self.game, self.origin,
                                                 nb::tuple(nb::cast(self.log.items())), resumptions(self)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  m.def("playouts", &playouts<S>, "state"_a, "count"_a, "seed"_a);
  return cls;
}

}  // namespace tengen
