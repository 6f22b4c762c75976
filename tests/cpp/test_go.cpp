// Go by random play: what the board keeps incrementally is compared, position by position, with the same
// thing worked out naively from the cells. Ko is taken at its word here (the board before the opponent's last
// action may not come back), which is not how go.hpp finds it. The rules themselves are shown in diagrams in
// tests/rules/test_go.py. Start reading at play_one().
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "games/go/go.hpp"
#include "naive_board.hpp"

namespace tengen {
namespace {

int liberties_of(const Part& chain, const Cells& cells) {
  return static_cast<int>(std::ranges::count_if(chain.border, [&](int c) { return cells[c] == 0; }));
}

// The board after a stone on that cell (GO 5), or nothing for an occupied cell and suicide (GO 6).
std::optional<Cells> after(Cells cells, int size, int cell, int mover) {
  if (cells[cell] != 0) return std::nullopt;
  cells[cell] = static_cast<std::uint8_t>(mover + 1);
  for (const int near : neighbours(cell, size)) {
    if (cells[near] != 2 - mover) continue;
    const Part chain = part_of(cells, size, near);
    if (liberties_of(chain, cells) > 0) continue;
    for (const int stone : chain.members) cells[stone] = 0;
  }
  if (liberties_of(part_of(cells, size, cell), cells) == 0) return std::nullopt;
  return cells;
}

struct Count {
  std::array<int, 2> territory{};
  std::array<int, 2> stones{};
  Cells owner;
  bool only_single_points = true;  // no empty region is larger
};

// GO 11, without neutral points.
Count count_of(const Cells& cells, int size) {
  Count count{.owner = cells};
  std::vector<bool> seen(cells.size());
  for (int cell = 0; cell < size * size; ++cell) {
    if (cells[cell] != 0) ++count.stones[cells[cell] - 1];
    if (cells[cell] != 0 || seen[cell]) continue;
    const Part region = part_of(cells, size, cell);
    if (region.members.size() > 1) count.only_single_points = false;
    std::set<int> colours;
    for (const int c : region.border) colours.insert(cells[c]);
    for (const int member : region.members) {
      seen[member] = true;
      if (colours.size() != 1) continue;
      count.owner[member] = static_cast<std::uint8_t>(*colours.begin());
      ++count.territory[*colours.begin() - 1];
    }
  }
  return count;
}

// What has happened so far, in plain containers.
struct Past {
  std::set<Cells> boards;                          // every board, for superko
  std::map<std::pair<Cells, int>, int> positions;  // how often placements brought each one up
  Cells before_last;                               // the board before the last action
  bool repeated = false;
};

template <class S>
bool naively_legal(const S& state, const Past& past, const Cells& cells, Action action) {
  if (state.is_over() || action < 0 || action > state.cell_count()) return false;
  if (action == state.cell_count()) return true;
  const auto next = after(cells, state.rules().size, action, state.to_move());
  if (!next) return false;
  return state.rules().superko ? !past.boards.contains(*next) : *next != past.before_last;
}

template <class S>
void check_legality(const S& state, const Past& past) {
  const Cells cells = cells_of(state);
  ActionList legal;
  state.legal_actions(legal);
  CHECK(std::ranges::is_sorted(legal));
  CHECK(legal.empty() == state.is_over());
  for (Action action = -2; action <= state.action_count() + 1; ++action) {
    const bool listed = std::ranges::binary_search(legal, action);
    CHECK(listed == (state.why_illegal(action) == nullptr));
    CHECK(listed == naively_legal(state, past, cells, action));
    if (!listed || action == state.pass_action()) continue;
    auto board = state.board();
    const auto colour = state.to_move() == 0 ? S::Board::kBlack : S::Board::kWhite;
    const std::uint64_t expected = board.hash_after(board.point(action), colour);
    board.place(board.point(action), colour);
    CHECK(board.hash() == expected);
    S next = state;
    next.play(action);
    CHECK(next.board().hash() == expected);
  }
}

// Chains, liberties and the list of empty points.
template <class S>
void check_board(const S& state) {
  const int size = state.rules().size;
  const Cells cells = cells_of(state);
  const auto& board = state.board();
  std::vector<std::uint16_t> liberties(cells.size());
  state.liberties(liberties);
  CHECK(board.size() == size && board.every_chain_has_a_liberty());
  std::vector<bool> seen(cells.size());
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const auto point = board.point(cell);
    CHECK(board.cell(point) == cell && board.at(point) == cells[cell]);
    if (cells[cell] == 0) CHECK(liberties[cell] == 0);
    if (cells[cell] == 0 || seen[cell]) continue;
    const Part chain = part_of(cells, size, cell);
    const int naive = liberties_of(chain, cells);
    CHECK(naive > 0);
    Cells marked(cells.size()), members(cells.size());
    board.mark_chain(point, marked);
    for (const int stone : chain.members) {
      seen[stone] = true;
      members[stone] = 1;
      CHECK(liberties[stone] == naive && board.count_liberties(board.point(stone)) == naive);
    }
    CHECK(marked == members);
  }
  std::set<int> empty;
  for (int i = 0; i < board.empty_count(); ++i) empty.insert(board.cell(board.empty_point(i)));
  CHECK(static_cast<int>(empty.size()) == board.empty_count());
  CHECK(std::ranges::count(cells, 0) == board.empty_count());
  CHECK(std::ranges::all_of(empty, [&](int cell) { return cells[cell] == 0; }));
}

template <class S>
void check_rebuilt(const S& state) {
  const Cells cells = cells_of(state);
  const S rebuilt = S::from_cells(state.rules(), cells, state.to_move());
  CHECK(rebuilt.board().hash() == state.board().hash());
  if (state.is_over() || state.passes() > 0) return;
  if (!state.rules().superko && state.ko_cell() >= 0) {
    CHECK(rebuilt.hash() != state.hash() && !(rebuilt == state));
    return;
  }
  CHECK(rebuilt.hash() == state.hash());
  // Prisoners are compared where they count (GO 29).
  CHECK((rebuilt == state) == (state.rules().area || state.prisoners() == rebuilt.prisoners()));
}

template <class S>
void check_sheet(const S& state, Cells cells, const std::vector<int>& dead) {
  const int size = state.rules().size;
  std::array<int, 2> lifted{};
  for (const int named : dead) {
    if (cells[named] == 0) continue;  // lifted with its chain already
    const Part chain = part_of(cells, size, named);
    lifted[cells[named] - 1] += static_cast<int>(chain.members.size());
    for (const int stone : chain.members) cells[stone] = 0;
  }
  const Count count = count_of(cells, size);
  const GoScore sheet = state.score(dead, {});
  CHECK(sheet.owner == count.owner);
  CHECK(sheet.territory == count.territory && sheet.stones == count.stones && sheet.dead == lifted);
  for (int seat = 0; seat < 2; ++seat) {
    const int lost = state.prisoners()[1 - seat];
    const int points = state.rules().area ? count.stones[seat] + count.territory[seat]
                                          : count.territory[seat] - lost - lifted[seat];
    CHECK(sheet.lost[seat] == lost);
    CHECK(sheet.points[seat] == points + (seat == 1 ? state.rules().komi : 0.0));
  }
}

template <class S>
void check_score(const S& state, Rng& rng) {
  const Cells cells = cells_of(state);
  check_sheet(state, cells, {});
  std::vector<int> dead;
  for (int cell = 0; cell < state.cell_count(); ++cell)
    if (cells[cell] != 0 && rng.below(10) == 0) dead.push_back(cell);
  check_sheet(state, cells, dead);
}

template <class S>
void check_playouts(const S& state, Rng& rng) {
  const Cells cells = cells_of(state);
  const std::uint64_t hash = state.hash();
  for (int i = 0; i < 3; ++i) {
    S copy = state;
    const PlayoutResult result = copy.playout(rng);
    CHECK(result.winner == 0 || result.winner == 1 || result.winner == kDraw);
    CHECK(result.actions >= 0 && (result.actions == 0 || !state.is_over()));
    CHECK(cells_of(state) == cells && state.hash() == hash);
    if (state.is_over()) {
      CHECK(result.winner == state.outcome().winner);
      continue;
    }
    check_board(copy);
    const Count count = count_of(cells_of(copy), state.rules().size);
    if (!state.rules().area || !count.only_single_points) continue;
    const double lead =
        count.stones[0] + count.territory[0] - count.stones[1] - count.territory[1] - state.rules().komi;
    CHECK(result.winner == (lead == 0 ? kDraw : lead > 0 ? 0 : 1));
  }
}

template <class S>
void check_step(const S& before, const S& now, Past& past, Action action) {
  const int mover = before.to_move();
  const Cells old = cells_of(before);
  const Cells cells = cells_of(now);
  past.before_last = old;
  CHECK(now.to_move() == 1 - mover);
  CHECK(now.hash() != before.hash() && !(now == before));
  if (action == before.pass_action()) {
    CHECK(cells == old && now.captured().none() && now.prisoners() == before.prisoners());
    CHECK(now.passes() == before.passes() + 1 && now.ko_cell() < 0);
    CHECK(now.is_over() == (now.passes() == 2));
    return;
  }
  const auto expected = after(old, before.rules().size, action, mover);
  CHECK(expected && *expected == cells);
  int captured = 0;
  for (int cell = 0; cell < before.cell_count(); ++cell) {
    const bool gone = old[cell] != 0 && cells[cell] == 0;
    captured += gone;
    CHECK(now.captured().test(cell) == gone);
  }
  CHECK(now.prisoners()[mover] == before.prisoners()[mover] + captured);
  CHECK(now.prisoners()[1 - mover] == before.prisoners()[1 - mover]);
  CHECK(now.passes() == 0);
  past.boards.insert(cells);
  past.repeated = ++past.positions[{cells, now.to_move()}] >= 3 && !now.rules().superko;
  CHECK(now.is_over() == past.repeated);
}

template <class S>
void check_end(const S& state, const Past& past) {
  const Outcome outcome = state.outcome();
  CHECK(std::string(outcome.reason) == (past.repeated ? "repetition" : "score"));
  CHECK(outcome.has_score != past.repeated);
  for (const int seat : {0, 1}) {
    const bool possible = !past.repeated && state.rules().ends_in_agreement();
    CHECK((state.why_not_resume(seat) == nullptr) == possible);
    if (!possible) continue;
    S resumed = state;
    resumed.resume(seat);
    CHECK(!resumed.is_over() && resumed.to_move() == seat && resumed.passes() == 0);
    CHECK(cells_of(resumed) == cells_of(state) && resumed.prisoners() == state.prisoners());
  }
  CHECK(state.why_not_resume(2) != nullptr && state.why_not_resume(-1) != nullptr);
  if (past.repeated) {
    CHECK(outcome.winner == kDraw);
    return;
  }
  const double lead = outcome.score[0] - outcome.score[1];
  CHECK(outcome.score == state.score({}, {}).points);
  CHECK(outcome.winner == (lead == 0 ? kDraw : lead > 0 ? 0 : 1));
}

// One game with a pass now and then, played on after two passes where the rules allow it. The step is checked
// every time, the whole position every `look_every` times; copies taken on the way stay as they were.
template <class S>
void play_one(const GoRules& rules, int length, std::uint32_t look_every, Rng& rng) {
  S state(rules);
  Past past{.boards = {cells_of(state)},
            .positions = {{{cells_of(state), state.to_move()}, 1}},
            .before_last = cells_of(state)};
  ActionList legal;
  for (int i = 0; i < length; ++i) {
    if (rng.below(look_every) == 0) {
      check_legality(state, past);
      check_board(state);
      check_rebuilt(state);
      check_score(state, rng);
      if (rng.below(4) == 0) check_playouts(state, rng);
    }
    if (state.is_over()) {
      check_end(state, past);
      if (state.why_not_resume(0) != nullptr) break;
      state.resume(static_cast<int>(rng.below(2)));
      past.before_last = cells_of(state);
    }
    state.legal_actions(legal);
    const auto count = static_cast<std::uint32_t>(legal.size());
    const Action action = rng.below(20) == 0 ? state.pass_action() : legal[rng.below(count)];
    const S before = state;
    const Cells cells = cells_of(before);
    const std::uint64_t hash = before.hash();
    state.play(action);
    check_step(before, state, past, action);
    CHECK(cells_of(before) == cells && before.hash() == hash && !before.is_over());
    S again = before;
    again.play(action);
    CHECK(again == state && again.hash() == state.hash());
  }
}

template <class S>
void play_many(int size, int games, int length, std::uint32_t look_every, Rng& rng) {
  for (int i = 0; i < games; ++i) {
    for (const bool superko : {false, true}) {
      play_one<S>({.size = size, .superko = superko, .komi = 0.5}, length, look_every, rng);
      for (const bool agreed : {false, true})
        play_one<S>({.size = size, .superko = superko, .area = true, .komi = 0, .agreed = agreed}, length,
                    look_every, rng);
    }
    if (size >= 7) play_one<S>({.size = size, .komi = 0.5, .handicap = 2 + i % 3}, length, look_every, rng);
  }
}

// The same actions on boards held in different widths give the same cells.
void widths_agree(Rng& rng) {
  const GoRules rules{.size = 9, .superko = rng.below(2) == 0};
  Go9 narrow(rules);
  Go19 wide(rules);
  ActionList legal, other;
  for (int i = 0; i < 150 && !narrow.is_over(); ++i) {
    narrow.legal_actions(legal);
    wide.legal_actions(other);
    CHECK(legal == other);
    const Action action = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
    narrow.play(action);
    wide.play(action);
    CHECK(cells_of(narrow) == cells_of(wide) && narrow.captured() == wide.captured());
    CHECK(narrow.ko_cell() == wide.ko_cell() && narrow.prisoners() == wide.prisoners());
    CHECK(narrow.is_over() == wide.is_over());
  }
}

template <class Error, class F>
bool throws(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    const std::string text = error.what();
    return text.size() > 10 && text.back() == '.';
  }
  return false;
}

