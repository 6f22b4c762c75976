// Great Kingdom by random play: what is kept incrementally or cut short is compared, position by
// position, with the same thing worked out naively from the cells. The rules themselves are shown in
// diagrams in tests/rules/test_great_kingdom.py.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"
#include "games/great_kingdom/great_kingdom.hpp"
#include "naive_board.hpp"

namespace tengen {
namespace {

int liberties_of(const Cells& cells, int size, int cell) {
  const Part group = part_of(cells, size, cell);
  return static_cast<int>(std::ranges::count_if(group.border, [&](int c) { return cells[c] == 0; }));
}

// GK 5: 0 nobody, 1 Blue, 2 Orange.
std::uint8_t owner_of(const Part& region, const Cells& cells, int size) {
  const auto borders = [&](int code) {
    return std::ranges::any_of(region.border, [&](int c) { return cells[c] == code; });
  };
  const auto touches = [&](const std::function<bool(int, int)>& edge) {
    return std::ranges::any_of(region.members, [&](int c) { return edge(c / size, c % size); });
  };
  if (touches([](int row, int) { return row == 0; }) &&
      touches([&](int row, int) { return row == size - 1; }) &&
      touches([](int, int column) { return column == 0; }) &&
      touches([&](int, int column) { return column == size - 1; }))
    return 0;
  if (borders(1) == borders(2)) return 0;
  return borders(1) ? 1 : 2;
}

Cells territory_of(const Cells& cells, int size) {
  Cells owners(cells.size());
  std::vector<bool> seen(cells.size());
  for (int cell = 0; cell < size * size; ++cell) {
    if (cells[cell] != 0 || seen[cell]) continue;
    const Part region = part_of(cells, size, cell);
    const std::uint8_t owner = owner_of(region, cells, size);
    for (const int member : region.members) {
      seen[member] = true;
      owners[member] = owner;
    }
  }
  return owners;
}

// What a placement leads to, from the cells alone (GK 3). That no castle elsewhere is left without
// liberties is seen by check_position().
template <class S>
typename S::Ending effect_of(Cells cells, int size, int cell, int mover) {
  cells[cell] = static_cast<std::uint8_t>(mover + 1);
  for (const int other : neighbours(cell, size))
    if (cells[other] == 2 - mover && liberties_of(cells, size, other) == 0) return S::kCapture;
  return liberties_of(cells, size, cell) == 0 ? S::kSuicide : S::kGoesOn;
}

template <class S>
bool naively_legal(const S& state, const Cells& cells, const Cells& owners, int action) {
  const GreatKingdomRules& rules = state.rules();
  if (state.is_over() || action < 0 || action > state.cell_count()) return false;
  if (action == state.cell_count()) return true;
  if (cells[action] != 0) return false;
  const int mover = state.to_move();
  if (rules.castles > 0 && std::ranges::count(cells, mover + 1) >= rules.castles) return false;
  const int owner = owners[action];
  if (owner == mover + 1 && !rules.enter_own_territory) return false;
  if (owner == 2 - mover && !rules.enter_enemy_territory) return false;
  return rules.suicide_loses || effect_of<S>(cells, rules.size, action, mover) != S::kSuicide;
}

template <class S>
void check_position(const S& state) {
  const int size = state.rules().size;
  const Cells cells = cells_of(state);
  const Cells owners = territory_of(cells, size);
  ActionList legal;
  state.legal_actions(legal);
  CHECK(std::ranges::is_sorted(legal));
  CHECK(legal.empty() == state.is_over());
  for (Action action = -2; action <= state.action_count() + 1; ++action) {
    const bool listed = std::ranges::binary_search(legal, action);
    CHECK(listed == (state.why_illegal(action) == nullptr));
    CHECK(listed == naively_legal(state, cells, owners, action));
    const bool loses =
        listed && action != state.pass() && effect_of<S>(cells, size, action, state.to_move()) == S::kSuicide;
    CHECK(state.would_lose(action) == loses);
  }

  Cells territory(cells.size());
  state.territory(territory);
  CHECK(territory == owners);
  CHECK(state.score()[0] == static_cast<double>(std::ranges::count(owners, 1)));
  CHECK(state.score()[1] == static_cast<double>(std::ranges::count(owners, 2)));

  std::vector<std::uint16_t> liberties(cells.size());
  Cells captured(cells.size());
  state.liberties(liberties);
  state.captured(captured);
  const bool dead_possible = state.ending() == S::kCapture || state.ending() == S::kSuicide;
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const bool castle = cells[cell] == 1 || cells[cell] == 2;
    CHECK(liberties[cell] == (castle ? liberties_of(cells, size, cell) : 0));
    CHECK(captured[cell] == (dead_possible && castle && liberties[cell] == 0 ? 1 : 0));
  }
  CHECK((std::ranges::count(captured, 1) > 0) == dead_possible);

