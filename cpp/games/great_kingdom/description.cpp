#include "games/great_kingdom/description.hpp"

namespace tengen {

GreatKingdomRules great_kingdom_rules(const Json& options) {
  return {.size = static_cast<int>(options["size"].integer()),
          .neutral = options["neutral"].truth(),
          .lead = static_cast<int>(options["lead"].integer()),
          .suicide_loses = options["suicide"].text() == "loses",
          .enter_enemy_territory = options["enter_enemy_territory"].truth(),
          .enter_own_territory = options["enter_own_territory"].truth(),
          .castles = static_cast<int>(options["castles"].integer())};
}

// A brain knows boards up to two cells wider than its own (the one for 7x7 to 11x11 beat the search on 13x13
// too, and not on 5x5), with a neutral castle or without, and rules that no good move can tell apart are the
// same to it: search never looks at a suicide, lost or illegal, and castles for half of the board hardly run
// out.
bool great_kingdom_trained_for(const GreatKingdomRules& rules, const GreatKingdomRules& learned) {
  constexpr int kNear = 2;
  const auto felt = [](const GreatKingdomRules& one) {
    GreatKingdomRules left = one;
    if (one.castles >= one.size * one.size / 2) left.castles = 0;
    left.size = 0;
    left.neutral = left.suicide_loses = false;
    return left;
  };
  return learned.size <= rules.size && rules.size <= learned.size + kNear && felt(rules) == felt(learned);
}

}  // namespace tengen
