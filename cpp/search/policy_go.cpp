#include "search/policy_go.hpp"

#include <algorithm>

namespace tengen {

template <int Max>
bool Policy<Go<Max>>::candidates(const S& state, ActionList& actions) const {
  // Boards as small as this can be solved, so nothing is left out.
  constexpr int kSolvable = 16;
  state.legal_actions(actions);
  if (state.cell_count() <= kSolvable) return true;
  const auto& board = state.board();
  const Colour c = mover(state);
  const auto before = actions.size();
  std::erase_if(actions, [&](Action a) { return a != state.pass_action() && board.is_eye(board.point(a), c); });
  return actions.size() == before;
}

template <int Max>
void Policy<Go<Max>>::priors(const S& state, const ActionList& actions, std::span<Prior> priors) const {
  const auto& t = go_tuning;
  const auto& board = state.board();
  const Colour c = mover(state);
  const Colour enemy = Board::other(c);
  const int size = board.size();

  // By point: what a move there takes or saves, and its distance to the last move (stones of a chain have
  // distance 0 to each other).
  std::array<std::int16_t, Board::kPoints> takes{};
  std::array<std::int16_t, Board::kPoints> saves{};
  std::array<std::int8_t, Board::kPoints> catches{};
  for (int cell = 0; cell < size * size; ++cell) {
    const Point p = board.point(cell);
    if (board.at(p) == Board::kEmpty || board.head(p) != p) continue;
    const auto stones = static_cast<std::int16_t>(board.stones(p));
    if (board.in_atari(p)) {
      const Point liberty = board.last_liberty(p);
      if (board.at(p) == enemy) {
        takes[liberty] = static_cast<std::int16_t>(takes[liberty] + stones);
        // Taking it may save chains of ours that are in atari.
        int at = p;
        do {
          Board::beside(at, [&](std::size_t q) {
            const auto own = static_cast<int>(q);
            if (board.at(own) == c && board.in_atari(own))
              saves[liberty] = std::max(saves[liberty], static_cast<std::int16_t>(board.stones(own)));
          });
          at = board.next(at);
        } while (at != p);
      } else if (board.empty_beside(liberty) >= 3 || !Tactics::is_caught(board, p)) {
        saves[liberty] = std::max(saves[liberty], stones);
      } else {
        catches[liberty] = -1;
      }
    } else if (board.at(p) == enemy) {
      const Point catching = Tactics::catching_move(board, p);
      if (catching != Board::kNone) catches[catching] = static_cast<std::int8_t>(stones > 1 ? 2 : 1);
    } else {
      const Point catching = Tactics::catching_move(board, p);
      if (catching != Board::kNone) {
        typename Tactics::Points liberties;
        Tactics::has_two(board, p, liberties);
        for (int i = 0; i < 2; ++i)
          if (catches[liberties[i]] == 0 && Tactics::liberties_after(board, liberties[i], c, 3) >= 3)
            catches[liberties[i]] = static_cast<std::int8_t>(stones > 1 ? 2 : 1);
      }
    }
  }
  std::array<std::int8_t, Board::kPoints> distance;
  distance.fill(4);
  if (state.last_point() != Board::kNone) {
    std::array<Point, Board::kPoints> queue;
    int head = 0;
    int tail = 0;
    const auto reach = [&](int p, int steps) {
      if (distance[static_cast<std::size_t>(p)] != 4) return;
      int at = p;
      do {
        distance[static_cast<std::size_t>(at)] = static_cast<std::int8_t>(steps);
        queue[static_cast<std::size_t>(tail++)] = static_cast<Point>(at);
        if (board.at(p) == Board::kEmpty) break;
        at = board.next(at);
      } while (at != p);
    };
    reach(state.last_point(), 0);
    while (head < tail) {
      const Point p = queue[static_cast<std::size_t>(head++)];
      if (distance[p] == 3) break;
      Board::beside(p, [&](std::size_t q) {
        if (board.at(static_cast<int>(q)) != Board::kEdge) reach(static_cast<int>(q), distance[p] + 1);
      });
    }
  }
  const auto& shapes = go_shapes();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    float visits = t.even;
    float wins = t.even / 2;
    const auto good = [&](float weight) {
      visits += weight;
      wins += weight;
    };
    const auto bad = [&](float weight) { visits += weight; };
    if (actions[i] == state.pass_action()) {
      const bool late = board.empty_count() * 3 <= size * size;
      if (late && is_closed(board) && (!state.rules().area || leads(state)))
        good(t.close);
      else if (late && !state.rules().area)
        good(t.pass);
      else
        bad(t.pass);
      priors[i] = {visits, wins / visits};
      continue;
    }
    const Point p = board.point(actions[i]);
    if (takes[p] > 0) good(takes[p] > 1 || saves[p] > 0 ? t.capture_many : t.capture_one);
    if (saves[p] > 0) good(t.escape);
    if (catches[p] < 0 && takes[p] == 0) bad(t.caught);
    if (catches[p] > 0) good(t.ladder * static_cast<float>(catches[p]));
    if (Tactics::is_self_atari(board, p, c)) bad(t.self_atari);
    if (shapes[go_shape(board, p)]) good(t.shape);
    if (distance[p] == 1) good(t.near1);
    if (distance[p] == 2) good(t.near2);
    if (distance[p] == 3) good(t.near3);
    const int row = actions[i] / size;
    const int column = actions[i] % size;
    const int line = std::min(std::min(row, size - 1 - row), std::min(column, size - 1 - column));
    if (line <= 2 && size > 5) {
      bool empty = true;
      for (int r = std::max(0, row - 2); r <= std::min(size - 1, row + 2); ++r)
        for (int k = std::max(0, column - 2); k <= std::min(size - 1, column + 2); ++k)
          empty &= board.at(board.point(r * size + k)) == Board::kEmpty;
      if (empty && line < 2) bad(line == 0 ? 2 * t.edge : t.edge);
      if (empty && line == 2) good(t.edge);
    }
    priors[i] = {visits, wins / visits};
  }
}

