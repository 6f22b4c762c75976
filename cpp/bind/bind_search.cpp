// Binds what the searches of all games take and give.
#include "bind/bind_search.hpp"

#include <nanobind/stl/tuple.h>

#include "bind/values.hpp"
#include "search/choice.hpp"

namespace tengen {

void bind_search_values(nb::module_& m) {
  nb::class_<SearchSettings>(m, "SearchSettings", "How the tree is searched; see cpp/search/heuristics.hpp.")
      .def_rw("exploration", &SearchSettings::exploration)
      .def_rw("amaf_visits", &SearchSettings::amaf_visits)
      .def_rw("first_play_loss", &SearchSettings::first_play_loss)
      .def_rw("lead_share", &SearchSettings::lead_share)
      .def_rw("expand_visits", &SearchSettings::expand_visits)
      .def_rw("light_playouts", &SearchSettings::light_playouts);
  nb::class_<Dice>(m, "Dice", "Random numbers, the same in every home of the core.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("bits", &Dice::bits, "64 of them.")
      .def("below", &Dice::below, "bound"_a)
      .def("share", &Dice::share, "From 0, below 1.");
  m.def(
      "pick",
      [](const std::vector<std::tuple<std::int64_t, double, bool, bool>>& moves, double blur, Dice& dice) {
        if (moves.empty()) throw nb::value_error("There is no move to choose from.");
        std::vector<Seen> seen;
        for (const auto& [visits, win, wins, loses] : moves) seen.push_back({visits, win, wins, loses});
        return pick(seen, blur, dice);
      },
      "moves"_a, "blur"_a, "dice"_a,
      "Which move a level makes: moves are (visits, win, is a proven win, is a proven loss), best first.");
  nb::class_<SearchedMove>(m, "SearchedMove", "A move of the root; win and score from the side of its mover.")
      .def_ro("action", &SearchedMove::action)
      .def_ro("visits", &SearchedMove::visits)
      .def_ro("win", &SearchedMove::win)
      .def_ro("score", &SearchedMove::score)
      .def_ro("winner", &SearchedMove::winner, "0, 1 or -1 (a draw) when proven, else -2.")
      .def_ro("line", &SearchedMove::line)
      .def_ro("prior", &SearchedMove::prior, "Its share of what was thought of the moves before any visit.");
  nb::class_<SearchReport>(m, "SearchReport", "What a search has found so far.")
      .def_ro("visits", &SearchReport::visits)
      .def_ro("win", &SearchReport::win)
      .def_ro("score", &SearchReport::score)
      .def_ro("winner", &SearchReport::winner)
      .def_ro("moves", &SearchReport::moves, nb::rv_policy::copy)
      .def_ro("owner", &SearchReport::owner, nb::rv_policy::copy);
}

}  // namespace tengen