  if (!state.is_over() && state.passes() == 0) {
    const S rebuilt = S::from_cells(state.rules(), cells, state.to_move());
    CHECK(rebuilt == state);
    CHECK(rebuilt.hash() == state.hash());
  }
}

template <class S>
void check_step(const S& before, const S& after, Action action) {
  CHECK(after.to_move() == 1 - before.to_move());
  CHECK(!(after == before) && after.hash() != before.hash());
  if (action == before.pass()) {
    CHECK(after.ending() == (before.passes() == 1 ? S::kTerritory : S::kGoesOn));
    CHECK(cells_of(after) == cells_of(before));
  } else {
    CHECK(after.ending() == effect_of<S>(cells_of(before), before.rules().size, action, before.to_move()));
    CHECK(after.passes() == 0);
  }
}

template <class S>
void check_planes(const S& state) {
  const Planes planes = state.planes();
  const int area = state.cell_count();
  std::vector<float> out(planes.size(), -9.0F);
  state.encode(out);
  const Cells cells = cells_of(state);
  const Cells owners = territory_of(cells, state.rules().size);
  const int own = state.to_move() + 1;
  const int opponent = 2 - state.to_move();
  const auto at = [&](int plane, int cell) { return out[plane * area + cell]; };
  for (int cell = 0; cell < area; ++cell) {
    const int code = cells[cell];
    const int count = code == 1 || code == 2 ? liberties_of(cells, state.rules().size, cell) : 0;
    CHECK(at(S::kOwnCastles, cell) == (code == own));
    CHECK(at(S::kOpponentCastles, cell) == (code == opponent));
    CHECK(at(S::kNeutralCastle, cell) == (code == 3));
    CHECK(at(S::kOnBoard, cell) == 1);
    CHECK(at(S::kOwnTerritory, cell) == (owners[cell] == own));
    CHECK(at(S::kOpponentTerritory, cell) == (owners[cell] == opponent));
    CHECK(at(S::kOwnAtari, cell) == (code == own && count == 1));
    CHECK(at(S::kOpponentAtari, cell) == (code == opponent && count == 1));
    CHECK(at(S::kOwnTwoLiberties, cell) == (code == own && count == 2));
    CHECK(at(S::kOpponentTwoLiberties, cell) == (code == opponent && count == 2));
    CHECK(at(S::kLastWasPass, cell) == (state.passes() > 0));
    CHECK(at(S::kMoverIsBlue, cell) == (own == 1));
    CHECK(at(S::kCastlesUnlimited, cell) == (state.rules().castles == 0));
  }
  const auto lead = static_cast<float>(state.rules().lead) / 8.0F;
  CHECK(at(S::kLead, 0) == (own == 1 ? lead : -lead));
  CHECK(at(S::kSuicideIllegal, 0) == !state.rules().suicide_loses);
  CHECK(at(S::kEnemyTerritoryBanned, 0) == !state.rules().enter_enemy_territory);
  CHECK(at(S::kOwnTerritoryBanned, 0) == !state.rules().enter_own_territory);
  const int castles = state.rules().castles;
  const float left =
      castles == 0 ? 0.0F
                   : static_cast<float>(castles - std::ranges::count(cells, own)) / static_cast<float>(area);
  CHECK(at(S::kOwnCastlesLeft, area - 1) == std::min(left, 1.0F));
}

template <class S>
void check_playouts(const S& state, Rng& rng) {
  for (int i = 0; i < 4; ++i) {
    S copy = state;
    const PlayoutResult result = copy.playout(rng);
    CHECK(copy.is_over());
    CHECK(result.winner == copy.outcome().winner);
    CHECK((result.actions == 0) == state.is_over());
    check_position(copy);
  }
}

// One game with a pass now and then. Every step is checked, and copies taken on the way stay as they were.
template <class S>
void play_one(const GreatKingdomRules& rules, Rng& rng) {
  S state(rules);
  ActionList legal;
  while (!state.is_over()) {
    check_position(state);
    if (rng.below(8) == 0) check_planes(state);
    state.legal_actions(legal);
    const auto count = static_cast<std::uint32_t>(legal.size());
    Action action = rng.below(12) == 0 ? state.pass() : legal[rng.below(count)];
    // Losing at once would keep most games short.
    for (int again = 0; again < 3 && state.would_lose(action); ++again) action = legal[rng.below(count)];
    const S before = state;
    const Cells cells = cells_of(before);
    const std::uint64_t hash = before.hash();
    state.play(action);
    check_step(before, state, action);
    CHECK(cells_of(before) == cells && before.hash() == hash && !before.is_over());
    S again = before;
    again.play(action);
    CHECK(again == state && again.hash() == state.hash());
    if (rng.below(16) == 0) check_playouts(state, rng);
  }
  check_position(state);
  check_planes(state);
  const Outcome outcome = state.outcome();
  CHECK(outcome.winner == 0 || outcome.winner == 1);
  CHECK(outcome.has_score == (std::string(outcome.reason) == "territory"));
  if (outcome.has_score)
    CHECK((outcome.winner == 0) == (outcome.score[0] - outcome.score[1] >= state.rules().lead));
}

std::vector<GreatKingdomRules> rules_to_try(int size) {
  const bool odd = size % 2 == 1;
  return {
      {.size = size, .neutral = odd},
      {.size = size, .neutral = odd, .enter_enemy_territory = false, .castles = size * size / 2},
      {.size = size, .neutral = false, .lead = 0, .suicide_loses = false},
      {.size = size, .neutral = odd, .lead = -2, .enter_own_territory = false, .castles = 4},
      {.size = size,
       .neutral = false,
       .suicide_loses = false,
       .enter_enemy_territory = false,
       .enter_own_territory = false,
       .castles = 1000},
  };
}

template <class S>
void play_many(int size, int games, Rng& rng) {
  for (int i = 0; i < games; ++i)
    for (const GreatKingdomRules& rules : rules_to_try(size)) play_one<S>(rules, rng);
}

// The same actions on boards held in different widths give the same cells.
void widths_agree(Rng& rng) {
  const GreatKingdomRules rules{.size = 7};
  GreatKingdom<7> narrow(rules);
  GreatKingdom<9> middle(rules);
  GreatKingdom<19> wide(rules);
  ActionList legal, other;
  while (!narrow.is_over()) {
    narrow.legal_actions(legal);
    middle.legal_actions(other);
    CHECK(legal == other);
    wide.legal_actions(other);
    CHECK(legal == other);
    const Action action = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
    narrow.play(action);
    middle.play(action);
    wide.play(action);
    CHECK(cells_of(narrow) == cells_of(middle) && cells_of(narrow) == cells_of(wide));
    CHECK(narrow.score() == middle.score() && narrow.score() == wide.score());
    CHECK(narrow.is_over() == middle.is_over() && narrow.is_over() == wide.is_over());
  }
  CHECK(narrow.outcome().winner == wide.outcome().winner);
}

template <class Error, class F>
bool throws(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(error.what()).size() > 10;
  }
  return false;
}

