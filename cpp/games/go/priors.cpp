#include "games/go/priors.hpp"

#include <algorithm>

namespace tengen {
namespace {

// Visits that a sign is worth.
constexpr float kTakeOne = 15;
constexpr float kTakeMore = 30;
constexpr float kSave = 20;
constexpr float kRunInVain = 20;
constexpr float kFightOne = 10;
constexpr float kFightMore = 20;
constexpr float kRace = 30;
constexpr float kSelfAtari = 20;
constexpr float kShape = 10;
constexpr std::array<float, 4> kNear{0, 16, 12, 6};  // by distance to the last move
constexpr float kEdge = 10;
constexpr float kPass = 10;
constexpr float kPassToEnd = 50;

// No empty region borders both colours: nothing is left to play for but what is behind the borders.
template <int Max>
bool is_closed(const GoBoard<Max>& board) {
  using Board = GoBoard<Max>;
  using Point = typename Board::Point;
  std::array<bool, Board::kPoints> seen{};
  std::array<Point, Max * Max> region;
  for (int i = 0; i < board.empty_count(); ++i) {
    if (seen[board.empty_point(i)]) continue;
    int borders = 0;
    std::size_t count = 0;
    const auto reach = [&](std::size_t p) {
      seen[p] = true;
      region[count++] = static_cast<Point>(p);
    };
    reach(board.empty_point(i));
    for (std::size_t k = 0; k < count; ++k) {
      Board::beside(region[k], [&](std::size_t q) {
        const auto there = board.at(static_cast<int>(q));
        if (there == Board::kEmpty && !seen[q]) reach(q);
        if (there == Board::kBlack || there == Board::kWhite) borders |= there;
      });
    }
    if (borders == (Board::kBlack | Board::kWhite)) return false;
  }
  return true;
}

}  // namespace

template <int Max>
GoPriors<Max>::GoPriors(const S& state)
    : state_(state), board_(state.board()), mover_(state.to_move() == 0 ? Board::kBlack : Board::kWhite) {
  see_chains();
  see_distances();
}

template <int Max>
void GoPriors<Max>::see_chains() {
  for (int cell = 0; cell < state_.cell_count(); ++cell) {
    const Point p = board_.point(cell);
    if (board_.head(p) != p) continue;
    if (board_.in_atari(p))
      see_chain_in_atari(p);
    else
      see_chain_with_two(p);
    if (board_.at(p) == mover_) see_race(p);
  }
}

template <int Max>
void GoPriors<Max>::see_chain_in_atari(Point p) {
  const auto stones = static_cast<std::int16_t>(board_.stones(p));
  Effect& effect = effects_[board_.last_liberty(p)];
  if (board_.at(p) == mover_) {
    if (Tactics::is_caught(board_, p))
      effect.runs_in_vain = true;
    else
      effect.saves = std::max(effect.saves, stones);
    return;
  }
  effect.takes = static_cast<std::int16_t>(effect.takes + stones);
  // Taking it may save chains of ours that are in atari.
  int at = p;
  do {
    Board::beside(at, [&](std::size_t q) {
      const auto own = static_cast<int>(q);
      if (board_.at(own) == mover_ && board_.in_atari(own))
        effect.saves = std::max(effect.saves, static_cast<std::int16_t>(board_.stones(own)));
    });
    at = board_.next(at);
  } while (at != p);
}

template <int Max>
void GoPriors<Max>::see_chain_with_two(Point p) {
  const Point catching = Tactics::catching_move(board_, p);
  if (catching == Board::kNone) return;
  const auto stones = static_cast<std::int16_t>(board_.stones(p));
  if (board_.at(p) != mover_) {
    effects_[catching].fights = std::max(effects_[catching].fights, stones);
    return;
  }
  const auto liberties = Tactics::liberties_of(board_, p, 2);
  for (int i = 0; i < liberties.count; ++i) {
    Effect& effect = effects_[liberties[i]];
    if (Tactics::liberties_after(board_, liberties[i], mover_, 3) >= 3)
      effect.fights = std::max(effect.fights, stones);
  }
}

// A chain of ours that cannot get more liberties beside an enemy chain that cannot either, and whose race is
// close: its liberties are worth taking, those that are not ours as well first. Only one of them is named, so
// that the tree does not look at every order.
template <int Max>
void GoPriors<Max>::see_race(Point p) {
  constexpr int kMost = 6;
  constexpr int kLeast = 3;
  const auto is_shut_in = [&](int stone, typename Tactics::Points& liberties) {
    const int most = kMost * Tactics::most_repeated(board_, stone);
    if (board_.stones(stone) < 2 || board_.pseudo_liberties(stone) > most) return false;
    liberties = Tactics::liberties_of(board_, stone, kMost + 1);
    if (liberties.count > kMost) return false;
    for (int i = 0; i < liberties.count; ++i)
      if (Tactics::liberties_after(board_, liberties[i], board_.at(stone), kMost + 2) > liberties.count)
        return false;
    return true;
  };
  typename Tactics::Points own;
  if (!is_shut_in(p, own)) return;
  typename Tactics::Points rivals;  // heads of enemy chains looked at
  int at = p;
  do {
    Board::beside(at, [&](std::size_t q) {
      const auto enemy = static_cast<int>(q);
      if (board_.at(enemy) != Board::other(mover_) || rivals.has(board_.head(enemy))) return;
      rivals.add(board_.head(enemy));
      typename Tactics::Points theirs;
      if (!is_shut_in(enemy, theirs) || theirs.count < kLeast) return;  // fewer are for the ladder reader
      if (theirs.count > own.count + 1 || own.count > theirs.count + 2) return;
      Point best = Board::kNone;
      for (int i = 0; i < theirs.count; ++i) {
        const Point liberty = theirs[i];
        if (liberty == board_.ko() || board_.is_suicide(liberty, mover_)) continue;
        if (Tactics::is_self_atari(board_, liberty, mover_)) continue;
        if (best == Board::kNone || (own.has(best) && !own.has(liberty))) best = liberty;
      }
      if (best != Board::kNone) effects_[best].races = true;
    });
    at = board_.next(at);
  } while (at != p);
}

template <int Max>
void GoPriors<Max>::see_distances() {
  distance_.fill(kFar);
  if (state_.last_point() == Board::kNone) return;
  std::array<Point, Board::kPoints> queue;
  std::size_t end = 0;
  const auto reach = [&](int p, int steps) {
    if (distance_[static_cast<std::size_t>(p)] != kFar || board_.at(p) == Board::kEdge) return;
    int at = p;
    do {
      distance_[static_cast<std::size_t>(at)] = static_cast<std::int8_t>(steps);
      queue[end++] = static_cast<Point>(at);
      if (board_.at(p) == Board::kEmpty) break;
      at = board_.next(at);
    } while (at != p);
  };
  reach(state_.last_point(), 0);
  for (std::size_t i = 0; i < end; ++i) {
    const int steps = distance_[queue[i]] + 1;
    if (steps == kFar) break;
    Board::beside(queue[i], [&](std::size_t q) { reach(static_cast<int>(q), steps); });
  }
}

template <int Max>
Prior GoPriors<Max>::of(Action action) const {
  if (action == state_.pass_action()) return of_pass();
  const Point p = board_.point(action);
  const Effect& effect = effects_[p];
  Signs signs;
  if (effect.takes > 0) signs.good(effect.takes > 1 || effect.saves > 0 ? kTakeMore : kTakeOne);
  if (effect.saves > 0) signs.good(kSave);
  if (effect.runs_in_vain && effect.takes == 0) signs.bad(kRunInVain);
  if (effect.fights > 0 && !effect.runs_in_vain) signs.good(effect.fights > 1 ? kFightMore : kFightOne);
  if (effect.races) signs.good(kRace);
  if (Tactics::is_self_atari(board_, p, mover_)) signs.bad(kSelfAtari);
  if (go_shapes()[go_shape(board_, p)]) signs.good(kShape);
  if (distance_[p] < kFar) signs.good(kNear[static_cast<std::size_t>(distance_[p])]);
  const int size = board_.size();
  const int row = action / size;
  const int column = action % size;
  const int from_edge = line(row, column);
  if (from_edge <= 3 && size > 5 && is_empty_around(row, column)) {
    if (from_edge == 3)
      signs.good(kEdge);
    else
      signs.bad(from_edge == 1 ? 2 * kEdge : kEdge);
  }
  return signs.prior();
}

// A pass is good when the game is as good as over and, where the count is final, won.
template <int Max>
Prior GoPriors<Max>::of_pass() const {
  Signs signs;
  const bool area = state_.rules().area;
  const bool late = 3 * board_.empty_count() <= state_.cell_count();
  if (late && is_closed(board_) && (!area || go_mover_leads(state_)))
    signs.good(kPassToEnd);
  else if (late && !area)
    signs.good(kPass);
  else
    signs.bad(kPass);
  return signs.prior();
}

template <int Max>
int GoPriors<Max>::line(int row, int column) const {
  const int last = board_.size() - 1;
  return 1 + std::min({row, last - row, column, last - column});
}

template <int Max>
bool GoPriors<Max>::is_empty_around(int row, int column) const {
  const int size = board_.size();
  for (int r = std::max(0, row - 2); r <= std::min(size - 1, row + 2); ++r)
    for (int c = std::max(0, column - 2); c <= std::min(size - 1, column + 2); ++c)
      if (board_.at(board_.point(r * size + c)) != Board::kEmpty) return false;
  return true;
}

template class GoPriors<9>;
template class GoPriors<19>;

}  // namespace tengen
