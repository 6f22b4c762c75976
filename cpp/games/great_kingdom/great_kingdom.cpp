// Great Kingdom's rules; see the header for how a position is held.
//
// From the bottom up: the constant tables of a board size, what a placement does (effect), regions and
// territory, then the contract, the playout and the planes.
#include "games/great_kingdom/great_kingdom.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tengen {

namespace {

// What depends on the size of the board alone.
template <int MaxSize>
struct Geometry {
  using Board = typename GreatKingdom<MaxSize>::Board;
  Board board;
  std::array<Board, 4> edges;
  std::array<std::uint16_t, MaxSize * MaxSize> bit_of{};
  int centre = 0;  // a bit
};

template <int MaxSize>
constexpr auto make_geometries() {
  constexpr int stride = GreatKingdom<MaxSize>::kStride;
  std::array<Geometry<MaxSize>, MaxSize + 1> all{};
  for (int size = 1; size <= MaxSize; ++size) {
    auto& g = all[size];
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const int bit = row * stride + column;
        g.board.set(bit);
        g.bit_of[row * size + column] = static_cast<std::uint16_t>(bit);
        if (row == 0) g.edges[0].set(bit);
        if (row == size - 1) g.edges[1].set(bit);
        if (column == 0) g.edges[2].set(bit);
        if (column == size - 1) g.edges[3].set(bit);
      }
    }
    g.centre = size / 2 * stride + size / 2;
  }
  return all;
}

template <int MaxSize>
constexpr auto kGeometries = make_geometries<MaxSize>();

// The orthogonal neighbours of each bit, guards and cells beyond a small board among them.
template <int MaxSize>
constexpr auto make_neighbours() {
  using G = GreatKingdom<MaxSize>;
  std::array<typename G::Board, MaxSize * G::kStride> all{};
  for (int bit = 0; bit < MaxSize * G::kStride; ++bit)
    all[bit] = G::Board::single(bit).template neighbours<G::kStride>();
  return all;
}

template <int MaxSize>
constexpr auto kNeighbours = make_neighbours<MaxSize>();

template <int MaxSize>
constexpr auto make_castle_keys() {
  constexpr int bits = MaxSize * GreatKingdom<MaxSize>::kStride;
  std::array<std::array<std::uint64_t, bits>, 2> keys{};
  for (int seat = 0; seat < 2; ++seat)
    for (int bit = 0; bit < bits; ++bit)
      keys[seat][bit] = zobrist(static_cast<std::uint64_t>(2 * bit + seat));
  return keys;
}

template <int MaxSize>
constexpr auto kCastleKeys = make_castle_keys<MaxSize>();

// Features past those of the castles.
constexpr std::uint64_t kOrangeToMoveKey = zobrist(1 << 16);
constexpr std::array<std::uint64_t, 3> kPassKeys{0, zobrist((1 << 16) + 1), zobrist((1 << 16) + 2)};

// Whether the group of `own` that holds `seed` touches `empty`. Stops at the first liberty seen.
template <int Stride, class Board>
bool breathes(const Board& seed, const Board& own, const Board& empty) {
  Board group = seed;
  while (true) {
    const Board around = group.template neighbours<Stride>();
    if ((around & empty).any()) return true;
    const Board more = group | (around & own);
    if (more == group) return false;
    group = more;
  }
}

// Calls f(group) for each connected part of `area`.
template <int Stride, class Board, class F>
void for_each_group(const Board& area, F&& f) {
  for (Board rest = area; rest.any();) {
    const Board group = Board::single(rest.first()).template flood<Stride>(area);
    f(group);
    rest = rest.without(group);
  }
}

template <class Board>
bool touches_all(const Board& region, const std::array<Board, 4>& edges) {
  return std::all_of(edges.begin(), edges.end(), [&](const Board& edge) { return (region & edge).any(); });
}

}  // namespace

