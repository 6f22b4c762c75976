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

}  // namespace tengen
