// bind_net() binds the search with a net: one tree (NetSearch) and many games at once (SelfPlay) for each
// compiled state. The values that they share are in bind_net.cpp.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bind/bound.hpp"
#include "search/net_search.hpp"
#include "search/self_play.hpp"

namespace tengen {

using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using PlaneBuffer = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

// A NumPy array that owns its values.
inline nb::ndarray<nb::numpy, float> to_numpy(std::vector<float> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<float>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
  return nb::ndarray<nb::numpy, float>(kept->data(), shape.size(), shape.data(), owner);
}

// How many positions fit into the buffer; refuses one of another shape.
inline int room_in(const PlaneBuffer& planes, const Planes& shape) {
  const bool fits = planes.shape(1) == static_cast<std::size_t>(shape.channels) &&
                    planes.shape(2) == static_cast<std::size_t>(shape.height) &&
                    planes.shape(3) == static_cast<std::size_t>(shape.width);
  if (!fits) throw nb::value_error("The buffer does not have the shape of the game's planes.");
  return static_cast<int>(planes.shape(0));
}

inline void check_words(const Floats& policy, const Floats& value, int count, int action_count) {
  const auto n = static_cast<std::size_t>(count);
  const bool fits = policy.ndim() == 2 && policy.shape(0) == n &&
                    policy.shape(1) == static_cast<std::size_t>(action_count) && value.size() == n;
  if (!fits) throw nb::value_error("The net must give a row of logits and a value for each position.");
}

// Marks a tree as being changed, and refuses one that is changed by another thread or was left half changed
// by an exception of a game's code.
class Changing {
 public:
  explicit Changing(bool& busy) : busy_(busy) {
    if (busy) throw nb::value_error("This search is at work in another thread, or has failed.");
    busy_ = true;
  }
  void done() { busy_ = false; }

 private:
  bool& busy_;
};

template <GameState S>
struct BoundNetSearch {
  NetSearch<S> search;
  int waiting = 0;
  bool busy = false;
};

template <GameState S>
struct BoundSelfPlay {
  SelfPlay<S> games;
  int waiting = 0;
  bool busy = false;
};

struct GameArrays {
  FinishedGame game;
  Planes shape;
  int action_count;