// No empty region borders both colours: nothing is left to play for but what is behind the borders.
template <int Max>
bool Policy<Go<Max>>::is_closed(const Board& board) {
  std::array<bool, Board::kPoints> seen{};
  std::array<Point, Max * Max> region;
  for (int i = 0; i < board.empty_count(); ++i) {
    if (seen[board.empty_point(i)]) continue;
    int borders = 0;
    int count = 0;
    const auto reach = [&](Point p) {
      seen[p] = true;
      region[static_cast<std::size_t>(count++)] = p;
    };
    reach(board.empty_point(i));
    for (int k = 0; k < count; ++k) {
      Board::beside(region[static_cast<std::size_t>(k)], [&](std::size_t q) {
        const Colour there = board.at(static_cast<int>(q));
        if (there == Board::kEmpty && !seen[q]) reach(static_cast<Point>(q));
        if (there == Board::kBlack || there == Board::kWhite) borders |= there;
      });
    }
    if (borders == (Board::kBlack | Board::kWhite)) return false;
  }
  return true;
}

template <int Max>
bool Policy<Go<Max>>::leads(const S& state) {
  const auto points = state.score({}, {}).points;
  return state.to_move() == 0 ? points[0] > points[1] : points[1] > points[0];
}

template <int Max>
int Policy<Go<Max>>::stones_placed(const S& state) {
  const auto& board = state.board();
  int placed = state.prisoners()[1] - state.prisoners()[0];
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const auto c = board.at(board.point(cell));
    placed += int{c == Board::kBlack} - int{c == Board::kWhite};
  }
  return placed;
}

// Fills in who owns each cell and returns the difference of the areas.
template <int Max>
int Policy<Go<Max>>::owner(const Board& board, Trace& trace) {
  int area = 0;
  for (std::size_t cell = 0; cell < trace.owner.size(); ++cell) {
    const Point p = board.point(static_cast<int>(cell));
    Colour c = board.at(p);
    if (c == Board::kEmpty) {
      // Besides eyes of one point, small spaces that nobody fills: look as far as the next points.
      bool black = board.own_beside(p, Board::kBlack) > 0;
      bool white = board.own_beside(p, Board::kWhite) > 0;
      if (board.own_beside(p, Board::kBlack) == 4) white = false;
      if (board.own_beside(p, Board::kWhite) == 4) black = false;
      c = black && !white ? Board::kBlack : white && !black ? Board::kWhite : Board::kEmpty;
    }
    const int one = c == Board::kBlack ? 1 : c == Board::kWhite ? -1 : 0;
    trace.owner[cell] = static_cast<std::int8_t>(one);
    area += one;
  }
  return area;
}

template <int Max>
Value Policy<Go<Max>>::playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace) {
  // Area and territory counts differ by the stones that each side has placed. From here on both place
  // equally many, so what they have placed so far turns the playout's area into a territory count.
  const int placed = state.rules().area ? 0 : stones_placed(state);
  Board board = state.board();
  std::array<Colour, Board::kPoints> first_at{};
  if (settings.light_playouts)
    board.fill_randomly(mover(state), rng, &first_at);
  else
    GoPlayout<Max>(board, rng, go_tuning.chances)
        .run(mover(state), state.last_point(), state.point_before(), first_at);
  for (int cell = 0; cell < state.cell_count(); ++cell)
    trace.first[static_cast<std::size_t>(cell)] = static_cast<std::int8_t>(first_at[board.point(cell)] - 1);
  const auto lead = static_cast<float>(owner(board, trace) - placed - state.rules().komi);
  const float win = lead > 0 ? 1.0f : lead < 0 ? 0.0f : 0.5f;
  const float by_score = 0.5f + 0.5f * lead / (std::fabs(lead) + 10.0f);
  return {win + go_tuning.score_weight * (by_score - win), lead};
}

template struct Policy<Go<9>>;
template struct Policy<Go<19>>;

}  // namespace tengen
