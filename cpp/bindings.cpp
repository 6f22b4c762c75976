// The compiled module tengen._core. Only bindings.cpp, bind_*.cpp and bound.hpp know Python.
//
// bind_state() gives the states of every game the same methods; each game adds its own below it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bound.hpp"
#include "games/dominion_duel.hpp"
#include "games/go.hpp"
#include "games/great_kingdom.hpp"
#include "games/kelasu.hpp"

namespace tengen {
namespace {

nb::bytes to_bytes(const std::vector<std::uint8_t>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size());
}

std::span<const std::uint8_t> as_span(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

template <class T>
std::pair<T, T> pair(const std::array<T, 2>& values) {
  return {values[0], values[1]};
}

nb::object python_outcome(const Outcome& outcome) {
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
std::array<std::int64_t, 4> playouts(const Bound<S>& self, std::int64_t count, std::uint64_t seed) {
  nb::gil_scoped_release release;
  Rng rng(seed);
  std::array<std::int64_t, 4> tally{};  // wins of seat 0, of seat 1, draws, actions
  for (std::int64_t i = 0; i < count; ++i) {
    S state = self.state;
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

// What every game has. The signatures are what the stub shows.
template <GameState S>
nb::class_<Bound<S>> bind_state(nb::module_& m, const char* name, const char* doc) {
  using B = Bound<S>;
  const std::string type = name;
  const std::string play_signature = "def play(self, action: typing.SupportsIndex, /) -> " + type;

  const std::string from_cells_signature =
      "def from_cells(game: object, rules: object, cells: bytes, to_move: typing.SupportsIndex, origin: "
      "object) -> " +
      type;

  nb::class_<B> cls(m, name, doc);
  cls.def_static(
         "start",
         [](nb::object game, const typename S::Rules& rules) {
           rules.validate();
           return B{S(rules), std::move(game), nb::none(), {}};
         },
         "game"_a, "rules"_a)
      .def_static(
          "from_cells",
          [](nb::object game, const typename S::Rules& rules, const nb::bytes& cells, nb::handle to_move,
             nb::object origin) {
            rules.validate();
            return B{S::from_cells(rules, as_span(cells), to_action(to_move)),
                     std::move(game),
                     std::move(origin),
                     {}};
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
          "origin", [](const B& self) { return self.origin; },
          nb::for_getter(nb::sig("def origin(self) -> tuple[str, int] | None")))
      .def("legal_actions", &legal_actions<S>, nb::sig("def legal_actions(self) -> list[int]"))
      .def(
          "play", [](const B& self, nb::handle action) { return self.played(to_action(action)); },
          nb::sig(play_signature.c_str()))
      .def(
          "why_illegal",
          [](const B& self, nb::handle action) -> nb::object {
            const char* why = self.state.why_illegal(to_action(action));
            return why ? nb::object(nb::str(why)) : nb::none();
          },
          nb::sig("def why_illegal(self, action: typing.SupportsIndex, /) -> str | None"),
          "The sentence of the IllegalAction that play would raise, None when the action is legal.")
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
            return nb::make_tuple(
                nb::module_::import_("tengen.game").attr("restore"),
                nb::make_tuple(self.game, self.origin, nb::tuple(nb::cast(self.log.items()))));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  m.def("playouts", &playouts<S>, "state"_a, "count"_a, "seed"_a);
  return cls;
}

template <class Row>
void bind_dominion_duel(nb::module_& m, const char* name) {
  bind_state<DominionDuel<Row>>(m, name, "A position of Dominion Duel.")
      .def("score", [](const Bound<DominionDuel<Row>>& self) { return pair(self.state.score()); });
}

template <int Max>
void bind_go(nb::module_& m, const char* name) {
  using B = Bound<Go<Max>>;
  const std::string resume = std::string("def resume(self, seat: int, /) -> ") + name;
  bind_state<Go<Max>>(m, name, "A position of Go.")
      .def_prop_ro(
          "ko",
          [](const B& self) {
            const int cell = self.state.rules().superko ? -1 : self.state.ko_cell();
            return cell < 0 ? nb::none() : nb::object(nb::int_(cell));
          },
          nb::for_getter(nb::sig("def ko(self) -> int | None")), "The point that may not be retaken now.")
      .def_prop_ro(
          "prisoners", [](const B& self) { return pair(self.state.prisoners()); },
          "Stones captured by each seat.")
      .def_prop_ro(
          "passes", [](const B& self) { return self.state.passes(); }, "Passes in a row just made.")
      .def_prop_ro(
          "captured",
          [](const B& self) {
            nb::list cells;
            self.state.captured().for_each([&](int cell) { cells.append(cell); });
            return nb::tuple(cells);
          },
          nb::for_getter(nb::sig("def captured(self) -> tuple[int, ...]")),
          "The cells that the last move captured.")
      .def("liberties", &liberties<Go<Max>>,
           "The liberties of the chain on each cell, 0 where there is none.")
      .def(
          "count",
          [](const B& self, const std::vector<int>& dead, const std::vector<int>& neutral) {
            return self.state.score(dead, neutral);
          },
          "dead"_a = std::vector<int>{}, "neutral"_a = std::vector<int>{},
          "The whole score sheet; see GoScore. `dead` names a stone of each dead chain, `neutral` points of "
          "seki.")
      .def(
          "score",
          [](const B& self, const std::vector<int>& dead, const std::vector<int>& neutral) {
            return pair(self.state.score(dead, neutral).points);
          },
          "dead"_a = std::vector<int>{}, "neutral"_a = std::vector<int>{},
          nb::sig("def score(self, dead: collections.abc.Sequence[int] = (), "
                  "neutral: collections.abc.Sequence[int] = ()) -> tuple[float, float]"))
      .def(
          "resume",
          [](const B& self, int seat) {
            if (const char* why = self.state.why_not_resume(seat)) throw IllegalAction(why);
            B next = self;
            next.state.resume(seat);
            next.log.push(-1 - seat);
            return next;
          },
          nb::sig(resume.c_str()), "Back to play after two passes, with that seat to move.");
}

void bind_go_values(nb::module_& m) {
  nb::class_<GoRules>(m, "GoRules")
      .def(
          "__init__",
          [](GoRules* self, int size, bool superko, bool area, double komi, int handicap) {
            new (self) GoRules{size, superko, area, komi, handicap};
            self->validate();
          },
          "size"_a, "superko"_a, "area"_a, "komi"_a, "handicap"_a);
  nb::class_<GoScore>(m, "GoScore", "A score sheet; pairs are Black's and White's.")
      .def_prop_ro(
          "points", [](const GoScore& self) { return pair(self.points); }, "The result, komi included.")
      .def_prop_ro("territory", [](const GoScore& self) { return pair(self.territory); })
      .def_prop_ro(
          "stones", [](const GoScore& self) { return pair(self.stones); }, "Living stones.")
      .def_prop_ro(
          "lost", [](const GoScore& self) { return pair(self.lost); }, "Own stones captured in play.")
      .def_prop_ro(
          "dead", [](const GoScore& self) { return pair(self.dead); }, "Own stones dead on the board.")
      .def_prop_ro("owner", [](const GoScore& self) { return to_bytes(self.owner); });
}

template <int Max>
void bind_great_kingdom(nb::module_& m, const char* name) {
  using B = Bound<GreatKingdom<Max>>;
  bind_state<GreatKingdom<Max>>(m, name, "A position of Great Kingdom.")
      .def(
          "score", [](const B& self) { return pair(self.state.score()); },
          "The territory of both as it stands.")
      .def(
          "territory",
          [](const B& self) {
            return to_bytes(per_cell(self.state, [&](auto out) { self.state.territory(out); }));
          },
          "The owner of each cell: 0 nobody, 1 Blue, 2 Orange.")
      .def("liberties", &liberties<GreatKingdom<Max>>,
           "The liberties of the group on each cell, 0 where there is none.")
      .def(
          "would_lose",
          [](const B& self, nb::handle action) { return self.state.would_lose(to_action(action)); },
          nb::sig("def would_lose(self, action: typing.SupportsIndex, /) -> bool"),
          "A placement that is suicide.")
      .def_prop_ro(
          "passes", [](const B& self) { return self.state.passes(); }, "Passes in a row just made.")
      .def_prop_ro(
          "captured",
          [](const B& self) {
            const auto marks = per_cell(self.state, [&](auto out) { self.state.captured(out); });
            nb::list cells;
            for (std::size_t i = 0; i < marks.size(); ++i)
              if (marks[i]) cells.append(i);
            return nb::tuple(cells);
          },
          nb::for_getter(nb::sig("def captured(self) -> tuple[int, ...]")),
          "The castles without liberties that ended the game.")
      .def_prop_ro(
          "castles_left",
          [](const B& self) -> nb::object {
            if (self.state.castles_left(0) < 0) return nb::none();
            return nb::make_tuple(self.state.castles_left(0), self.state.castles_left(1));
          },
          nb::for_getter(nb::sig("def castles_left(self) -> tuple[int, int] | None")),
          "None without a limit.");
}

void bind_great_kingdom_values(nb::module_& m) {
  using R = GreatKingdomRules;
  nb::class_<R>(m, "GreatKingdomRules")
      .def(
          "__init__",
          [](R* self, int size, bool neutral, int lead, bool suicide_loses, bool enter_enemy_territory,
             bool enter_own_territory, int castles) {
            new (self)
                R{size, neutral, lead, suicide_loses, enter_enemy_territory, enter_own_territory, castles};
            self->validate();
          },
          "size"_a, "neutral"_a, "lead"_a, "suicide_loses"_a, "enter_enemy_territory"_a,
          "enter_own_territory"_a, "castles"_a);
}

void bind_kelasu(nb::module_& m) {
  using B = Bound<Kelasu>;
  const auto optional = [](int value) { return value < 0 ? nb::none() : nb::object(nb::int_(value)); };
  nb::class_<KelasuRules>(m, "KelasuRules")
      .def(
          "__init__",
          [](KelasuRules* self, bool may_end_turn_early) { new (self) KelasuRules{may_end_turn_early}; },
          "may_end_turn_early"_a);
  bind_state<Kelasu>(m, "Kelasu", "A position of Kelasu, maybe in the midst of a staged move.")
      .def_prop_ro(
          "energy", [](const B& self) { return self.state.energy(); }, "What is left of it this turn.")
      .def_prop_ro("quiet_rounds", [](const B& self) { return self.state.quiet_rounds(); })
      .def_prop_ro(
          "stage",
          [](const B& self) {
            static constexpr std::array<const char*, 4> kNames{"choose", "move", "merge-target",
                                                               "merge-cells"};
            return kNames[static_cast<std::size_t>(self.state.stage())];
          },
          "What the next action chooses: choose, move, merge-target or merge-cells.")
      .def_prop_ro(
          "selected_from", [=](const B& self) { return optional(self.state.selected_from()); },
          nb::for_getter(nb::sig("def selected_from(self) -> int | None")),
          "The cell of the piece that is to move.")
      .def_prop_ro(
          "merge_kind", [=](const B& self) { return optional(self.state.merge_kind()); },
          nb::for_getter(nb::sig("def merge_kind(self) -> int | None")), "0 to 5 for W R D C G S.")
      .def_prop_ro(
          "merge_target", [=](const B& self) { return optional(self.state.merge_target()); },
          nb::for_getter(nb::sig("def merge_target(self) -> int | None")))
      .def_prop_ro(
          "selected", [](const B& self) { return self.state.selected(); }, "The cells of the merge so far.")
      .def_prop_ro(
          "moved", [](const B& self) { return self.state.moved(); }, "Pieces that have moved this turn.")
      .def(
          "movable", [](const B& self) { return self.state.movable(); }, "The pieces that may move now.")
      .def(
          "targets", [](const B& self, int cell) { return self.state.targets(cell); }, "cell"_a,
          "Where the piece on that cell goes, moved or not.")
      .def(
          "merge_targets", [](const B& self, int kind) { return self.state.merge_targets(kind); }, "kind"_a,
          "The cells where a merge into that kind may stand.");
}

}  // namespace

void bind_batch(nb::module_& m);
void bind_net(nb::module_& m);
void bind_search(nb::module_& m);
void bind_solver(nb::module_& m);
}  // namespace tengen

NB_MODULE(_core, m) {
  using namespace tengen;
  nb::set_leak_warnings(false);  // at exit the interpreter may not free all; tests look for real leaks
  nb::exception<IllegalAction>(m, "IllegalAction", PyExc_ValueError);
  nb::exception<InvalidOption>(m, "InvalidOption", PyExc_ValueError);
  nb::exception<InvalidPosition>(m, "InvalidPosition", PyExc_ValueError);

  bind_great_kingdom_values(m);
  bind_great_kingdom<7>(m, "GreatKingdom7");
  bind_great_kingdom<9>(m, "GreatKingdom9");
  bind_great_kingdom<19>(m, "GreatKingdom19");
  bind_go_values(m);
  bind_go<9>(m, "Go9");
  bind_go<19>(m, "Go19");
  bind_kelasu(m);
  nb::class_<DominionDuelRules>(m, "DominionDuelRules")
      .def(
          "__init__",
          [](DominionDuelRules* self, int n) {
            new (self) DominionDuelRules{n};
            self->validate();
          },
          "n"_a)
      .def_prop_ro_static("largest", [](nb::handle) { return DominionDuelRules::kLargest; });
  bind_dominion_duel<ShortRow>(m, "ShortDominionDuel");
  bind_dominion_duel<LongRow>(m, "LongDominionDuel");

  bind_batch(m);
  bind_search(m);
  bind_net(m);
  bind_solver(m);
}
