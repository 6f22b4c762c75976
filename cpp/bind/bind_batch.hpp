// bind_batch() binds batches of games: one class for all games (bind_batch.cpp), which fills the arrays that
// tengen.batch hands over, and a function a game that makes one.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <functional>
#include <memory>
#include <mutex>

#include "batch.hpp"
#include "bind/bound.hpp"

namespace tengen {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

struct BoundBatch {
  std::unique_ptr<AnyBatch> games;
  std::function<nb::object(std::size_t)> state;  // that game's, as its own compiled class
  bool holds_lock = false;                       // its games are Python's, so calls keep the GIL
  std::mutex busy;                               // a batch does one thing at a time

  // Runs a call without the GIL where it can, so that other Python threads go on.
  template <class Work>
  auto alone(Work work) {
    if (holds_lock) {
      const auto lock = wait();
      return work(*games);
    }
    nb::gil_scoped_release release;
    const std::lock_guard lock(busy);
    return work(*games);
  }

  // Its turn, with the GIL. Nobody waits with it, since who has the turn may need it.
  std::unique_lock<std::mutex> wait() {
    nb::gil_scoped_release release;
    return std::unique_lock(busy);
  }

  // The array as a span of `width` values a game, which it must have exactly.
  template <class T>
  std::span<T> all_of(const Array<T>& array, std::size_t width = 1) const {
    if (array.size() != games->count() * width) throw std::invalid_argument("An array has the wrong size.");
    return {array.data(), array.size()};
  }

  std::size_t plane_count() const { return static_cast<std::size_t>(games->planes().size()); }
};

template <GameState S>
void bind_batch(nb::module_& m) {
  m.def(
      "new_batch",
      [](typename Binding<S>::Given start, std::size_t count, std::uint64_t seed, bool auto_reset,
         std::size_t threads) {
        auto games = std::make_unique<Batch<S>>(Binding<S>::state(start), count, seed, auto_reset,
                                                Binding<S>::kHoldsLock ? 1 : threads);
        auto bound = std::make_unique<BoundBatch>();
        bound->holds_lock = Binding<S>::kHoldsLock;
        bound->state = [start = std::decay_t<decltype(start)>(start), batch = games.get()](std::size_t game) {
          return Binding<S>::to_python(start, batch->state(game), batch->log(game));
        };
        bound->games = std::move(games);
        return bound;
      },
      "start"_a, "count"_a, "seed"_a, "auto_reset"_a, "threads"_a, "So many games from that state.");
}

}  // namespace tengen
