// Go as it is told: views, notation, options.
#pragma once

#include "describe/points.hpp"
#include "games/go/ending.hpp"
#include "games/go/go.hpp"
#include "games/go/judgement.hpp"

namespace tengen {

GoRules go_rules(const Json& options);
bool go_trained_for(const GoRules& rules, const GoRules& learned);

template <int Max>
struct Description<Go<Max>> : PointsDescription<Go<Max>> {
  using S = Go<Max>;
  static constexpr std::string_view kLetters = ".XO";

  static int width(const GoRules& rules) { return rules.size; }
  static int height(const GoRules& rules) { return rules.size; }
  static GoRules rules(const Json& options) { return go_rules(options); }
  static bool trained_for(const GoRules& rules, const GoRules& learned) {
    return go_trained_for(rules, learned);
  }
  static bool agreement(const GoRules& rules) { return rules.ends_in_agreement(); }
  static bool can_resume(const S& state) { return state.ending() == S::Ending::Score; }

  // Win rate and lead as one judgement (judgement.hpp).
  static Judged judged(const S& state, double win, double lead, bool by_net) {
    return go_judged(state.board().empty_count(), win, lead, go_scale(state.rules().size, by_net));
  }

  // What a machine thinks of a stopped game: dead stones, seki, what that makes neutral, who owns what.
  static Json estimate(const S& state) {
    const GoEndingReport found = GoEnding<Max>(state, kGoSuggestion, 0).judge();
    Json::Array owner;
    for (const float value : found.owner) owner.emplace_back(double{value});
    return Json::Object{{"dead", Json::list(found.dead)},
                        {"seki", Json::list(found.seki)},
                        {"neutral", Json::list(found.neutral)},
                        {"ownership", std::move(owner)}};
  }
  static Json count(const S& state, const std::vector<int>& dead, const std::vector<int>& neutral) {
    const GoScore sheet = state.score(dead, neutral);
    const auto pair = [](const auto& values) { return Json::pair(values[0], values[1]); };
    return Json::Object{{"points", pair(sheet.points)}, {"territory", pair(sheet.territory)},
                        {"stones", pair(sheet.stones)}, {"lost", pair(sheet.lost)},
                        {"dead", pair(sheet.dead)},     {"owner", Json::list(sheet.owner)}};
  }

  static View view(const Played<S>& played) {
    const S& state = played.state;
    std::vector<int> captured;
    state.captured().for_each([&](int cell) { captured.push_back(cell); });
    const int ko = state.rules().superko ? -1 : state.ko_cell();
    const auto& prisoners = state.prisoners();
    return {
        .board = "points",
        .width = width(state.rules()),
        .height = height(state.rules()),
        .cells = letters_of(state),
        .to_move = state.to_move(),
        .last = last_below(played, state.cell_count()),
        .captured = std::move(captured),
        .score = state.score({}, {}).points,
        .details = Json::Object{{"liberties", liberties_of(state)},
                                {"ko", ko < 0 ? Json() : Json(ko)},
                                {"prisoners", Json::pair(prisoners[0], prisoners[1])}},
    };
  }
};

}  // namespace tengen
