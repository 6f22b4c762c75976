#include "games/kelasu/description.hpp"
#include "games/kelasu/heuristics.hpp"
#include "wasm/answer.hpp"
#include "wasm/games.hpp"

namespace tengen::wasm {

Json answer_kelasu(const Json& question) {
  return answer<Kelasu>(question, Description<Kelasu>::rules(question["place"]["options"]));
}

}  // namespace tengen::wasm
