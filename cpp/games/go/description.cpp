#include "games/go/description.hpp"

namespace tengen {

GoRules go_rules(const Json& options) {
  return {.size = static_cast<int>(options["size"].integer()),
          .superko = options["ko"].text() == "superko",
          .area = options["scoring"].text() == "area",
          .komi = options["komi"].number(),
          .handicap = static_cast<int>(options["handicap"].integer())};
}

}  // namespace tengen
