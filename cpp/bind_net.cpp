// Binds the search with a net: one tree (NetSearch) and many games at once (SelfPlay) for each compiled
// state.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bound.hpp"
#include "games/dominion_duel.hpp"
#include "games/kelasu.hpp"
#include "search/net_search.hpp"
#include "search/policy_go.hpp"
#include "search/policy_great_kingdom.hpp"
#include "search/policy_kelasu.hpp"
#include "search/self_play.hpp"

namespace tengen {
namespace {

using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using PlaneBuffer = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

// A NumPy array that owns its values.
nb::ndarray<nb::numpy, float> to_numpy(std::vector<float> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<float>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
  return nb::ndarray<nb::numpy, float>(kept->data(), shape.size(), shape.data(), owner);
}

// How many positions fit into the buffer; refuses one of another shape.
int room_in(const PlaneBuffer& planes, const Planes& shape) {
  const bool fits = planes.shape(1) == static_cast<std::size_t>(shape.channels) &&
                    planes.shape(2) == static_cast<std::size_t>(shape.height) &&
                    planes.shape(3) == static_cast<std::size_t>(shape.width);
  if (!fits) throw nb::value_error("The buffer does not have the shape of the game's planes.");
  return static_cast<int>(planes.shape(0));
}

void check_words(const Floats& policy, const Floats& value, int count, int action_count) {
  const auto n = static_cast<std::size_t>(count);
  const bool fits = policy.ndim() == 2 && policy.shape(0) == n &&
                    policy.shape(1) == static_cast<std::size_t>(action_count) && value.size() == n;
  if (!fits) throw nb::value_error("The net must give a row of logits and a value for each position.");
}

template <GameState S>
struct BoundNetSearch {
  NetSearch<S> search;
  int waiting = 0;
};

template <GameState S>
struct BoundSelfPlay {
  SelfPlay<S> games;
  int waiting = 0;
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
void bind_one(nb::module_& m, const std::string& name) {
  using Tree = BoundNetSearch<S>;
  using Games = BoundSelfPlay<S>;
  nb::class_<Tree>(m, (name + "NetSearch").c_str(), "A search with a net; see tengen.brains.search.")
      .def(
          "begin",
          [](Tree& self, int simulations, float noise) {
            if (self.waiting > 0) throw nb::value_error("Positions still wait for the net.");
            self.search.begin(simulations, noise);
          },
          "simulations"_a, "noise"_a)
      .def_prop_ro("finished", [](const Tree& self) { return self.search.finished(); })
      .def_prop_ro("is_clear", [](const Tree& self) { return self.search.is_clear(); })
      .def(
          "collect",
          [](Tree& self, int most, PlaneBuffer planes) {
            if (self.waiting > 0) throw nb::value_error("Positions still wait for the net.");
            most = std::min(most, room_in(planes, self.search.root_state().planes()));
            nb::gil_scoped_release release;
            return self.waiting = self.search.collect(most, planes.data());
          },
          "most"_a, "planes"_a)
      .def(
          "supply",
          [](Tree& self, Floats policy, Floats value, std::optional<Floats> lead) {
            check_words(policy, value, self.waiting, self.search.root_state().action_count());
            if (lead && lead->size() != value.size()) throw nb::value_error("A lead for each position.");
            nb::gil_scoped_release release;
            self.search.supply(policy.data(), value.data(), lead ? lead->data() : nullptr);
            self.waiting = 0;
          },
          "policy"_a, "value"_a, "lead"_a.none())
      .def(
          "advance",
          [](Tree& self, nb::handle action) {
            const Action number = to_action(action);
            if (const char* why = self.search.root_state().why_illegal(number)) throw IllegalAction(why);
            self.search.advance(number);
            self.waiting = 0;
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
      [](const Bound<S>& state, const NetSearchSettings& settings, std::uint64_t seed) {
        return std::make_unique<Tree>(Tree{NetSearch<S>(state.state, settings, seed)});
      },
      "state"_a, "settings"_a, "seed"_a, "The search class that fits the state.");

  m.def(
      "final_owner", [](const Bound<S>& state) { return final_owner(state.state); }, "state"_a,
      "Who owns each cell of a game that was counted: 1 seat 0, -1 seat 1; empty where that means nothing.");

  nb::class_<Games>(m, (name + "SelfPlay").c_str(), "Many games at once; see tengen.learn.self_play.")
      .def_prop_ro("capacity", [](const Games& self) { return self.games.capacity(); })
      .def(
          "collect",
          [](Games& self, PlaneBuffer planes) {
            if (self.waiting > 0) throw nb::value_error("Positions still wait for the net.");
            if (room_in(planes, self.games.planes()) < self.games.capacity())
              throw nb::value_error("The buffer has not enough room.");
            nb::gil_scoped_release release;
            return self.waiting = self.games.collect(planes.data());
          },
          "planes"_a)
      .def(
          "supply",
          [](Games& self, Floats policy, Floats value) {
            check_words(policy, value, self.waiting, self.games.action_count());
            nb::gil_scoped_release release;
            self.games.supply(policy.data(), value.data());
            self.waiting = 0;
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
      [](const std::vector<const Bound<S>*>& states, const SelfPlaySettings& settings, std::uint64_t seed) {
        std::vector<S> starts;
        for (const Bound<S>* bound : states) {
          if (bound->state.is_over()) throw nb::value_error("The game is over: there is nothing to play.");
          if (!starts.empty() && bound->state.planes() != starts.front().planes())
            throw nb::value_error("The games must share a board.");
          starts.push_back(bound->state);
        }
        if (starts.empty()) throw nb::value_error("There is no game to play.");
        return std::make_unique<Games>(Games{SelfPlay<S>(std::move(starts), settings, seed)});
      },
      "states"_a, "settings"_a, "seed"_a, "The class that fits the states that games begin at.");
}

}  // namespace

void bind_net(nb::module_& m) {
  using N = NetSearchSettings;
  using P = SelfPlaySettings;
  using G = GameArrays;
  nb::class_<N>(m, "NetSearchSettings", "See cpp/search/net_search.hpp.")
      .def(nb::init<>())
      .def_rw("gumbel", &N::gumbel)
      .def_rw("considered", &N::considered)
      .def_rw("visit_offset", &N::visit_offset)
      .def_rw("value_scale", &N::value_scale)
      .def_rw("exploration", &N::exploration)
      .def_rw("first_play_loss", &N::first_play_loss);
  nb::class_<P>(m, "SelfPlaySettings", "See cpp/search/self_play.hpp.")
      .def(nb::init<>())
      .def_rw("games", &P::games)
      .def_rw("full_simulations", &P::full_simulations)
      .def_rw("fast_simulations", &P::fast_simulations)
      .def_rw("full_share", &P::full_share)
      .def_rw("considered", &P::considered)
      .def_rw("visit_offset", &P::visit_offset)
      .def_rw("value_scale", &P::value_scale)
      .def_rw("opening_actions", &P::opening_actions)
      .def_rw("noise_actions", &P::noise_actions)
      .def_rw("late_noise", &P::late_noise)
      .def_rw("max_actions", &P::max_actions);
  const char* array = "def {}(self) -> numpy.typing.NDArray[numpy.float32]";
  const auto signature = [&](const char* name) {
    std::string text = array;
    return text.replace(text.find("{}"), 2, name);
  };
  nb::class_<G>(m, "SelfPlayedGame", "A game that ended, and the positions to learn from; see SelfPlay.")
      .def_prop_ro("actions", [](const G& self) { return self.game.actions; })
      .def_prop_ro("winner", [](const G& self) { return self.game.outcome.winner; })
      .def_prop_ro("reason", [](const G& self) { return std::string(self.game.outcome.reason); })
      .def_prop_ro(
          "score",
          [](const G& self) -> nb::object {
            const auto& outcome = self.game.outcome;
            if (!outcome.has_score) return nb::none();
            return nb::make_tuple(outcome.score[0], outcome.score[1]);
          },
          nb::for_getter(nb::sig("def score(self) -> tuple[float, float] | None")))
      .def_prop_ro("planes", &G::planes, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("planes").c_str())))
      .def_prop_ro("policy", &G::policy, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("policy").c_str())))
      .def_prop_ro("value", &G::value, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("value").c_str())))
      .def_prop_ro("root_value", &G::root_value, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("root_value").c_str())))
      .def_prop_ro("lead", &G::lead, nb::rv_policy::move, nb::for_getter(nb::sig(signature("lead").c_str())))
      .def_prop_ro("ownership", &G::ownership, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("ownership").c_str())));
  bind_one<GreatKingdom<7>>(m, "GreatKingdom7");
  bind_one<GreatKingdom<9>>(m, "GreatKingdom9");
  bind_one<GreatKingdom<19>>(m, "GreatKingdom19");
  bind_one<Go9>(m, "Go9");
  bind_one<Go19>(m, "Go19");
  bind_one<Kelasu>(m, "Kelasu");
  bind_one<ShortDominionDuel>(m, "ShortDominionDuel");
  bind_one<LongDominionDuel>(m, "LongDominionDuel");
}

}  // namespace tengen
