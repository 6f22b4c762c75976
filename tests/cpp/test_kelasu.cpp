// Kelasu: random games against invariants that any correct rules keep, and move counts from the start.
// The rules themselves are shown by diagrams in tests/rules/test_kelasu.py.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "games/kelasu/kelasu.hpp"

using tengen::Action;
using tengen::ActionList;
using tengen::Kelasu;
using tengen::KelasuRules;
using tengen::Rng;
using Stage = Kelasu::Stage;

namespace {

using Cells = std::array<std::uint8_t, Kelasu::kCells>;

Cells cells_of(const Kelasu& state) {
  Cells cells{};
  state.cells(cells);
  return cells;
}

// Everything that equality is about, as text.
std::string describe(const Kelasu& state, bool acted) {
  std::string text;
  const auto add = [&](const std::vector<int>& numbers) {
    for (const int number : numbers) text += std::to_string(number) + ',';
    text += '|';
  };
  const Cells cells = cells_of(state);
  text.assign(cells.begin(), cells.end());
  add({state.to_move(), state.energy(), static_cast<int>(state.stage()), acted ? 1 : 0});
  add({state.selected_from(), state.merge_kind(), state.merge_target()});
  add(state.moved());
  add(state.selected());
  return text;
}

// How many pieces that are not stones, and how many stones, a seat has.
std::pair<int, int> count_pieces(const Cells& cells, int seat) {
  int pieces = 0;
  int stones = 0;
  for (const int code : cells) {
    if (code == 0 || (code > Kelasu::kPieces) != (seat == 1)) continue;
    (code == Kelasu::kStone + seat * Kelasu::kPieces ? stones : pieces) += 1;
  }
  return {pieces, stones};
}

// legal_actions, why_illegal and the accessors must tell the same story.
void check_actions(const Kelasu& state, const ActionList& legal) {
  CHECK(std::is_sorted(legal.begin(), legal.end()));
  CHECK(legal.empty() == state.is_over());
  const std::set<Action> set(legal.begin(), legal.end());
  CHECK(set.size() == legal.size());
  for (Action action = -2; action < Kelasu::kEndTurn + 3; ++action)
    CHECK((state.why_illegal(action) == nullptr) == set.contains(action));
  if (state.is_over() || state.stage() != Stage::Choose) return;

  const Cells cells = cells_of(state);
  const std::vector<int> moved = state.moved();
  std::vector<Action> expected;
  for (int cell = 0; cell < Kelasu::kCells; ++cell) {
    const int code = cells[static_cast<std::size_t>(cell)];
    if (code == 0 || (code > Kelasu::kPieces) != (state.to_move() == 1)) continue;
    if (std::ranges::count(moved, cell) == 0 && !state.targets(cell).empty()) expected.push_back(cell);
  }
  CHECK(state.movable() == expected);
  for (int kind = 0; kind < Kelasu::kMergeKinds; ++kind)
    CHECK(state.merge_targets(kind).empty() != set.contains(Kelasu::kFirstMerge + kind));
}

// A state at the start of a turn is the one that its board gives, and hashes to the same.
void check_turn_start(const Kelasu& state) {
  const Kelasu fresh = Kelasu::from_cells(state.rules(), cells_of(state), state.to_move());
  CHECK(fresh == state);
  CHECK(fresh.hash() == state.hash());
  CHECK(state.moved().empty());
  CHECK(state.energy() == count_pieces(cells_of(state), state.to_move()).second);
}

// What one action may do to energy, pieces and mover.
void check_step(const Kelasu& before, Action action, const Kelasu& after) {
  const auto [own, own_stones] = count_pieces(cells_of(before), before.to_move());
  const auto [own_after, own_stones_after] = count_pieces(cells_of(after), before.to_move());
  const auto [enemy, enemy_stones] = count_pieces(cells_of(before), 1 - before.to_move());
  const auto [enemy_after, enemy_stones_after] = count_pieces(cells_of(after), 1 - before.to_move());
  const int own_change = own_after + own_stones_after - own - own_stones;
  const int enemy_change = enemy_after + enemy_stones_after - enemy - enemy_stones;

  if (after.stage() != Stage::Choose || action == Kelasu::kEndTurn) {  // nothing has happened on the board
    CHECK(cells_of(before) == cells_of(after));
    CHECK(before.to_move() == after.to_move() || action == Kelasu::kEndTurn);
    CHECK(before.energy() == after.energy() || action == Kelasu::kEndTurn);
    return;
  }
  int cost = 1;
  if (before.stage() == Stage::MergeCells) {
    cost = Kelasu::kMergeCost[static_cast<std::size_t>(before.merge_kind())];
    CHECK(own_change == 1 - cost);
    CHECK(enemy_change == 0);
  } else {
    CHECK(before.stage() == Stage::Move);
    CHECK(own_change == 0);  // a diplomat that converts leaves the board, and the convert joins
    CHECK(enemy_change == 0 || enemy_change == -1);
  }
  if (after.to_move() == before.to_move() && !after.is_over()) {
    CHECK(after.energy() == before.energy() - cost);
    CHECK(after.energy() > 0);
  }
}

void random_games(bool may_end_turn_early, std::uint64_t seed) {
  std::map<std::string, std::uint64_t> hash_of;
  std::map<std::uint64_t, std::string> text_of;
  Rng rng(seed);
  ActionList legal;
  std::vector<float> planes;
  for (int game = 0; game < 12; ++game) {
    Kelasu state(KelasuRules{.may_end_turn_early = may_end_turn_early});
    planes.resize(static_cast<std::size_t>(state.planes().size()));
    bool acted = false;
    for (int step = 0; step < 4000; ++step) {
      state.legal_actions(legal);
      check_actions(state, legal);
      if (step % 16 == 0) state.encode(planes);

      const std::string text = describe(state, acted);
      CHECK(hash_of.try_emplace(text, state.hash()).first->second == state.hash());
      CHECK(text_of.try_emplace(state.hash(), text).first->second == text);
      if (state.is_over()) break;
      if (state.stage() == Stage::Choose && !acted) check_turn_start(state);

      const Action action = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      const Kelasu before = state;
      state.play(action);
      CHECK(before != state);
      check_step(before, action, state);
      const bool turn_over = state.to_move() != before.to_move();
      acted = !turn_over && (acted || state.stage() == Stage::Choose);
    }
    CHECK(state.quiet_rounds() <= Kelasu::kQuietLimit);
  }
}

// The states after one whole move or merge. Orders of choosing the same cells come to the same state.
std::vector<Kelasu> after_whole_move(const Kelasu& start) {
  std::vector<Kelasu> done;
  std::vector<Kelasu> open = {start};
  std::set<std::uint64_t> seen;
  ActionList legal;
  while (!open.empty()) {
    const Kelasu state = open.back();
    open.pop_back();
    state.legal_actions(legal);
    for (const Action action : legal) {
      Kelasu next = state;
      next.play(action);
      if (!seen.insert(next.hash()).second) continue;
      (next.stage() == Stage::Choose ? done : open).push_back(next);
    }
  }
  return done;
}

std::uint64_t perft(const Kelasu& state, int depth) {
  if (depth == 0) return 1;
  std::uint64_t total = 0;
  for (const Kelasu& next : after_whole_move(state)) total += perft(next, depth - 1);
  return total;
}

void move_counts() {
  constexpr std::array<std::uint64_t, 5> kCounts = {6, 48, 406, 3580, 21480};  // docs/rules/kelasu.md, row 1
  const Kelasu start{KelasuRules{}};
  for (int depth = 1; depth <= 5; ++depth)
    CHECK(perft(start, depth) == kCounts[static_cast<std::size_t>(depth - 1)]);

  // A solid block of 4 x 5 blanks has 116,410 general merges: 11,641 shapes with 10 targets each.
  Cells block{};
  for (int row = 2; row < 6; ++row)
    for (int column = 5; column < 10; ++column)
      block[static_cast<std::size_t>(row * Kelasu::kWidth + column)] = Kelasu::kBlank;
  block[0] = Kelasu::kStone;
  block[98] = Kelasu::kBlank + Kelasu::kPieces;
  block[99] = Kelasu::kStone + Kelasu::kPieces;
  Kelasu merging = Kelasu::from_cells(KelasuRules{}, block, 0);
  merging.play(Kelasu::kFirstMerge + Kelasu::kGeneral - Kelasu::kWarrior);
  CHECK(after_whole_move(merging).size() == 116410);
}

void playouts() {
  Rng rng(7);
  std::array<int, 3> results{};
  for (int game = 0; game < 300; ++game) {
    Kelasu state{KelasuRules{}};
    const tengen::PlayoutResult result = state.playout(rng);
    CHECK(result.actions <= Kelasu::kPlayoutCap);
    CHECK(state.is_over() || result.actions == Kelasu::kPlayoutCap);
    CHECK(!state.is_over() || state.outcome().winner == result.winner);
    results[static_cast<std::size_t>(result.winner + 1)] += 1;
  }
  CHECK(results[1] > 90);
  CHECK(results[2] > 90);
}

}  // namespace

void test_kelasu() {
  random_games(false, 1);
  random_games(true, 2);
  move_counts();
  playouts();
}
