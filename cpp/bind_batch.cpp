// Binds batches of games: one class for all games, which fills the arrays that tengen.batch hands over.
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "batch.hpp"
#include "bound.hpp"
#include "games/dominion_duel.hpp"
#include "games/go.hpp"
#include "games/great_kingdom.hpp"
#include "games/kelasu.hpp"

namespace tengen {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

struct BoundBatch {
  std::unique_ptr<AnyBatch> games;
  std::function<nb::object(std::size_t)> state;  // that game's, as its own compiled class
  std::mutex busy;                               // a batch does one thing at a time

  // Runs a call without the GIL, so that other Python threads go on.
  template <class Work>
  auto alone(Work work) {
    nb::gil_scoped_release release;
    const std::lock_guard lock(busy);
    return work(*games);
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
void bind_one(nb::module_& m) {
  m.def(
      "new_batch",
      [](const Bound<S>& start, std::size_t count, std::uint64_t seed, bool auto_reset, std::size_t threads) {
        auto games = std::make_unique<Batch<S>>(start.state, count, seed, auto_reset, threads);
        auto bound = std::make_unique<BoundBatch>();
        bound->state = [start, batch = games.get()](std::size_t game) {
          Bound<S> state = start;
          state.state = batch->state(game);
          for (const Action action : batch->log(game)) state.log.push(action);
          return nb::cast(std::move(state));
        };
        bound->games = std::move(games);
        return bound;
      },
      "start"_a, "count"_a, "seed"_a, "auto_reset"_a, "threads"_a, "So many games from that state.");
}

std::string sentence(const Refusal& refusal) {
  return "Game " + std::to_string(refusal.game) + " of the batch: " + refusal.why;
}

void step(BoundBatch& self, const Array<const std::int64_t>& actions, const Array<float>& rewards,
          const Array<bool>& ended) {
  const auto chosen = self.all_of(actions);
  const auto paid = self.all_of(rewards, 2);
  const auto over = self.all_of(ended);
  const Refusal refusal = self.alone([&](AnyBatch& games) { return games.step(chosen, paid, over); });
  if (refusal.why) throw IllegalAction(sentence(refusal));
}

void sample_by_logits(BoundBatch& self, const Array<const float>& logits, const Array<std::int64_t>& out) {
  const auto rows = self.all_of(logits, self.games->action_count());
  const auto drawn = self.all_of(out);
  const Refusal refusal = self.alone([&](AnyBatch& games) { return games.sample(rows, drawn); });
  if (refusal.why) throw std::invalid_argument(sentence(refusal));
}

// One value a game.
template <class T, void (AnyBatch::*Method)(std::span<T>) const>
void fill(BoundBatch& self, const Array<T>& out) {
  const auto values = self.all_of(out);
  self.alone([&](AnyBatch& games) { (games.*Method)(values); });
}

}  // namespace

void bind_batch(nb::module_& m) {
  using B = BoundBatch;
  nb::class_<B>(m, "Batch", "Many games of one kind; see tengen.batch.Batch.")
      .def_prop_ro(
          "planes",
          [](const B& self) {
            const Planes planes = self.games->planes();
            return nb::make_tuple(planes.channels, planes.height, planes.width);
          },
          nb::for_getter(nb::sig("def planes(self) -> tuple[int, int, int]")))
      .def("step", &step, "actions"_a.noconvert(), "rewards"_a.noconvert(), "ended"_a.noconvert())
      .def(
          "reset",
          [](B& self, const Array<const bool>& chosen) {
            const auto which = self.all_of(chosen);
            self.alone([&](AnyBatch& games) { games.reset(which); });
          },
          "chosen"_a.noconvert())
      .def(
          "sample",
          [](B& self, const Array<std::int64_t>& out) {
            const auto drawn = self.all_of(out);
            self.alone([&](AnyBatch& games) { games.sample(drawn); });
          },
          "out"_a.noconvert())
      .def("sample_by_logits", &sample_by_logits, "logits"_a.noconvert(), "out"_a.noconvert())
      .def(
          "legal",
          [](B& self, const Array<bool>& out) {
            const auto rows = self.all_of(out, self.games->action_count());
            self.alone([&](AnyBatch& games) { games.legal(rows); });
          },
          "out"_a.noconvert())
      .def(
          "encode",
          [](B& self, const Array<float>& out) {
            const auto rows = self.all_of(out, self.plane_count());
            self.alone([&](AnyBatch& games) { games.encode(rows); });
          },
          "out"_a.noconvert())
      .def("to_move", &fill<std::int8_t, &AnyBatch::to_move>, "out"_a.noconvert())
      .def("winner", &fill<std::int8_t, &AnyBatch::winner>, "out"_a.noconvert())
      .def("lengths", &fill<std::int32_t, &AnyBatch::lengths>, "out"_a.noconvert())
      .def(
          "state",
          [](B& self, std::size_t game) {
            if (game >= self.games->count()) throw nb::index_error();
            const std::lock_guard lock(self.busy);  // its holders never wait for the GIL
            return self.state(game);
          },
          "game"_a);
  bind_one<GreatKingdom<7>>(m);
  bind_one<GreatKingdom<9>>(m);
  bind_one<GreatKingdom<19>>(m);
  bind_one<Go9>(m);
  bind_one<Go19>(m);
  bind_one<Kelasu>(m);
  bind_one<ShortDominionDuel>(m);
  bind_one<LongDominionDuel>(m);
}

}  // namespace tengen
