// Binds the exact solvers: a class a game, whose calls run in a thread of their own so that this one can
// report progress and look for Ctrl-C.
#include <nanobind/stl/vector.h>

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "bound.hpp"
#include "games/go.hpp"
#include "search/solver_go.hpp"
#include "search/solver_great_kingdom.hpp"

namespace tengen {
namespace {

using solver::GoGoal;
using solver::GoSolver;
using solver::GreatKingdomSolver;
using solver::Monitor;
using solver::Verdict;

// Calls `work` in a thread. An exception of `progress`, or Ctrl-C, stops the search and comes out of here.
template <class F>
auto run_watched(Monitor& monitor, const nb::object& progress, F work) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;
  decltype(work()) result{};
  monitor.stop = false;
  std::thread worker([&] {
    try {
      result = work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  });
  const auto wait_briefly = [&] {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return done; });
  };
  std::exception_ptr wish;
  while (!wait_briefly()) {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) progress(monitor.nodes.load(), monitor.depth.load());
    } catch (...) {
      wish = std::current_exception();
      monitor.stop = true;
      break;
    }
  }
  {
    const nb::gil_scoped_release release;
    worker.join();
  }
  if (wish) std::rethrow_exception(wish);
  if (failure) std::rethrow_exception(failure);
  return result;
}

nb::object python_verdict(Verdict verdict) {
  return verdict == solver::kOpen ? nb::none() : nb::object(nb::bool_(verdict == solver::kProven));
}

std::size_t bytes_of(int memory_mb) { return static_cast<std::size_t>(memory_mb) << 20; }

GoGoal::Setting setting_of(const Go9& state) {
  GoGoal::Setting setting;
  setting.side = state.rules().size;
  setting.to_move = state.to_move();
  setting.passes = state.passes();
  setting.ko = state.ko_cell() >= 0;
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const auto colour = state.board().at(state.board().point(cell));
    if (colour == Go9::Board::kEmpty) continue;
    const solver::Board bit = solver::Board{1} << (8 * (cell / setting.side) + cell % setting.side);
    setting.stones[colour == Go9::Board::kBlack ? 0 : 1] |= bit;
  }
  return setting;
}

}  // namespace

void bind_solver(nb::module_& m) {
  m.attr("SOLVER_LARGEST_SIDE") = solver::kMaxSide;

  nb::class_<GreatKingdomSolver>(m, "GreatKingdomSolver",
                                 "Exact play from one position; see tengen.search.solve.")
      .def(
          "__init__",
          [](GreatKingdomSolver* self, const Bound<GreatKingdom<7>>& state, int memory_mb) {
            new (self) GreatKingdomSolver(state.state, bytes_of(memory_mb));
          },
          "state"_a, "memory_mb"_a)
      .def(
          "attempt",
          [](GreatKingdomSolver& self, int lead, const nb::object& progress) {
            return run_watched(self.monitor(), progress, [&] { return self.attempt(lead); }) ==
                   solver::kProven;
          },
          "lead"_a, "progress"_a = nb::none(),
          nb::sig("def attempt(self, lead: int, progress: collections.abc.Callable[[int, int], object] | "
                  "None = None)"
                  " -> bool"),
          "Whether Blue can force a capture or at least that lead.")
      .def(
          "line",
          [](GreatKingdomSolver& self, int held, int denied, const nb::object& progress) {
            return run_watched(self.monitor(), progress, [&] { return self.line(held, denied); });
          },
          "held"_a, "denied"_a, "progress"_a = nb::none(),
          nb::sig("def line(self, held: int, denied: int, "
                  "progress: collections.abc.Callable[[int, int], object] | None = None) -> list[int]"),
          "Play in which Blue holds the one lead and Orange denies the other.")
      .def_prop_ro("nodes", [](GreatKingdomSolver& self) { return self.monitor().total(); });

  nb::class_<GoSolver>(m, "GoSolver", "Exact play from one position; see tengen.search.solve.")
      .def(
          "__init__",
          [](GoSolver* self, const Bound<Go9>& state, int memory_mb) {
            new (self) GoSolver(setting_of(state.state), bytes_of(memory_mb));
          },
          "state"_a, "memory_mb"_a)
      .def(
          "attempt",
          [](GoSolver& self, int seat, int need, const nb::object& progress) {
            return python_verdict(
                run_watched(self.monitor(), progress, [&] { return self.attempt(seat, need); }));
          },
          "seat"_a, "need"_a, "progress"_a = nb::none(),
          nb::sig("def attempt(self, seat: int, need: int, "
                  "progress: collections.abc.Callable[[int, int], object] | None = None) -> bool | None"),
          "Whether the seat can force an area that much larger; None when neither could be shown.")
      .def(
          "line",
          [](GoSolver& self, int seat, int lead, const nb::object& progress) {
            return run_watched(self.monitor(), progress, [&] { return self.line(seat, lead); });
          },
          "seat"_a, "lead"_a, "progress"_a = nb::none(),
          nb::sig("def line(self, seat: int, lead: int, "
                  "progress: collections.abc.Callable[[int, int], object] | None = None) -> list[int]"),
          "Play of the seat that forces that lead, until what is left needs no search.")
      .def_prop_ro("nodes", [](GoSolver& self) { return self.monitor().total(); });
}

}  // namespace tengen