void refuses_bad_input() {
  using S = GreatKingdom<9>;
  const GreatKingdomRules plain;
  const Cells start = cells_of(S(plain));
  const auto bad = [](const GreatKingdomRules& rules, const Cells& cells, int to_move = 0) {
    return throws<InvalidPosition>([&] { S::from_cells(rules, cells, to_move); });
  };
  const auto with = [&](std::initializer_list<std::array<int, 2>> changes) {
    Cells cells = start;
    for (const auto& [cell, code] : changes) cells[cell] = static_cast<std::uint8_t>(code);
    return cells;
  };
  CHECK(!bad(plain, start));
  CHECK(bad(plain, start, 2));
  CHECK(bad(plain, start, -1));
  CHECK(bad(plain, Cells(80)));
  CHECK(bad(plain, Cells(81)));
  CHECK(bad(plain, with({{0, 4}})));
  CHECK(bad(plain, with({{0, 255}})));
  CHECK(bad(plain, with({{0, 3}})));
  CHECK(bad(plain, with({{40, 1}})));
  CHECK(bad({.neutral = false}, start));
  CHECK(bad(plain, with({{0, 1}, {1, 2}, {9, 2}})));
  CHECK(bad({.castles = 1}, with({{0, 1}, {1, 1}})));
  CHECK(!bad({.castles = 2}, with({{0, 1}, {1, 1}})));

  for (const GreatKingdomRules& rules :
       {GreatKingdomRules{.size = 2}, GreatKingdomRules{.size = 20}, GreatKingdomRules{.size = 8},
        GreatKingdomRules{.lead = 401}, GreatKingdomRules{.lead = -401}, GreatKingdomRules{.castles = -1}})
    CHECK(throws<InvalidOption>([&] { rules.validate(); }));
  CHECK(throws<InvalidOption>([] { S(GreatKingdomRules{.size = 11}); }));
}

}  // namespace
}  // namespace tengen

void test_great_kingdom() {
  using namespace tengen;
  Rng rng(20);
  for (const int size : {3, 4, 5, 6, 7}) play_many<GreatKingdom<7>>(size, 6, rng);
  for (const int size : {5, 8, 9}) play_many<GreatKingdom<9>>(size, 2, rng);
  play_many<GreatKingdom<19>>(11, 1, rng);
  play_one<GreatKingdom<19>>({.size = 19}, rng);
  for (int i = 0; i < 20; ++i) widths_agree(rng);
  refuses_bad_input();
}