void GreatKingdomRules::validate() const {
  const auto refuse = [](const char* option, const char* allowed, int value) {
    fail<InvalidOption>(std::string(option) + " must be " + allowed + ", not " + std::to_string(value) + ".");
  };
  if (size < kMinSize || size > kMaxSize) refuse("size", "from 3 to 19", size);
  if (neutral && size % 2 == 0) refuse("size", "odd when there is a neutral castle in the centre", size);
  if (lead < -kMaxLead || lead > kMaxLead) refuse("lead", "from -400 to 400", lead);
  if (castles < 0) refuse("castles", "at least 1, or 0 for no limit", castles);
}

template <int MaxSize>
GreatKingdom<MaxSize>::GreatKingdom(const Rules& rules) : rules_(rules) {
  rules_.validate();
  if (rules_.size > MaxSize)
    fail<InvalidOption>("size must be at most " + std::to_string(MaxSize) + " for this board, not " +
                        std::to_string(rules_.size) + ".");
  empty_ = kGeometries<MaxSize>[rules_.size].board.without(neutral());
}

template <int MaxSize>
GreatKingdom<MaxSize> GreatKingdom<MaxSize>::from_cells(const Rules& rules,
                                                        std::span<const std::uint8_t> cells, int to_move) {
  GreatKingdom state(rules);
  if (static_cast<int>(cells.size()) != state.cell_count())
    fail<InvalidPosition>("The board has " + std::to_string(state.cell_count()) + " cells, but " +
                          std::to_string(cells.size()) + " were given.");
  if (to_move != 0 && to_move != 1) fail<InvalidPosition>("The player to move must be 0 or 1.");
  const Board centre = state.neutral();
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const int bit = state.bit_of(cell);
    const int code = cells[cell];
    if (code > kNeutral) fail<InvalidPosition>("A cell holds something that is not a castle.");
    if (centre.test(bit) && code != kNeutral)
      fail<InvalidPosition>("The neutral castle must stand in the centre.");
    if (!centre.test(bit) && code == kNeutral)
      fail<InvalidPosition>(rules.neutral ? "The neutral castle can only stand in the centre."
                                          : "This game is played without a neutral castle.");
    if (code != kBlue && code != kOrange) continue;
    const int seat = code == kBlue ? 0 : 1;
    state.stones_[seat].set(bit);
    state.empty_.reset(bit);
    state.hash_ ^= kCastleKeys<MaxSize>[seat][bit];
  }
  for (const Board& side : state.stones_) {
    if (rules.castles > 0 && side.count() > rules.castles)
      fail<InvalidPosition>("A side has more castles on the board than the " + std::to_string(rules.castles) +
                            " that it owns.");
    for_each_group<kStride>(side, [&](const Board& group) {
      if ((group.template neighbours<kStride>() & state.empty_).none())
        fail<InvalidPosition>("A group of castles has no liberties.");
    });
  }
  if (to_move == 1) state.hash_ ^= kOrangeToMoveKey;
  state.to_move_ = static_cast<std::int8_t>(to_move);
  return state;
}

template <int MaxSize>
typename GreatKingdom<MaxSize>::Board GreatKingdom<MaxSize>::neutral() const {
  return rules_.neutral ? Board::single(kGeometries<MaxSize>[rules_.size].centre) : Board{};
}

template <int MaxSize>
int GreatKingdom<MaxSize>::bit_of(int cell) const {
  return kGeometries<MaxSize>[rules_.size].bit_of[cell];
}

template <int MaxSize>
int GreatKingdom<MaxSize>::cell_of(int bit) const {
  return bit / kStride * rules_.size + bit % kStride;
}

// What a castle of `own` on `bit` has done, with `bit` already moved from `empty` to `own` (GK 3). Only
// the groups next to it can have lost their last liberty.
template <int MaxSize>
typename GreatKingdom<MaxSize>::Ending GreatKingdom<MaxSize>::effect(int bit, const Board& own,
                                                                     const Board& enemy, const Board& empty) {
  const Board& near = kNeighbours<MaxSize>[bit];
  // Enemy castles next to the new one that have no liberty of their own; their groups may have one.
  Board pressed = (near & enemy).without(empty.template neighbours<kStride>());
  while (pressed.any()) {
    const int first = pressed.first();
    if (!breathes<kStride>(Board::single(first), enemy, empty)) return kCapture;
    pressed.reset(first);
  }
  if ((near & empty).any()) return kGoesOn;
  return breathes<kStride>(Board::single(bit), own, empty) ? kGoesOn : kSuicide;
}

