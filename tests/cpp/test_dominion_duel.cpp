// Dominion Duel: every game on short rows against the rules written down naively, the two kinds of row
// against each other, and what is refused. Diagrams are in tests/rules/test_dominion_duel.py.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "games/dominion_duel/dominion_duel.hpp"

namespace tengen {
namespace {

using Cells = std::vector<std::uint8_t>;
using S = ShortDominionDuel;

template <class State>
Cells cells_of(const State& state) {
  Cells cells(static_cast<std::size_t>(state.cell_count()));
  state.cells(cells);
  return cells;
}

template <class State>
ActionList legal_in(const State& state) {
  ActionList actions;
  state.legal_actions(actions);
  return actions;
}

// What claiming does, on cell codes alone (DD 3, DD 4).
Cells claimed(Cells cells, int action, int seat) {
  const auto at = static_cast<std::size_t>(action);
  cells[at] = static_cast<std::uint8_t>(S::kFirst + seat);
  if (at > 0 && cells[at - 1] == S::kOpen) cells[at - 1] = S::kLocked;
  if (at + 1 < cells.size() && cells[at + 1] == S::kOpen) cells[at + 1] = S::kLocked;
  return cells;
}

ActionList open_in(const Cells& cells) {
  ActionList open;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] == S::kOpen) open.push_back(static_cast<Action>(i));
  return open;
}

// Plays every game from here; `made` counts the claims so far.
template <class State>
void play_all(const State& state, int made) {
  const Cells cells = cells_of(state);
  CHECK(state.to_move() == made % 2);
  CHECK(legal_in(state) == open_in(cells));
  CHECK(state.is_over() == legal_in(state).empty());
  CHECK(State::from_cells(state.rules(), cells, state.to_move()) == state);
  CHECK(State::from_cells(state.rules(), cells, state.to_move()).hash() == state.hash());
  if (state.is_over()) {
    const Outcome outcome = state.outcome();
    CHECK(outcome.winner == (made % 2 == 1 ? 0 : kDraw));
    CHECK(std::string(outcome.reason) == "claims" && outcome.has_score);
    CHECK(outcome.score[0] == (made + 1) / 2 && outcome.score[1] == made / 2);
    CHECK(outcome.score == state.score());
  }
  for (const Action action : legal_in(state)) {
    State next = state;
    next.play(action);
    CHECK(cells_of(next) == claimed(cells, action, state.to_move()));
    play_all(next, made + 1);
  }
}

// The same random game on a row of one word and on a long one.
void rows_agree(int n, Rng& rng) {
  S one(DominionDuelRules{n});
  LongDominionDuel other(DominionDuelRules{n});
  while (!one.is_over()) {
    CHECK(!other.is_over() && one.to_move() == other.to_move() && one.hash() == other.hash());
    CHECK(cells_of(one) == cells_of(other) && legal_in(one) == legal_in(other));
    const ActionList actions = legal_in(one);
    const Action action = actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
    one.play(action);
    other.play(action);
  }
  CHECK(other.is_over() && one.outcome().winner == other.outcome().winner);
  Rng same(77);
  Rng again(77);
  CHECK(S(DominionDuelRules{n}).playout(same).actions ==
        LongDominionDuel(DominionDuelRules{n}).playout(again).actions);
}

void refuses_bad_input() {
  const DominionDuelRules nine;
  const auto bad = [&](const char* row, int to_move) {
    Cells cells;
    for (const char* c = row; *c; ++c)
      cells.push_back(static_cast<std::uint8_t>(std::string(".XO#?").find(*c)));
    try {
      S::from_cells(nine, cells, to_move);
    } catch (const InvalidPosition& error) {
      return std::string(error.what()).back() == '.';
    }
    return false;
  };
  CHECK(!bad(".........", 0) && bad(".........", 1) && bad(".........", 2) && bad(".........", -1));
  CHECK(!bad("...#X#...", 1) && bad("...#X#...", 0) && bad("...#O#...", 0) && bad("...#O#...", 1));
  CHECK(!bad("X#O#.....", 0) && !bad("X##O#....", 0) && bad("X##X#....", 0) && bad("X##X#....", 1));
  CHECK(bad("........", 0) && bad("..........", 0));
  CHECK(bad("...XO#...", 0) && bad("...#X....", 1) && bad("....X#...", 1) && bad("....#....", 0));
  CHECK(bad("#........", 0) && bad("........?", 0));

  const auto invalid = [](int n) {
    try {
      DominionDuelRules{n}.validate();
    } catch (const InvalidOption& error) {
      return std::string(error.what()).find(std::to_string(n)) != std::string::npos;
    }
    return false;
  };
  CHECK(!invalid(1) && !invalid(64) && !invalid(65) && !invalid(1'000'000));
  CHECK(invalid(0) && invalid(-1) && invalid(1'000'001) && invalid(std::numeric_limits<int>::max()));
}

void says_why_not() {
  S state(DominionDuelRules{3});
  const auto why = [&](Action action) {
    const char* sentence = state.why_illegal(action);
    return std::string(sentence ? sentence : "");
  };
  CHECK(why(1).empty() && why(-1) == "There is no such territory." && why(3) == why(-1));
  state.play(0);
  CHECK(why(0) == "That territory is already claimed.");
  CHECK(why(1) == "That territory is locked, since a neighbour of it is claimed.");
  CHECK(why(2).empty());
  state.play(2);
  CHECK(why(0) == "The game is over." && why(-1) == why(0) && why(1) == why(0));
}

}  // namespace
}  // namespace tengen

void test_dominion_duel() {
  using namespace tengen;
  for (int n = 1; n <= 8; ++n) {
    play_all(S(DominionDuelRules{n}), 0);
    play_all(LongDominionDuel(DominionDuelRules{n}), 0);
  }
  Rng rng(3);
  for (const int n : {1, 2, 9, 31, 32, 33, 63, 64}) rows_agree(n, rng);
  LongDominionDuel longest(DominionDuelRules{DominionDuelRules::kLargest});
  CHECK(longest.playout(rng).actions > DominionDuelRules::kLargest / 3 && longest.is_over());
  refuses_bad_input();
  says_why_not();
}
