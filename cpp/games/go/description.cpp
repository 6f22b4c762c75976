#include "games/go/description.hpp"

#include <cmath>

namespace tengen {

namespace {

// What White gets for the handicap stones (GO 14).
int bonus(const Json& options) {
  const auto handicap = static_cast<int>(options["handicap"].integer());
  const std::string_view bonus = options["bonus"].text("zero");
  if (handicap == 0 || bonus == "zero") return 0;
  return bonus == "less_one" ? handicap - 1 : handicap;
}

}  // namespace

GoRules go_rules(const Json& options) {
  return {.size = static_cast<int>(options["size"].integer()),
          .superko = options["ko"].text() != "simple",
          .situational = options["ko"].text() == "situational",
          .area = options["scoring"].text() == "area",
          .komi = options["komi"].number() + bonus(options),
          .handicap = static_cast<int>(options["handicap"].integer()),
          .suicide = options["suicide"].truth()};
}

// A net sees the komi, and territory as area; the games that it learned from had many komis.
bool go_trained_for(const GoRules& rules, const GoRules& learned) {
  constexpr double kNear = 3;
  return rules.handicap == 0 && std::abs(rules.komi - learned.komi) <= kNear;
}

}  // namespace tengen
