#include "games/go/heuristics.hpp"

#include <algorithm>
#include <cmath>

#include "games/go/ending.hpp"
#include "games/go/playout.hpp"

namespace tengen {
namespace {

// A small part of a playout's value is its lead, so that among moves that win or lose alike the better one
// is made.
constexpr float kLeadShare = 0.03f;
constexpr float kLeadScale = 10;  // points that are worth half of it

float win_of(float lead) {
  const float win = lead > 0 ? 1.0f : lead < 0 ? 0.0f : 0.5f;
  const float by_lead = 0.5f + 0.5f * lead / (std::fabs(lead) + kLeadScale);
  return win + kLeadShare * (by_lead - win);
}

}  // namespace

template <int Max>
bool Heuristics<Go<Max>>::candidates(const S& state, ActionList& actions) const {
  constexpr int kSolvable = 16;  // boards of so few cells can be solved, so nothing is left out
  state.legal_actions(actions);
  const bool keep_eyes = state.cell_count() > kSolvable;
  if (!keep_eyes && !state.rules().suicide) return true;
  const auto& board = state.board();
  const Colour c = mover(state);
  const auto left_out = std::erase_if(actions, [&](Action a) {
    if (a == state.pass_action()) return false;
    const Point p = board.point(a);
    return (keep_eyes && board.is_eye(p, c)) || (state.rules().suicide && board.is_suicide(p, c));
  });
  return left_out == 0;
}

template <int Max>
int Heuristics<Go<Max>>::settle_owners(const Board& board, Trace& trace) {
  int area = 0;
  for (std::size_t cell = 0; cell < trace.owner.size(); ++cell) {
    const Point p = board.point(static_cast<int>(cell));
    Colour c = board.at(p);
    if (c == Board::kEmpty) {
      // What is empty is an eye, or a small space that its owner left: it belongs to the only colour beside
      // it. The edge counts as both colours.
      const int empty = board.empty_beside(p);
      const bool no_white = empty + board.own_beside(p, Board::kBlack) == 4;
      const bool no_black = empty + board.own_beside(p, Board::kWhite) == 4;
      if (no_white != no_black) c = no_white ? Board::kBlack : Board::kWhite;
    }
    const int one = c == Board::kBlack ? 1 : c == Board::kWhite ? -1 : 0;
    trace.owner[cell] = static_cast<std::int8_t>(one);
    area += one;
  }
  return area;
}

template <int Max>
Advice Heuristics<Go<Max>>::advise(const S& state, std::uint64_t seed) const {
  constexpr GoEndingEffort kEffort{160, 300, 12};
  constexpr float kOpen = 0.25f;  // shares of cells; a pass says that the opponent sees nothing left
  constexpr float kOpenAfterPass = 0.4f;
  constexpr int kGlance = 24;           // playouts that tell a board that is plainly open
  constexpr float kPlainlyOpen = 1.5f;  // times that share
  constexpr int kEarly = 6;             // with fewer stones than this part of the cells no border is closed
  const bool area = state.rules().area;
  const bool agreed = state.rules().ends_in_agreement();
  if (state.is_over() || (!agreed && state.passes() != 1)) return {};
  if (kEarly * (state.cell_count() - state.board().empty_count()) < state.cell_count()) return {};
  const float open = state.passes() == 1 ? kOpenAfterPass : kOpen;
  if (GoEnding<Max>(state, {kGlance, 0, 0}, seed).is_open(kPlainlyOpen * open)) return {};
  GoEnding<Max> ending(state, kEffort, seed);
  if (ending.is_open(open)) return {};
  const GoEndingReport report = ending.judge(false);
  const float lead = state.to_move() == 0 ? report.lead : -report.lead;
  // After a pass another one stops play, so that only what the mover could gain speaks against it.
  const bool gains = report.gains[static_cast<std::size_t>(state.to_move())];
  const bool ends = state.passes() == 1 ? report.closed && (!gains || (agreed && lead > 0)) : report.settled;
  if (area && (!ends || !report.dame.empty())) return {};
  if (!agreed) {
    // Dead stones that stay on the board count: they have to be taken where that wins.
    if (lead > 0 && !go_mover_leads(state)) {
      const Action taking = taking_move(state, report.dead, report.lead, seed);
      if (taking < 0) return {};
      return {taking, {win_of(report.lead), report.lead}, {}, {}, report.owner};
    }
    const auto points = state.score({}, {}).points;
    const auto stands = static_cast<float>(points[0] - points[1]);
    return {state.pass_action(), {win_of(stands), stands}, {}, {}, report.owner};
  }
  // A narrow win does not bear a move more at home: if an invasion works, it is lost with that move as well.
  const bool narrow = !area && report.closed && !report.urgent && lead > 0 && lead <= 1;
  if (ends || narrow) {
    Advice advice{state.pass_action(), {win_of(report.lead), report.lead}, {}, {}, report.owner};
    // Before a pass of the opponent's, and where something can be gained beside the win, a look is worth it.
    advice.sure = state.passes() == 1 ? !gains || narrow : narrow && report.dame.empty();
    if (advice.sure) return advice;
    if (state.passes() == 0) advice.free.assign(report.dame.begin(), report.dame.end());
    const auto is_kept = [&](int cell) {
      if (narrow) return std::find(report.dame.begin(), report.dame.end(), cell) != report.dame.end();
      return report.wasted[static_cast<std::size_t>(cell)] == 0;
    };
    for (int cell = 0; cell < state.cell_count(); ++cell)
      if (!is_kept(cell)) advice.left_out.push_back(cell);
    return advice;
  }
  Advice advice;
  for (int cell = 0; cell < state.cell_count(); ++cell)
    if (report.wasted[static_cast<std::size_t>(cell)] != 0) advice.left_out.push_back(cell);
  return advice;
}

template <int Max>
Action Heuristics<Go<Max>>::taking_move(const S& state, const std::vector<int>& dead, float lead,
                                        std::uint64_t seed) {
  constexpr GoEndingEffort kEffort{120, 300, 12};
  constexpr int kTried = 6;
  const Board& board = state.board();
  const Colour own = mover(state);
  std::vector<std::pair<int, Action>> found;  // how good it looks, and the move
  for (const int stone : dead) {
    const Point p = board.point(stone);
    if (board.at(p) == own) continue;
    Board::beside(p, [&](std::size_t q) {
      const auto liberty = static_cast<Point>(q);
      if (board.at(liberty) != Board::kEmpty) return;
      const Action action = board.cell(liberty);
      const bool seen =
          std::any_of(found.begin(), found.end(), [&](const auto& one) { return one.second == action; });
      if (seen || state.why_illegal(action) != nullptr) return;
      if (board.in_atari(p))
        found.emplace_back(2, action);
      else if (!GoTactics<Max>::is_self_atari(board, liberty, own))
        found.emplace_back(board.is_eye(liberty, own) ? 0 : 1, action);
    });
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), kTried); ++i) {
    S after = state;
    after.play(found[i].second);
    const GoEndingReport report = GoEnding<Max>(after, kEffort, seed + i).judge();
    if (report.settled && std::fabs(report.lead - lead) < 0.5f) return found[i].second;
  }
  return -1;
}

template <int Max>
Value Heuristics<Go<Max>>::playout(S& state, const SearchSettings& settings, Rng& rng, Trace& trace) {
  // Area and territory counts differ by the stones that each side has placed. From here on both place
  // equally many, so what they have placed so far turns the playout's area into a territory count.
  const int placed = state.rules().area ? 0 : state.stones_placed();
  Board board = state.board();
  std::array<Colour, Board::kPoints> first_at{};
  if (settings.light_playouts)
    board.fill_randomly(mover(state), rng, &first_at);
  else
    GoPlayout<Max>(board, rng, first_at).run(mover(state), state.last_point());
  for (int cell = 0; cell < state.cell_count(); ++cell)
    trace.first[static_cast<std::size_t>(cell)] = static_cast<std::int8_t>(first_at[board.point(cell)] - 1);
  const auto lead = static_cast<float>(settle_owners(board, trace) - placed - state.rules().komi);
  return {win_of(lead), lead};
}

template struct Heuristics<Go<9>>;
template struct Heuristics<Go<19>>;

}  // namespace tengen
