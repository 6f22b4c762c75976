// Binds the class of batches; see bind_batch.hpp.
#include "bind/bind_batch.hpp"

#include <string>

#include "bind/values.hpp"

namespace tengen {
namespace {

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

void bind_batch_values(nb::module_& m) {
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
            const auto turn = self.wait();
            return self.state(game);
          },
          "game"_a);
}

}  // namespace tengen
