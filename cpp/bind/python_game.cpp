// Binds the searches for games written in Python: the same functions as the compiled games have, for any
// state.
//
// Bound after the compiled games, so that their states find their own first.
#include <chrono>

#include "bind/bind_batch.hpp"
#include "bind/bind_net.hpp"
#include "bind/bind_search.hpp"
#include "bind/bind_state.hpp"
#include "bind/py_state.hpp"
#include "search/plain_solver.hpp"

namespace tengen {
namespace {

// The winner (-1 a draw), play of both that keeps it, and how many positions that took.
nb::tuple solve_plainly(const nb::object& state, std::size_t most_positions, const nb::object& progress) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kEvery = std::chrono::milliseconds(100);
  auto told = Clock::now();
  const auto watch = [&](std::size_t positions, std::size_t depth) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress.is_none() || Clock::now() - told < kEvery) return;
    told = Clock::now();
    progress(positions, depth);
  };
  const PyState root(PyState::Rules{state});
  if (root.is_over()) throw nb::value_error("The game is over: there is nothing to solve.");
  PlainSolver<PyState> solver(root, most_positions, watch);
  const int worth = solver.solve();
  const int winner = worth == 0 ? kDraw : worth > 0 ? root.to_move() : 1 - root.to_move();
  return nb::make_tuple(winner, nb::cast(solver.line()), solver.positions());
}

}  // namespace

void bind_python_game(nb::module_& m) {
  nb::exception<NotSolvable>(m, "NotSolvable", PyExc_ValueError);
  m.def("playouts", &playouts<PyState>, "state"_a, "count"_a, "seed"_a);
  bind_batch<PyState>(m);
  bind_search<PyState>(m, "PythonSearch");
  bind_net<PyState>(m, "Python");
  m.def("solve_plainly", &solve_plainly, "state"_a, "most_positions"_a, "progress"_a = nb::none(),
        nb::sig("def solve_plainly(state: object, most_positions: int, progress: "
                "collections.abc.Callable[[int, int], object] | None = None) -> tuple[int, list[int], int]"),
        "Exact play by the rules alone: the winner (-1 a draw), a line that keeps it, positions looked at.");
}

}  // namespace tengen
