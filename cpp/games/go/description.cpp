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
          .suicide = options["suicide"].truth(),
          .agreed = options["dead"].text("by_scoring") == "agreed"};
}

// A net sees the komi, and territory as area; the games that it learned from had many komis, and those with a
// handicap many more. One for all boards plays well between those that it has learned.
bool go_trained_for(const GoRules& rules, const GoRules& learned) {
  constexpr int kSmaller = 2;
  constexpr int kLarger = 3;
  const bool gives = rules.handicap > 0;
  const double near = gives ? 10 : 3;
  return rules.size >= learned.size - kSmaller && rules.size <= learned.size + kLarger &&
         gives == (learned.handicap > 0) && std::abs(rules.komi - learned.komi) <= near;
}

}  // namespace tengen
