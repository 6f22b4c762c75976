// Binds what the searches with a net take and give, the same for all games.
#include "bind/bind_net.hpp"

#include "bind/values.hpp"

namespace tengen {

void bind_net_values(nb::module_& m) {
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
      .def_rw("first_play_loss", &N::first_play_loss)
      .def_rw("playout_share", &N::playout_share)
      .def_rw("lead_share", &N::lead_share);
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
      .def_rw("max_actions", &P::max_actions)
      .def_rw("surprise_share", &P::surprise_share);
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
      .def_prop_ro("reply", &G::reply, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("reply").c_str())))
      .def_prop_ro("soon", &G::soon, nb::rv_policy::move, nb::for_getter(nb::sig(signature("soon").c_str())))
      .def_prop_ro("lead", &G::lead, nb::rv_policy::move, nb::for_getter(nb::sig(signature("lead").c_str())))
      .def_prop_ro("ownership", &G::ownership, nb::rv_policy::move,
                   nb::for_getter(nb::sig(signature("ownership").c_str())));
}

}  // namespace tengen