  nb::ndarray<nb::numpy, float> planes() const {
    std::vector<float> all;
    for (const Sample& sample : game.samples)
      all.insert(all.end(), sample.planes.begin(), sample.planes.end());
    return to_numpy(std::move(all),
                    {game.samples.size(), static_cast<std::size_t>(shape.channels),
                     static_cast<std::size_t>(shape.height), static_cast<std::size_t>(shape.width)});
  }
  nb::ndarray<nb::numpy, float> policy() const {
    std::vector<float> all;
    for (const Sample& sample : game.samples)
      all.insert(all.end(), sample.policy.begin(), sample.policy.end());
    return to_numpy(std::move(all), {game.samples.size(), static_cast<std::size_t>(action_count)});
  }
  nb::ndarray<nb::numpy, float> of_each(auto value) const {
    std::vector<float> all;
    for (const Sample& sample : game.samples) all.push_back(value(sample));
    return to_numpy(std::move(all), {game.samples.size()});
  }
  nb::ndarray<nb::numpy, float> value() const {
    return of_each([&](const Sample& sample) {
      return game.outcome.winner == kDraw ? 0.0f : game.outcome.winner == sample.mover ? 1.0f : -1.0f;
    });
  }
  nb::ndarray<nb::numpy, float> root_value() const {
    return of_each([](const Sample& sample) { return sample.root_value; });
  }
  nb::ndarray<nb::numpy, float> reply() const {
    return of_each([](const Sample& sample) { return static_cast<float>(sample.reply); });
  }
  nb::ndarray<nb::numpy, float> soon() const {
    return of_each([](const Sample& sample) { return sample.soon; });
  }
  nb::ndarray<nb::numpy, float> lead() const {
    return of_each([&](const Sample& sample) {
      if (!game.outcome.has_score) return std::numeric_limits<float>::quiet_NaN();
      const auto points = static_cast<float>(game.outcome.score[0] - game.outcome.score[1]);
      return (sample.mover == 0 ? points : -points) / static_cast<float>(game.cells);
    });
  }
  nb::ndarray<nb::numpy, float> ownership() const {
    const auto cells = static_cast<std::size_t>(game.cells);
    std::vector<float> all;
    for (const Sample& sample : game.samples) {
      for (std::size_t cell = 0; cell < cells; ++cell) {
        if (game.owner.empty())
          all.push_back(std::numeric_limits<float>::quiet_NaN());
        else
          all.push_back(static_cast<float>(sample.mover == 0 ? game.owner[cell] : -game.owner[cell]));
      }
    }
    return to_numpy(std::move(all), {game.samples.size(), cells});
  }
};

template <GameState S>
void bind_net(nb::module_& m, const std::string& name) {
  using Tree = BoundNetSearch<S>;
  using Games = BoundSelfPlay<S>;
  using Given = typename Binding<S>::Given;
  using Unlocked = typename Binding<S>::Unlocked;
  nb::class_<Tree>(m, (name + "NetSearch").c_str(), "A search with a net; see tengen.brains.search.")
      .def(
          "begin",
          [](Tree& self, int simulations, float noise) {
            if (self.waiting > 0) throw nb::value_error("Positions still wait for the net.");
            Changing changing(self.busy);
            self.search.begin(simulations, noise);
            changing.done();
          },
          "simulations"_a, "noise"_a)
      .def_prop_ro("finished", [](const Tree& self) { return self.search.finished(); })
      .def_prop_ro("is_clear", [](const Tree& self) { return self.search.is_clear(); })
      .def(
          "collect",
          [](Tree& self, int most, PlaneBuffer planes) {
            if (self.waiting > 0) throw nb::value_error("Positions still wait for the net.");
            most = std::min(most, room_in(planes, self.search.root_state().planes()));
            Changing changing(self.busy);
            {
              [[maybe_unused]] Unlocked unlocked;
              self.waiting = self.search.collect(most, planes.data());
            }
            changing.done();
            return self.waiting;
          },
          "most"_a, "planes"_a)
      .def(
          "supply",
          [](Tree& self, Floats policy, Floats value, std::optional<Floats> lead) {
            check_words(policy, value, self.waiting, self.search.root_state().action_count());
            if (lead && lead->size() != value.size()) throw nb::value_error("A lead for each position.");
            Changing changing(self.busy);
            {
              [[maybe_unused]] Unlocked unlocked;
              self.search.supply(policy.data(), value.data(), lead ? lead->data() : nullptr);
            }
            self.waiting = 0;
            changing.done();
          },
          "policy"_a, "value"_a, "lead"_a.none())
      .def(
          "advance",
          [](Tree& self, nb::handle action) {
            const Action number = to_action(action);
            if (const char* why = self.search.root_state().why_illegal(number)) throw IllegalAction(why);
            Changing changing(self.busy);
            self.search.advance(number);
            self.waiting = 0;
            changing.done();
          },
          nb::sig("def advance(self, action: typing.SupportsIndex, /) -> None"))
      .def(
          "improved_policy",
          [](const Tree& self) {
            std::vector<float> policy(static_cast<std::size_t>(self.search.root_state().action_count()));
            self.search.improved_policy(policy);
            const std::size_t count = policy.size();
            return to_numpy(std::move(policy), {count});
          },
          nb::sig("def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def("report", [](const Tree& self) { return self.search.report(); });
  m.def(
      "new_net_search",
      [](Given state, const NetSearchSettings& settings, std::uint64_t seed) {
        return std::make_unique<Tree>(Tree{NetSearch<S>(own_copy(Binding<S>::state(state)), settings, seed)});
      },
      "state"_a, "settings"_a, "seed"_a, "The search class that fits the state.");

  m.def(
      "final_owner", [](Given state) { return Heuristics<S>().final_owner(Binding<S>::state(state)); },
      "state"_a,
      "Who owns each cell of a game that was counted: 1 seat 0, -1 seat 1; empty where that means nothing.");

  nb::class_<Games>(m, (name + "SelfPlay").c_str(), "Many games at once; see tengen.learn.self_play.")
      .def_prop_ro("capacity", [](const Games& self) { return self.games.capacity(); })
      .def(
          "collect",
          [](Games& self, PlaneBuffer planes) {
            if (self.waiting > 0) throw nb::value_error("Positions still wait for the net.");
            if (room_in(planes, self.games.planes()) < self.games.capacity())
              throw nb::value_error("The buffer has not enough room.");
            Changing changing(self.busy);
            {
              [[maybe_unused]] Unlocked unlocked;
              self.waiting = self.games.collect(planes.data());
            }
            changing.done();
            return self.waiting;
          },
          "planes"_a)
      .def(
          "supply",
          [](Games& self, Floats policy, Floats value) {
            check_words(policy, value, self.waiting, self.games.action_count());
            Changing changing(self.busy);
            {
              [[maybe_unused]] Unlocked unlocked;
              self.games.supply(policy.data(), value.data());
            }
            self.waiting = 0;
            changing.done();
          },
          "policy"_a, "value"_a)
      .def("take",
           [](Games& self) {
             std::vector<GameArrays> result;
             for (FinishedGame& game : self.games.take())
               result.push_back({std::move(game), self.games.planes(), self.games.action_count()});
             return result;
           })
      .def("live", [](const Games& self) { return self.games.live(); });
  m.def(
      "new_self_play",
      [](const std::vector<typename Binding<S>::Element>& states, const SelfPlaySettings& settings,
         std::uint64_t seed) {
        std::vector<S> starts;
        for (const auto& given : states) {
          const S& state = Binding<S>::state(given);
          if (state.is_over()) throw nb::value_error("The game is over: there is nothing to play.");
          if (!starts.empty() && state.planes() != starts.front().planes())
            throw nb::value_error("The games must share a board.");
          starts.push_back(state);
        }
        if (starts.empty()) throw nb::value_error("There is no game to play.");
        return std::make_unique<Games>(Games{SelfPlay<S>(std::move(starts), settings, seed)});
      },
      "states"_a, "settings"_a, "seed"_a, "The class that fits the states that games begin at.");
}

}  // namespace tengen