void refuses_bad_input() {
  const GoRules plain{.size = 5};
  const auto bad = [&](const Cells& cells, int to_move = 0) {
    return throws<InvalidPosition>([&] { Go9::from_cells(plain, cells, to_move); });
  };
  const auto with = [](std::initializer_list<std::array<int, 2>> changes) {
    Cells cells(25);
    for (const auto& [cell, code] : changes) cells[cell] = static_cast<std::uint8_t>(code);
    return cells;
  };
  CHECK(!bad(Cells(25)) && !bad(Cells(25), 1));
  CHECK(bad(Cells(25), 2) && bad(Cells(25), -1));
  CHECK(bad(Cells(24)) && bad(Cells(26)) && bad({}));
  CHECK(bad(with({{0, 3}})) && bad(with({{24, 255}})));
  CHECK(bad(with({{0, 1}, {1, 2}, {5, 2}})));
  CHECK(bad(Cells(25, 1)));
  const Go9 state = Go9::from_cells(plain, with({{0, 1}}), 1);
  const auto uncounted = [&](std::vector<int> dead, std::vector<int> neutral) {
    return throws<InvalidPosition>([&] { state.score(dead, neutral); });
  };
  CHECK(!uncounted({0}, {0, 1}));
  CHECK(uncounted({1}, {}) && uncounted({-1}, {}) && uncounted({25}, {}));
  CHECK(uncounted({}, {0}) && uncounted({}, {-1}) && uncounted({}, {25}));
  for (const GoRules& rules : {GoRules{.size = 1}, GoRules{.size = 20}, GoRules{.handicap = 1},
                               GoRules{.handicap = 10}, GoRules{.size = 8, .handicap = 5}})
    CHECK(throws<InvalidOption>([&] { rules.validate(); }));
}

}  // namespace
}  // namespace tengen

void test_go() {
  using namespace tengen;
  Rng rng(21);
  for (const int size : {2, 3, 4}) play_many<Go9>(size, 10, 80, 1, rng);
  play_many<Go9>(5, 4, 120, 3, rng);
  play_many<Go9>(7, 3, 200, 8, rng);
  play_many<Go9>(9, 2, 300, 15, rng);
  play_many<Go19>(10, 1, 300, 40, rng);
  play_many<Go19>(19, 1, 800, 200, rng);
  for (int i = 0; i < 10; ++i) widths_agree(rng);
  refuses_bad_input();
}