// Whether the mover's castle on that empty cell would be suicide.
template <int MaxSize>
bool GreatKingdom<MaxSize>::is_suicide(int bit) const {
  if ((kNeighbours<MaxSize>[bit] & empty_).any()) return false;
  const Board placed = Board::single(bit);
  return effect(bit, stones_[to_move_] | placed, stones_[1 - to_move_], empty_.without(placed)) == kSuicide;
}

// GK 5. Stops as soon as the region is nobody's.
template <int MaxSize>
int GreatKingdom<MaxSize>::region_owner(int size, const std::array<Board, 2>& stones, const Board& empty,
                                        int bit) {
  const auto& edges = kGeometries<MaxSize>[size].edges;
  Board region = Board::single(bit);
  while (true) {
    const Board around = region.template neighbours<kStride>();
    const bool blue = (around & stones[0]).any();
    const bool orange = (around & stones[1]).any();
    if (blue && orange) return -1;
    const Board more = region | (around & empty);
    if (more == region) {
      if (blue == orange || touches_all(region, edges)) return -1;
      return blue ? 0 : 1;
    }
    region = more;
  }
}

template <int MaxSize>
std::array<typename GreatKingdom<MaxSize>::Board, 2> GreatKingdom<MaxSize>::territories(
    int size, const std::array<Board, 2>& stones, const Board& empty) {
  const auto& edges = kGeometries<MaxSize>[size].edges;
  std::array<Board, 2> owned;
  for_each_group<kStride>(empty, [&](const Board& region) {
    const Board around = region.template neighbours<kStride>();
    const bool blue = (around & stones[0]).any();
    const bool orange = (around & stones[1]).any();
    if (blue != orange && !touches_all(region, edges)) owned[blue ? 0 : 1] |= region;
  });
  return owned;
}

template <int MaxSize>
bool GreatKingdom<MaxSize>::territory_bans(int bit) const {
  if (rules_.enter_enemy_territory && rules_.enter_own_territory) return false;
  const int owner = region_owner(bit);
  if (owner < 0) return false;
  return owner == to_move_ ? !rules_.enter_own_territory : !rules_.enter_enemy_territory;
}

template <int MaxSize>
int GreatKingdom<MaxSize>::castles_left(int seat) const {
  return rules_.castles > 0 ? rules_.castles - stones_[seat].count() : -1;
}

template <int MaxSize>
bool GreatKingdom<MaxSize>::out_of_castles() const {
  return castles_left(to_move_) == 0;
}

template <int MaxSize>
const char* GreatKingdom<MaxSize>::why_illegal(Action action) const {
  if (is_over()) return "The game is over.";
  if (action == pass()) return nullptr;
  if (action < 0 || action > pass()) return "There is no such cell on this board.";
  const int bit = bit_of(action);
  if (neutral().test(bit)) return "The neutral castle stands there.";
  if (!empty_.test(bit)) return "There is a castle on that cell already.";
  if (out_of_castles()) return "You have no castles left and can only pass.";
  if (territory_bans(bit))
    return region_owner(bit) == to_move_ ? "That cell lies in your own territory."
                                         : "That cell lies in your opponent's territory.";
  if (!rules_.suicide_loses && is_suicide(bit)) return "Your castle would have no liberties there.";
  return nullptr;
}

template <int MaxSize>
void GreatKingdom<MaxSize>::legal_actions(ActionList& actions) const {
  actions.clear();
  if (is_over()) return;
  if (!out_of_castles()) {
    Board open = empty_;
    if (!rules_.enter_enemy_territory || !rules_.enter_own_territory) {
      const auto owned = territories();
      if (!rules_.enter_own_territory) open = open.without(owned[to_move_]);
      if (!rules_.enter_enemy_territory) open = open.without(owned[1 - to_move_]);
    }
    open.for_each([&](int bit) {
      if (rules_.suicide_loses || !is_suicide(bit)) actions.push_back(cell_of(bit));
    });
  }
  actions.push_back(pass());
}

