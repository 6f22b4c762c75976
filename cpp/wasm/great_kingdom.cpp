#include "games/great_kingdom/description.hpp"
#include "games/great_kingdom/heuristics.hpp"
#include "wasm/answer.hpp"
#include "wasm/games.hpp"

namespace tengen::wasm {

Json answer_great_kingdom(const Json& question) {
  const GreatKingdomRules rules = great_kingdom_rules(question["place"]["options"]);
  rules.validate();
  if (rules.size <= 7) return answer<GreatKingdom<7>>(question, rules);
  return rules.size <= 9 ? answer<GreatKingdom<9>>(question, rules)
                         : answer<GreatKingdom<19>>(question, rules);
}

}  // namespace tengen::wasm
