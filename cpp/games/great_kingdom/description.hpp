// Great Kingdom as it is told: views, notation, options.
#pragma once

#include "describe/points.hpp"
#include "games/great_kingdom/great_kingdom.hpp"

namespace tengen {

GreatKingdomRules great_kingdom_rules(const Json& options);
bool great_kingdom_trained_for(const GreatKingdomRules& rules, const GreatKingdomRules& learned);

template <int Max>
struct Description<GreatKingdom<Max>> : PointsDescription<GreatKingdom<Max>> {
  using S = GreatKingdom<Max>;
  static constexpr std::string_view kLetters = ".BON";

  static int width(const GreatKingdomRules& rules) { return rules.size; }
  static int height(const GreatKingdomRules& rules) { return rules.size; }
  static GreatKingdomRules rules(const Json& options) { return great_kingdom_rules(options); }
  static bool trained_for(const GreatKingdomRules& rules, const GreatKingdomRules& learned) {
    return great_kingdom_trained_for(rules, learned);
  }

  static View view(const Played<S>& played) {
    const S& state = played.state;
    const int left = state.castles_left(0);
    ActionList legal;
    state.legal_actions(legal);
    std::erase_if(legal, [&](Action action) { return !state.would_lose(action); });
    return {
        .board = "points",
        .width = width(state.rules()),
        .height = height(state.rules()),
        .cells = letters_of(state),
        .to_move = state.to_move(),
        .last = last_below(played, state.cell_count()),
        .captured = captured(state),
        .score = state.score(),
        .details =
            Json::Object{{"territory", territory(state)},
                         {"liberties", liberties_of(state)},
                         {"suicide", Json::list(legal)},
                         {"passes", state.passes()},
                         {"lead", state.rules().lead},
                         {"castles_left", left < 0 ? Json() : Json::pair(left, state.castles_left(1))}},
    };
  }

 private:
  static std::vector<int> captured(const S& state) {
    std::vector<std::uint8_t> marks(static_cast<std::size_t>(state.cell_count()));
    state.captured(marks);
    std::vector<int> cells;
    for (std::size_t cell = 0; cell < marks.size(); ++cell)
      if (marks[cell]) cells.push_back(static_cast<int>(cell));
    return cells;
  }
  static Json territory(const S& state) {
    std::vector<std::uint8_t> owner(static_cast<std::size_t>(state.cell_count()));
    state.territory(owner);
    return Json::list(owner);
  }
};

}  // namespace tengen