template <int MaxSize>
void GreatKingdom<MaxSize>::play(Action action) {
  if (action == pass())
    make_pass();
  else
    place(bit_of(action));
}

template <int MaxSize>
void GreatKingdom<MaxSize>::place(int bit) {
  stones_[to_move_].set(bit);
  empty_.reset(bit);
  ending_ = effect(bit, stones_[to_move_], stones_[1 - to_move_], empty_);
  hash_ ^= kCastleKeys<MaxSize>[to_move_][bit] ^ kPassKeys[passes_] ^ kOrangeToMoveKey;
  passes_ = 0;
  to_move_ ^= 1;
}

template <int MaxSize>
void GreatKingdom<MaxSize>::make_pass() {
  hash_ ^= kPassKeys[passes_] ^ kPassKeys[passes_ + 1] ^ kOrangeToMoveKey;
  ++passes_;
  if (passes_ == 2) ending_ = kTerritory;
  to_move_ ^= 1;
}

template <int MaxSize>
Outcome GreatKingdom<MaxSize>::outcome() const {
  if (ending_ == kCapture) return {1 - to_move_, "capture", false, {}};
  if (ending_ == kSuicide) return {to_move_, "suicide", false, {}};
  const auto points = score();
  return {points[0] >= points[1] + rules_.lead ? 0 : 1, "territory", true, points};
}

template <int MaxSize>
std::array<double, 2> GreatKingdom<MaxSize>::score() const {
  const auto owned = territories();
  return {static_cast<double>(owned[0].count()), static_cast<double>(owned[1].count())};
}

template <int MaxSize>
void GreatKingdom<MaxSize>::cells(std::span<std::uint8_t> out) const {
  std::fill(out.begin(), out.end(), kEmpty);
  stones_[0].for_each([&](int bit) { out[cell_of(bit)] = kBlue; });
  stones_[1].for_each([&](int bit) { out[cell_of(bit)] = kOrange; });
  neutral().for_each([&](int bit) { out[cell_of(bit)] = kNeutral; });
}

template <int MaxSize>
void GreatKingdom<MaxSize>::territory(std::span<std::uint8_t> out) const {
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  const auto owned = territories();
  owned[0].for_each([&](int bit) { out[cell_of(bit)] = 1; });
  owned[1].for_each([&](int bit) { out[cell_of(bit)] = 2; });
}

template <int MaxSize>
void GreatKingdom<MaxSize>::liberties(std::span<std::uint16_t> out) const {
  std::fill(out.begin(), out.end(), std::uint16_t{0});
  for (const Board& side : stones_)
    for_each_group<kStride>(side, [&](const Board& group) {
      const int count = (group.template neighbours<kStride>() & empty_).count();
      group.for_each([&](int bit) { out[cell_of(bit)] = static_cast<std::uint16_t>(count); });
    });
}

template <int MaxSize>
bool GreatKingdom<MaxSize>::would_lose(Action action) const {
  return action != pass() && why_illegal(action) == nullptr && is_suicide(bit_of(action));
}

template <int MaxSize>
void GreatKingdom<MaxSize>::captured(std::span<std::uint8_t> out) const {
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  if (ending_ != kCapture && ending_ != kSuicide) return;
  for (const Board& side : stones_)
    for_each_group<kStride>(side, [&](const Board& group) {
      if ((group.template neighbours<kStride>() & empty_).none())
        group.for_each([&](int bit) { out[cell_of(bit)] = 1; });
    });
}

