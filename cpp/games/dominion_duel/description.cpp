// Perfect play: players alternate, so the first player ends with one claim more exactly when the number of
// claims is odd: who makes the last claim decides, and a draw is the best that the second player can get.
// That is the octal game 0.137 (Dawson's Chess): a claim inside a run of open territories leaves two shorter
// runs, and a position is lost for the mover, who then cannot make the last claim against best play, exactly
// when the Grundy values of its runs sum (xor) to 0.
#include "games/dominion_duel/description.hpp"

#include <algorithm>

namespace tengen {

namespace {

constexpr int kPeriod = 34;  // of the Grundy values, from kPeriodicFrom on (Guy and Smith, 1956)
constexpr int kPeriodicFrom = 52;

int left_of(int claim) { return std::max(0, claim - 1); }
int right_of(int run, int claim) { return std::max(0, run - claim - 2); }

std::vector<int> grundy_table() {
  std::vector<int> values{0};
  for (int run = 1; run < kPeriodicFrom + kPeriod; ++run) {
    std::vector<bool> reachable(static_cast<std::size_t>(run) + 64);
    for (int claim = 0; claim < run; ++claim)
      reachable[static_cast<std::size_t>(values[static_cast<std::size_t>(left_of(claim))] ^
                                         values[static_cast<std::size_t>(right_of(run, claim))])] = true;
    values.push_back(static_cast<int>(std::ranges::find(reachable, false) - reachable.begin()));
  }
  return values;
}

struct Run {
  int first;
  int length;
};

std::vector<Run> open_runs(const std::vector<std::uint8_t>& cells) {
  std::vector<Run> runs;
  for (int cell = 0; cell < static_cast<int>(cells.size()); ++cell) {
    if (cells[static_cast<std::size_t>(cell)] != 0) continue;
    if (!runs.empty() && runs.back().first + runs.back().length == cell)
      ++runs.back().length;
    else
      runs.push_back({cell, 1});
  }
  return runs;
}

}  // namespace

int grundy(int run) {
  static const std::vector<int> table = grundy_table();
  if (run >= kPeriodicFrom + kPeriod) run = kPeriodicFrom + (run - kPeriodicFrom) % kPeriod;
  return table[static_cast<std::size_t>(run)];
}

template <class Row>
View Description<DominionDuel<Row>>::view(const Played<S>& played) {
  const S& state = played.state;
  return {.board = "row",
          .width = state.rules().n,
          .height = 1,
          .cells = letters_of(state),
          .to_move = state.to_move(),
          .last = last_below(played, state.cell_count()),
          .captured = {},
          .score = state.score()};
}

template <class Row>
OrRefused<ActionList> Description<DominionDuel<Row>>::parse(const Played<S>& played, std::string_view text) {
  const int n = played.state.rules().n;
  const std::string word(stripped(text));
  if (word.empty() || !std::ranges::all_of(word, is_digit))
    return Refused{Refused::Kind::Notation, quoted(text) + " is not the number of a territory."};
  constexpr std::size_t kLongest = 9;  // digits
  const int number = word.size() > kLongest ? 0 : std::stoi(word);
  if (number < 1 || number > n)
    return Refused{Refused::Kind::Illegal,
                   "There is no territory " + word + "; they go from 1 to " + std::to_string(n) + "."};
  return one_action(played.state, number - 1);
}

template <class Row>
OrRefused<std::string> Description<DominionDuel<Row>>::format(const Played<S>& played,
                                                              const ActionList& actions) {
  if (const auto no = not_one_action(played.state, actions)) return *no;
  return std::to_string(actions[0] + 1);
}

template <class Row>
std::optional<std::vector<std::pair<Action, int>>> Description<DominionDuel<Row>>::outcomes(const S& state) {
  const std::vector<Run> runs = open_runs(codes_of(state));
  int total = 0;
  for (const Run& run : runs) total ^= grundy(run.length);
  std::vector<std::pair<Action, int>> found;
  for (const Run& run : runs) {
    const int rest = total ^ grundy(run.length);
    for (int claim = 0; claim < run.length; ++claim) {
      const int after = rest ^ grundy(left_of(claim)) ^ grundy(right_of(run.length, claim));
      // After a claim that leaves 0 its maker makes the last claim; the first player wins by making it.
      const int last = after == 0 ? state.to_move() : 1 - state.to_move();
      found.emplace_back(run.first + claim, last == 0 ? 0 : kDraw);
    }
  }
  return found;
}

template struct Description<ShortDominionDuel>;
template struct Description<LongDominionDuel>;

}  // namespace tengen
