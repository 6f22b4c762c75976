// First-sight evaluation of Kelasu; see eval.hpp. Start reading at score().
#include "games/kelasu/eval.hpp"

#include <algorithm>
#include <cmath>

#include "games/kelasu/weights.hpp"

namespace tengen {

namespace {

using Squares = Kelasu::Squares;
using enum Kelasu::Piece;

constexpr int kWidth = Kelasu::kWidth;
constexpr int kStride = Kelasu::kStride;
constexpr int kSquares = Kelasu::kSquares;
constexpr int kNever = 99;  // a distance no line reaches

// Directions: 0 down, 1 up, 2 right, 3 left, 4 and 5 diagonally down, 6 and 7 diagonally up.
constexpr std::array<int, 8> kSteps = {kStride,     -kStride,     1,           -1, kStride + 1,
                                       kStride - 1, -kStride + 1, -kStride - 1};
constexpr std::array<int, 2> kAhead = {0, 1};                                     // by seat
constexpr std::array<std::array<int, 2>, 2> kDiagonalAhead = {{{4, 5}, {6, 7}}};  // by seat

// How many steps the board allows, by direction and square.
constexpr auto kRoom = [] {
  std::array<std::array<std::uint8_t, kSquares>, 8> room{};
  for (std::size_t d = 0; d < 8; ++d) {
    const int down = d == 0 || d == 4 || d == 5 ? 1 : d == 1 || d == 6 || d == 7 ? -1 : 0;
    const int right = kSteps[d] - down * kStride;
    for (int square = 0; square < kSquares; ++square) {
      int row = square / kStride + down;
      int column = square % kStride + right;
      for (; row >= 0 && row < kWidth && column >= 0 && column < kWidth; row += down, column += right)
        ++room[d][static_cast<std::size_t>(square)];
    }
  }
  return room;
}();

constexpr Kelasu::Piece piece_of(int code) {
  return static_cast<Kelasu::Piece>(code > Kelasu::kPieces ? code - Kelasu::kPieces : code);
}

// For taking and being taken, and to order moves.
constexpr std::array<int, 8> kWorth = {0, 100, 260, 560, 520, 750, 1700, 0};
constexpr std::array<int, 9> kStoneWorth = {0, 3000, 1000, 700, 550, 450, 400, 350, 350};  // the n-th stone
constexpr int kTileWorth = 30;
constexpr int kBlock = 120;    // standing in an attacker's line
constexpr float kScale = 500;  // a lead of this much wins 73 %

// What a piece is worth where it stands, by code and square; Red's are negative.
constexpr auto kPlaces = [] {
  std::array<std::array<int, kSquares>, 2 * Kelasu::kPieces + 1> places{};
  for (std::size_t piece = 1; piece <= Kelasu::kPieces; ++piece)
    for (int row = 0; row < kWidth; ++row)
      for (int column = 0; column < kWidth; ++column) {
        const int worth = kKelasuPlaces[piece - 1][static_cast<std::size_t>(row)]
                                       [static_cast<std::size_t>(std::min(column, kWidth - 1 - column))];
        places[piece][static_cast<std::size_t>(row * kStride + column)] = worth;
        places[piece + Kelasu::kPieces][static_cast<std::size_t>((kWidth - 1 - row) * kStride + column)] =
            -worth;
      }
  return places;
}();

// One step of the seat's blanks, whatever stands there.
Squares blank_steps(const Kelasu& state, int seat) {
  const Squares blanks = state.side(seat) & state.kind(kBlank);
  return (seat == 0 ? blanks.up<kStride>() : blanks.down<kStride>()) | blanks.up<1>() | blanks.down<1>();
}

int worth_at(int code, int square) {
  return kPlaces[static_cast<std::size_t>(code)][static_cast<std::size_t>(square)];
}

// What standing there is worth for the seat.
int place(int seat, Kelasu::Piece piece, int square) {
  return seat == 0 ? worth_at(piece, square) : -worth_at(piece + Kelasu::kPieces, square);
}

}  // namespace

int kelasu_stand(const Kelasu& state) {
  int sum = 0;
  (state.side(0) | state.side(1)).for_each([&](int square) {
    sum += worth_at(state.code_at(square), square);
  });
  return sum;
}

int kelasu_stand_after(const Kelasu& before, int stand, const Kelasu& after) {
  // A square's piece changes with its owner, or from a blank to what it merged into.
  const Squares changed = (before.side(0) ^ after.side(0)) | (before.side(1) ^ after.side(1)) |
                          (before.kind(kBlank) ^ after.kind(kBlank));
  changed.for_each([&](int square) {
    stand += worth_at(after.code_at(square), square) - worth_at(before.code_at(square), square);
  });
  return stand;
}

KelasuEval::KelasuEval(const Kelasu& state, int stand) : state_(state), stand_(stand) {
  for (const int seat : {0, 1})
    stones_[static_cast<std::size_t>(seat)] = (state.side(seat) & state.kind(kStone)).count();
  look_at(0);
  look_at(1);
}

// The worth of one piece that may be lost. A stone is energy, the more so the fewer are left.
int KelasuEval::value_of(int seat, int piece) const {
  if (piece != kStone) return kWorth[static_cast<std::size_t>(piece)];
  return kStoneWorth[static_cast<std::size_t>(std::min(8, stones_[static_cast<std::size_t>(seat)]))];
}

template <bool Moves>
void KelasuEval::add_line(int seat, Attacker& attacker, int direction, int reach, int captures_from) {
  Side& side = sides_[static_cast<std::size_t>(seat)];
  const auto d = static_cast<std::size_t>(direction);
  const int room = std::min(reach, int{kRoom[d][attacker.square]});
  int square = attacker.square;
  for (int distance = 1; distance <= room; ++distance) {
    square += kSteps[d];
    const int met = state_.code_at(square);
    if (distance >= captures_from) attacker.cover.set(square);
    if (met == 0) {
      if constexpr (Moves) side.reach.set(square);
      continue;
    }
    if (!state_.side(1 - seat).test(square) || distance < captures_from) return;
    side.reach.set(square);
    if (distance >= 2 && piece_of(met) >= kRunner)
      for (int between = attacker.square + kSteps[d]; between != square; between += kSteps[d])
        side.lines.set(between);
    return;
  }
}

void KelasuEval::look_at(int seat) {
  Side& side = sides_[static_cast<std::size_t>(seat)];
  const Squares pieces = state_.side(seat).without(state_.kind(kBlank) | state_.kind(kStone));
  const int ahead = kAhead[static_cast<std::size_t>(seat)];
  const auto& diagonals = kDiagonalAhead[static_cast<std::size_t>(seat)];
  pieces.for_each([&](int square) {
    if (side.attacker_count == static_cast<int>(side.attackers.size())) return;
    Attacker& a = side.attackers[static_cast<std::size_t>(side.attacker_count++)];
    a.square = static_cast<std::uint8_t>(square);
    a.piece = piece_of(state_.code_at(square));
    switch (a.piece) {
      case kWarrior:
        for (const int d : {ahead, 2, 3}) add_line(seat, a, d, 1, 1);
        for (const int d : diagonals) add_line<false>(seat, a, d, 1, 1);
        if (kRoom[static_cast<std::size_t>(ahead)][a.square] == 0)
          a.cover.set(square - (kWidth - 1) * kSteps[static_cast<std::size_t>(ahead)]);
        break;
      case kRunner:
        for (const int d : {4, 5, 6, 7}) add_line(seat, a, d, kWidth, 2);
        break;
      case kDiplomat:
        for (const int d : {0, 1, 2, 3}) add_line(seat, a, d, 3, kNever);
        for (const int d : {4, 5, 6, 7}) add_line<false>(seat, a, d, 1, 1);
        break;
      case kChampion:
        add_line(seat, a, ahead, kWidth, 1);
        add_line(seat, a, 1 - ahead, kWidth, kNever);
        for (const int d : {2, 3}) add_line(seat, a, d, 3, 1);
        for (const int d : diagonals) add_line(seat, a, d, 1, 1);
        break;
      case kGeneral:
        for (int d = 0; d < 8; ++d) add_line(seat, a, d, kWidth, 1);
        break;
      case kNone:
      case kBlank:
      case kStone:
        break;
    }
    side.cover |= a.cover;
  });
}

// What the seat wins by its best captures, one for each attacker and victim, at most `energy` of them. `best`
// receives them in descending order.
int KelasuEval::captures(int seat, int energy, std::array<int, 8>& best) const {
  const Side& side = sides_[static_cast<std::size_t>(seat)];
  const Squares& enemy = state_.side(1 - seat);
  const Squares& guarded = sides_[static_cast<std::size_t>(1 - seat)].cover;
  const bool moving = state_.to_move() == seat;
  best.fill(0);
  if ((side.cover & enemy).none()) return 0;
  struct Hit {
    int gain;
    int attacker;
    int victim;
  };
  std::array<Hit, 64> hits;
  int count = 0;
  for (int i = 0; i < side.attacker_count; ++i) {
    const Attacker& a = side.attackers[static_cast<std::size_t>(i)];
    if (moving && state_.moved_squares().test(a.square)) continue;
    const int own = kWorth[a.piece];
    (a.cover & enemy).for_each([&](int square) {
      const int victim = value_of(1 - seat, piece_of(state_.code_at(square)));
      int gain = victim;
      if (a.piece == kDiplomat) {
        gain += (guarded.test(square) ? 0 : victim) - own;
      } else if (guarded.test(square)) {
        gain -= own;
      }
      if (gain > 0 && count < static_cast<int>(hits.size()))
        hits[static_cast<std::size_t>(count++)] = {gain, i, square};
    });
  }
  std::sort(hits.begin(), hits.begin() + count, [](const Hit& a, const Hit& b) {
    return a.gain != b.gain           ? a.gain > b.gain
           : a.attacker != b.attacker ? a.attacker < b.attacker
                                      : a.victim < b.victim;
  });
  std::uint32_t used = 0;
  Squares gone;
  int sum = 0;
  int taken = 0;
  for (int i = 0; i < count && taken < std::min(energy, 8); ++i) {
    const Hit& hit = hits[static_cast<std::size_t>(i)];
    if ((used >> hit.attacker) & 1 || gone.test(hit.victim)) continue;
    used |= 1u << hit.attacker;
    gone.set(hit.victim);
    sum += hit.gain;
    best[static_cast<std::size_t>(taken++)] = hit.gain;
  }
  return sum;
}

bool KelasuEval::may_win(int seat, int energy) const {
  const Side& side = sides_[static_cast<std::size_t>(seat)];
  const Squares& own = state_.side(seat);
  const Squares& enemy = state_.side(1 - seat);
  if (stones_[static_cast<std::size_t>(1 - seat)] <= energy &&
      (enemy & state_.kind(kStone)).without(side.cover).none())
    return true;
  const Squares missing = kKelasuVictory.without(own);
  if (missing.count() > energy) return false;
  return missing.without(side.reach | blank_steps(state_, seat).without(enemy)).none();
}

void KelasuEval::count_side(int seat, int* out) const {
  using namespace kelasu_feature;
  static constexpr auto kGround = [] {
    std::array<Squares, 2> ground;
    for (int square = 0; square < kSquares; ++square) {
      if (square % kStride == kWidth) continue;
      if (square / kStride >= 2) ground[0].set(square);
      if (square / kStride <= 7) ground[1].set(square);
    }
    return ground;
  }();
  const Squares& own = state_.side(seat);
  const Squares& aimed = sides_[static_cast<std::size_t>(seat)].cover;
  const Squares blanks = own & state_.kind(kBlank);
  const Squares steps = blank_steps(state_, seat);
  const Squares reach = (aimed | steps.without(state_.side(1 - seat))) & kKelasuVictory;
  const int held = (own & kKelasuVictory).count();
  const int near = reach.without(own).count();
  out[kTilesNear] = near;
  out[kTilesAll] = held + near == 4 ? 1 : 0;
  if (held >= 1 && held <= 3) out[kOneTile + held - 1] = 1;
  out[kTilesAimed] = (aimed & kKelasuVictory).count();
  const Squares ground = blanks & kGround[static_cast<std::size_t>(seat)];
  out[kPairs] = (ground & ground.up<1>()).count() + (ground & ground.up<kStride>()).count();
  Squares rest = ground;
  int largest = 0;
  while (rest.count() > largest) {
    const Squares group = Squares::single(rest.first()).flood<kStride>(rest);
    largest = std::max(largest, group.count());
    rest = rest.without(group);
  }
  out[kGroup] = largest;
  const int stones = stones_[static_cast<std::size_t>(seat)];
  if (stones >= 1 && stones <= 3) out[kOneStone + stones - 1] = 1;
  out[kGuarded] = (aimed & own).count();
}

KelasuFeatures KelasuEval::features() const {
  using namespace kelasu_feature;
  const int mover = state_.to_move();
  const int other = 1 - mover;
  KelasuFeatures counts{};
  std::array<int, 8> best;
  counts[kCaptures] = captures(mover, state_.energy(), best);
  captures(other, stones_[static_cast<std::size_t>(other)], best);
  for (int i = 0; i < 8; ++i)
    counts[i < state_.energy() ? kParried : kThreats] += best[static_cast<std::size_t>(i)];
  counts[kEnergy] = state_.energy();
  count_side(mover, counts.data() + kOfSides);
  count_side(other, counts.data() + kOfSides + kPerSide);
  return counts;
}

int KelasuEval::score() const {
  const KelasuFeatures counts = features();
  int fine = kKelasuConstant;
  for (std::size_t i = 0; i < counts.size(); ++i) fine += counts[i] * kKelasuWeights[i];
  int sum = fine / kKelasuFine;
  const int mover = state_.to_move();
  sum += mover == 0 ? stand_ : -stand_;
  sum -= sum * state_.quiet_rounds() / (2 * Kelasu::kQuietLimit);
  return mover == 0 ? sum : -sum;
}

int KelasuEval::gain(int from, int to) const {
  const int mover = state_.to_move();
  const Kelasu::Piece piece = piece_of(state_.code_at(from));
  const int own = kWorth[piece];
  const Squares& danger = sides_[static_cast<std::size_t>(1 - mover)].cover;
  int sum = 0;
  const int met = state_.code_at(to);
  if (met != 0) sum += value_of(1 - mover, piece_of(met));
  if (met != 0 && piece == kDiplomat)
    return sum + (danger.test(to) ? 0 : value_of(1 - mover, piece_of(met))) - own;
  sum += place(mover, piece, to) - place(mover, piece, from);
  if (danger.test(to)) sum -= own * 8 / 10;
  if (danger.test(from)) sum += own / 2;
  if (kKelasuVictory.test(to)) sum += kTileWorth;
  if (kKelasuVictory.test(from)) sum -= kTileWorth;
  if (sides_[static_cast<std::size_t>(1 - mover)].lines.test(to)) sum += kBlock;
  return sum;
}

int KelasuEval::merge_gain(int kind, int target) const {
  const int seat = state_.to_move();
  const auto piece = static_cast<Kelasu::Piece>(kind + kWarrior);
  const bool lost = sides_[static_cast<std::size_t>(1 - seat)].cover.test(target);
  return (lost ? 0 : place(seat, piece, target)) -
         Kelasu::kMergeCost[static_cast<std::size_t>(kind)] * place(seat, kBlank, target);
}

float kelasu_chance(int score) { return 1.0f / (1.0f + std::exp(-static_cast<float>(score) / kScale)); }

}  // namespace tengen