template <int MaxSize>
void GreatKingdom<MaxSize>::encode(std::span<float> out) const {
  const int area = cell_count();
  const int mover = to_move_;
  std::fill(out.begin(), out.end(), 0.0F);
  const auto mark = [&](int plane, const Board& board) {
    board.for_each([&](int bit) { out[plane * area + cell_of(bit)] = 1.0F; });
  };
  const auto flood = [&](int plane, float value) { std::fill_n(out.begin() + plane * area, area, value); };
  const auto owned = territories();
  for (int side = 0; side < 2; ++side) {  // 0 is the mover; the planes of a pair are neighbours
    const int seat = side == 0 ? mover : 1 - mover;
    mark(kOwnCastles + side, stones_[seat]);
    mark(kOwnTerritory + side, owned[seat]);
    for_each_group<kStride>(stones_[seat], [&](const Board& group) {
      const int count = (group.template neighbours<kStride>() & empty_).count();
      if (count == 1) mark(kOwnAtari + side, group);
      if (count == 2) mark(kOwnTwoLiberties + side, group);
    });
    if (rules_.castles > 0)
      flood(kOwnCastlesLeft + side,
            std::min(1.0F, static_cast<float>(castles_left(seat)) / static_cast<float>(area)));
  }
  mark(kNeutralCastle, neutral());
  flood(kOnBoard, 1.0F);
  flood(kLastWasPass, passes_ > 0 ? 1.0F : 0.0F);
  flood(kMoverIsBlue, mover == 0 ? 1.0F : 0.0F);
  flood(kLead, static_cast<float>(mover == 0 ? rules_.lead : -rules_.lead) / 8.0F);
  flood(kSuicideIllegal, rules_.suicide_loses ? 0.0F : 1.0F);
  flood(kEnemyTerritoryBanned, rules_.enter_enemy_territory ? 0.0F : 1.0F);
  flood(kOwnTerritoryBanned, rules_.enter_own_territory ? 0.0F : 1.0F);
  flood(kCastlesUnlimited, rules_.castles > 0 ? 0.0F : 1.0F);
}

// Takes a random legal placement out of `candidates` and returns its index there, or -1 if there is
// none. Cells found illegal move to the back, so that each legal one is equally likely.
template <int MaxSize>
int GreatKingdom<MaxSize>::draw(std::span<std::uint16_t> candidates, Rng& rng) const {
  if (out_of_castles()) return -1;
  for (auto left = static_cast<std::uint32_t>(candidates.size()); left > 0; --left) {
    const std::uint32_t pick = rng.below(left);
    const int bit = candidates[pick];
    if (!territory_bans(bit) && (rules_.suicide_loses || !is_suicide(bit))) return static_cast<int>(pick);
    std::swap(candidates[pick], candidates[left - 1]);
  }
  return -1;
}

// Uniformly random placements, and a pass only where none is legal. Restricted is whether an empty cell
// can be illegal; without that, every empty cell is a candidate and nothing is asked before placing.
template <int MaxSize>
template <bool Restricted>
PlayoutResult GreatKingdom<MaxSize>::run_playout(Rng& rng) {
  std::array<std::uint16_t, MaxSize * MaxSize> candidates;
  std::uint32_t left = 0;
  empty_.for_each([&](int bit) { candidates[left++] = static_cast<std::uint16_t>(bit); });
  int actions = 0;
  for (; !is_over(); ++actions) {
    int pick = -1;
    if constexpr (Restricted)
      pick = draw(std::span(candidates.data(), left), rng);
    else if (left > 0)
      pick = static_cast<int>(rng.below(left));
    if (pick < 0) {
      make_pass();
      continue;
    }
    const int bit = candidates[pick];
    candidates[pick] = candidates[--left];
    place(bit);
  }
  return {outcome().winner, actions};
}

template <int MaxSize>
PlayoutResult GreatKingdom<MaxSize>::playout(Rng& rng) {
  const bool restricted = !rules_.enter_enemy_territory || !rules_.enter_own_territory ||
                          !rules_.suicide_loses || rules_.castles > 0;
  return restricted ? run_playout<true>(rng) : run_playout<false>(rng);
}

template class GreatKingdom<7>;
template class GreatKingdom<9>;
template class GreatKingdom<19>;

static_assert(GameState<GreatKingdom<7>>);
static_assert(GameState<GreatKingdom<9>>);
static_assert(GameState<GreatKingdom<19>>);

}  // namespace tengen
