// First-sight evaluation of Kelasu; see eval.hpp. Start reading at score().
#include "games/kelasu/eval.hpp"

#include <algorithm>
#include <cmath>

namespace tengen {

namespace {

using Squares = Kelasu::Squares;
using enum Kelasu::Piece;

constexpr int kWidth = Kelasu::kWidth;
constexpr int kStride = Kelasu::kStride;
constexpr int kSquares = Kelasu::kSquares;

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

// What standing there is worth: rows are counted from the owner's back rank.
int place(int seat, Kelasu::Piece piece, int square) {
  static constexpr std::array<int, 6> kCentre = {0, 0, 1, 2, 3, 4};
  const int row = seat == 0 ? square / kStride : kWidth - 1 - square / kStride;
  const int column = square % kStride;
  const int centre = kCentre[static_cast<std::size_t>(std::min(column, kWidth - 1 - column))];
  const auto& w = kKelasuWeights;
  switch (piece) {
    case kBlank:
      return w.blank_row[static_cast<std::size_t>(row)] +
             (row >= 2 && row <= 6 ? centre * w.blank_centre : 0);
    case kWarrior:
      return w.warrior_row[static_cast<std::size_t>(row)] + centre * w.blank_centre;
    case kRunner:
    case kDiplomat:
    case kChampion:
    case kGeneral:
      return centre * w.piece_centre;
    case kNone:
    case kStone:
      break;
  }
  return 0;
}

}  // namespace

KelasuEval::KelasuEval(const Kelasu& state) : state_(state) {
  for (const int seat : {0, 1})
    stones_[static_cast<std::size_t>(seat)] = (state.side(seat) & state.kind(kStone)).count();
  look_at(0);
  look_at(1);
}

// The worth of one piece that may be lost. A stone is energy, the more so the fewer are left.
int KelasuEval::value_of(int seat, int piece) const {
  if (piece != kStone) return kKelasuWeights.piece[static_cast<std::size_t>(piece)];
  return kKelasuWeights.stone[static_cast<std::size_t>(std::min(8, stones_[static_cast<std::size_t>(seat)]))];
}

void KelasuEval::add_line(int seat, Attacker& attacker, int direction, int reach, int captures_from) {
  const auto d = static_cast<std::size_t>(direction);
  const int room = std::min(reach, int{kRoom[d][attacker.square]});
  int square = attacker.square;
  for (int distance = 1; distance <= room; ++distance) {
    square += kSteps[d];
    const int met = state_.code_at(square);
    if (distance >= captures_from) attacker.cover.set(square);
    if (met == 0) continue;
    if (distance >= 2 && piece_of(met) >= kRunner && state_.side(1 - seat).test(square)) {
      auto& lines = sides_[static_cast<std::size_t>(seat)].lines;
      for (int between = attacker.square + kSteps[d]; between != square; between += kSteps[d])
        lines.set(between);
    }
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
        for (const int d : {ahead, 2, 3, diagonals[0], diagonals[1]}) add_line(seat, a, d, 1, 1);
        if (kRoom[static_cast<std::size_t>(ahead)][a.square] == 0)
          a.cover.set(square - (kWidth - 1) * kSteps[static_cast<std::size_t>(ahead)]);
        break;
      case kRunner:
        for (const int d : {4, 5, 6, 7}) add_line(seat, a, d, kWidth, 2);
        break;
      case kDiplomat:
        for (const int d : {4, 5, 6, 7}) add_line(seat, a, d, 1, 1);
        break;
      case kChampion:
        add_line(seat, a, ahead, kWidth, 1);
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

int KelasuEval::material(int seat) const {
  const auto& w = kKelasuWeights;
  int sum = 0;
  for (int left = 1; left <= std::min(8, stones_[static_cast<std::size_t>(seat)]); ++left)
    sum += w.stone[static_cast<std::size_t>(left)];
  state_.side(seat).without(state_.kind(kStone)).for_each([&](int square) {
    const Kelasu::Piece piece = piece_of(state_.code_at(square));
    sum += w.piece[piece] + place(seat, piece, square);
  });
  const Squares blanks = state_.side(seat) & state_.kind(kBlank);
  static constexpr auto kGround = [] {
    std::array<Squares, 2> ground;
    for (int square = 0; square < kSquares; ++square) {
      if (square % kStride == kWidth) continue;
      if (square / kStride >= 2) ground[0].set(square);
      if (square / kStride <= 7) ground[1].set(square);
    }
    return ground;
  }();
  const Squares out = blanks & kGround[static_cast<std::size_t>(seat)];
  sum += w.pair * ((out & out.up<1>()).count() + (out & out.up<kStride>()).count());
  return sum;
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
    const int own = kKelasuWeights.piece[a.piece];
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

int KelasuEval::tiles(int seat) const {
  const auto& w = kKelasuWeights;
  const Squares& own = state_.side(seat);
  const Squares blanks = own & state_.kind(kBlank);
  const Squares steps =
      (seat == 0 ? blanks.up<kStride>() : blanks.down<kStride>()) | blanks.up<1>() | blanks.down<1>();
  const Squares reach =
      (sides_[static_cast<std::size_t>(seat)].cover | steps.without(state_.side(1 - seat))) & kKelasuVictory;
  const int held = (own & kKelasuVictory).count();
  const int near = reach.without(own).count();
  int sum = w.tile[static_cast<std::size_t>(held)] + w.tile_reach * near;
  if (held + near == 4) sum += w.tile_threat;
  return sum;
}

int KelasuEval::score() const {
  const auto& w = kKelasuWeights;
  const int mover = state_.to_move();
  const int other = 1 - mover;
  int sum = material(mover) - material(other) + tiles(mover) - tiles(other);
  const int energy = state_.energy();
  std::array<int, 8> best;
  sum += captures(mover, energy, best) * w.capture / 100;
  sum += w.tempo * energy;
  captures(other, stones_[static_cast<std::size_t>(other)], best);
  // Each action left may parry one threat.
  for (int i = 0; i < 8; ++i)
    sum -= best[static_cast<std::size_t>(i)] * (i < energy ? w.parried : w.threat) / 100;
  sum -= sum * state_.quiet_rounds() / (2 * Kelasu::kQuietLimit);
  return mover == 0 ? sum : -sum;
}

int KelasuEval::gain(int from, int to) const {
  const int mover = state_.to_move();
  const Kelasu::Piece piece = piece_of(state_.code_at(from));
  const int own = kKelasuWeights.piece[piece];
  const Squares& danger = sides_[static_cast<std::size_t>(1 - mover)].cover;
  int sum = 0;
  const int met = state_.code_at(to);
  if (met != 0) sum += value_of(1 - mover, piece_of(met));
  if (met != 0 && piece == kDiplomat)
    return sum + (danger.test(to) ? 0 : value_of(1 - mover, piece_of(met))) - own;
  sum += place(mover, piece, to) - place(mover, piece, from);
  if (danger.test(to)) sum -= own * 8 / 10;
  if (danger.test(from)) sum += own / 2;
  if (kKelasuVictory.test(to)) sum += kKelasuWeights.tile[1];
  if (kKelasuVictory.test(from)) sum -= kKelasuWeights.tile[1];
  if (sides_[static_cast<std::size_t>(1 - mover)].lines.test(to)) sum += kKelasuWeights.block;
  return sum;
}

int KelasuEval::merge_gain(int kind, int target) const {
  const auto k = static_cast<std::size_t>(kind);
  const int seat = state_.to_move();
  const int worth =
      sides_[static_cast<std::size_t>(1 - seat)].cover.test(target) ? 0 : kKelasuWeights.piece[k + kWarrior];
  return worth + place(seat, static_cast<Kelasu::Piece>(k + kWarrior), target) -
         Kelasu::kMergeCost[k] * (kKelasuWeights.piece[kBlank] + kKelasuWeights.blank_row[3]);
}

float kelasu_chance(int score) {
  return 1.0f / (1.0f + std::exp(-static_cast<float>(score) / kKelasuWeights.scale));
}

}  // namespace tengen
