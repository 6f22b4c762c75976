// The games that the module knows: a function each, which answers a question about it.
#pragma once

#include "describe/json.hpp"

namespace tengen::wasm {

Json answer_dominion_duel(const Json& question);
Json answer_go(const Json& question);
Json answer_great_kingdom(const Json& question);
Json answer_kelasu(const Json& question);

}  // namespace tengen::wasm
