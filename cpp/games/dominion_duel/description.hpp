// Dominion Duel as it is told: views, notation, options, and perfect play. `details` are empty: the letters
// say all (`X` and `O` claims, `#` locked).
#pragma once

#include "describe/description.hpp"
#include "games/dominion_duel/dominion_duel.hpp"

namespace tengen {

template <class Row>
struct Description<DominionDuel<Row>> : PlainDescription<DominionDuel<Row>> {
  using S = DominionDuel<Row>;
  static constexpr std::string_view kLetters = ".XO#";

  static int width(const DominionDuelRules& rules) { return rules.n; }
  static int height(const DominionDuelRules&) { return 1; }
  static DominionDuelRules rules(const Json& options) {
    return {.n = static_cast<int>(options["n"].integer())};
  }
  static View view(const Played<S>& played);
  static OrRefused<ActionList> parse(const Played<S>& played, std::string_view text);
  static OrRefused<std::string> format(const Played<S>& played, const ActionList& actions);
  static std::optional<std::vector<std::pair<Action, int>>> outcomes(const S& state);
};

// The Grundy value of a run of that many open territories.
int grundy(int run);

}  // namespace tengen
