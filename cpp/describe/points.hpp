// The notation of games that place one piece on a board of points, or pass: actions are the cells, then the
// pass.
#pragma once

#include "describe/description.hpp"

namespace tengen {

template <GameState S>
struct PointsDescription : PlainDescription<S> {
  using D = Description<S>;

  static OrRefused<ActionList> parse(const Played<S>& played, std::string_view text) {
    const S& state = played.state;
    const std::string_view word = stripped(text);
    if (is_pass(word)) return one_action(state, state.cell_count());
    const OrRefused<int> cell = read_point(word, D::width(state.rules()), D::height(state.rules()));
    if (const int* found = std::get_if<int>(&cell)) return one_action(state, *found);
    return *std::get_if<Refused>(&cell);
  }

  static OrRefused<std::string> format(const Played<S>& played, const ActionList& actions) {
    const S& state = played.state;
    if (const auto no = not_one_action(state, actions)) return *no;
    if (actions[0] == state.cell_count()) return std::string("pass");
    return point_name(actions[0], D::width(state.rules()), D::height(state.rules()));
  }
};

template <GameState S>
Json liberties_of(const S& state) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(state.cell_count()));
  state.liberties(values);
  return Json::list(values);
}

}  // namespace tengen
