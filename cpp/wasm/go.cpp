#include "games/go/description.hpp"
#include "games/go/heuristics.hpp"
#include "wasm/answer.hpp"
#include "wasm/games.hpp"

namespace tengen::wasm {

Json answer_go(const Json& question) {
  const GoRules rules = go_rules(question["place"]["options"]);
  rules.validate();
  return rules.size <= 9 ? answer<Go9>(question, rules) : answer<Go19>(question, rules);
}

}  // namespace tengen::wasm
