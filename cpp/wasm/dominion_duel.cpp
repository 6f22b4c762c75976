#include "games/dominion_duel/description.hpp"
#include "wasm/answer.hpp"
#include "wasm/games.hpp"

namespace tengen::wasm {

Json answer_dominion_duel(const Json& question) {
  constexpr int kShort = 64;
  const DominionDuelRules rules = Description<ShortDominionDuel>::rules(question["place"]["options"]);
  rules.validate();
  return rules.n <= kShort ? answer<ShortDominionDuel>(question, rules)
                           : answer<LongDominionDuel>(question, rules);
}

}  // namespace tengen::wasm
