// Alpha-beta search for Kelasu; see search.hpp.
#include "games/kelasu/search.hpp"

#include <algorithm>
#include <bit>

#include "games/kelasu/eval.hpp"
#include "threads.hpp"

namespace tengen {

namespace {

constexpr int kWin = 100'000;        // a win at the root, less a point for each ply
constexpr int kLater = 50'000;       // the same once the opponent has had a turn
constexpr int kSure = kWin - 1'000;  // more than this is a win within the turn
constexpr int kInfinity = 2 * kWin;
constexpr int kMaxDepth = 60;
// Moves searched below the root: so many, and more the more plies are left.
constexpr int kBeam = 10;
constexpr int kBeamGrowth = 4;
// All but the first are searched a ply less deeply at first, and those beyond the narrow beam two.
constexpr int kFullDepthMoves = 4;
constexpr int kReducedDepth = 2;  // plies that must be left for one less, and for two
constexpr int kTwiceReducedDepth = 4;
constexpr int kAnswer = 400;  // points by which what may answer a threat to win is looked at earlier
constexpr int kNoise = 8;     // leaves vary by this much
// Moves that refuted others are looked at earlier, up to a limit in points.
constexpr std::uint32_t kHistoryShare = 4;
constexpr std::uint32_t kHistoryLimit = 200;

// A value seen from the other side of a change of turn.
int turned(int value) {
  if (value > kSure) return -(value - kWin + kLater);
  if (value < -kSure) return -(value + kWin - kLater);
  return -value;
}

int value_of_end(const Kelasu& state, int seat, int ply) {
  const int winner = state.outcome().winner;
  return winner == kDraw ? 0 : winner == seat ? kWin - ply : -kWin + ply;
}

// Plies that the move at that place of the order is searched less deeply at first.
int reduction(int place, int depth) {
  if (place < kFullDepthMoves || depth < kReducedDepth) return 0;
  return place < kBeam || depth < kTwiceReducedDepth ? 1 : 2;
}

float chance(int value) { return kelasu_chance(std::clamp(value, -kLater, kLater)); }

}  // namespace

bool KelasuTable::find(std::uint64_t key, Entry& entry) const {
  const Slot& slot = slots_[key & (kSize - 1)];
  const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
  if ((slot.mixed.load(std::memory_order_relaxed) ^ data) != key) return false;
  entry = std::bit_cast<Entry>(data);
  return true;
}

void KelasuTable::store(std::uint64_t key, const Entry& entry) {
  Slot& slot = slots_[key & (kSize - 1)];
  const auto data = std::bit_cast<std::uint64_t>(entry);
  slot.data.store(data, std::memory_order_relaxed);
  slot.mixed.store(key ^ data, std::memory_order_relaxed);
}

struct KelasuSearch::Worker {
  bool first;                    // reports its findings; the others only fill the table
  std::vector<RootMove>* moves;  // the root's
  std::vector<RootMove> copy;
  int depth = 0;
  std::int64_t visits = 0;
  bool out = false;  // the budget is used up
  std::vector<std::uint32_t> history = std::vector<std::uint32_t>(2 * KelasuMove::kCodes);
  std::array<std::vector<KelasuMove>, kMaxDepth + 1> lists;

  std::uint32_t& cutoffs(int seat, const KelasuMove& move) {
    return history[static_cast<std::size_t>(seat) * KelasuMove::kCodes + move.code()];
  }
};

KelasuSearch::KelasuSearch(const Kelasu& root, const SearchSettings&, std::uint64_t seed)
    : seed_(seed), root_state_(root) {
  reset_moves();
}

void KelasuSearch::reset_moves() {
  moves_.clear();
  depth_ = 0;
  winning_ = -1;
  if (root_state_.is_over()) return;
  const KelasuEval eval(root_state_);
  std::vector<KelasuMove> list;
  kelasu_moves(root_state_, eval, list);
  std::stable_sort(list.begin(), list.end(),
                   [](const KelasuMove& a, const KelasuMove& b) { return a.order > b.order; });
  const int now = root_state_.to_move() == 0 ? eval.score() : -eval.score();
  for (KelasuMove& move : list) {
    kelasu_complete(root_state_, move);
    moves_.push_back({move, now + std::min(0, move.order), 0, {}});
  }
}

void KelasuSearch::advance(Action action) {
  const bool same_move = root_state_.stage() != Kelasu::Stage::Choose || action != Kelasu::kEndTurn;
  root_state_.play(action);
  if (same_move && !root_state_.is_over() && root_state_.stage() != Kelasu::Stage::Choose) {
    std::erase_if(moves_, [&](const RootMove& m) { return m.move.actions[0] != action; });
    for (RootMove& m : moves_) {
      std::copy(m.move.actions.begin() + 1, m.move.actions.end(), m.move.actions.begin());
      --m.move.count;
    }
    winning_ = kelasu_win_this_turn(root_state_);
    if (!moves_.empty()) return;
  }
  reset_moves();
}

void KelasuSearch::run(const SearchLimits& limits) {
  if (root_state_.is_over()) return;
  const bool begun = root_state_.stage() != Kelasu::Stage::Choose && depth_ > 0;
  winning_ = kelasu_win_this_turn(root_state_);
  if (winning_ >= 0 || (limits.stop_when_clear && (begun || moves_.size() == 1))) return;
  limits_ = limits;
  deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(limits.ms);
  done_ = 0;
  finished_ = false;
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads_of(limits.threads); ++i) {
    workers.push_back(std::make_unique<Worker>());
    Worker& worker = *workers.back();
    worker.first = i == 0;
    worker.copy = moves_;
    worker.moves = i == 0 ? &moves_ : &worker.copy;
    worker.depth = depth_ + i % 2;  // every other thread works a ply ahead
  }
  run_together(
      static_cast<int>(workers.size()), [&](int i) { deepen(*workers[static_cast<std::size_t>(i)]); },
      [&] { finished_ = true; });
  // What the helpers looked at counts for the best move.
  for (std::size_t i = 1; i < workers.size(); ++i)
    moves_.front().visits += static_cast<std::uint64_t>(workers[i]->visits);
  stop_ = false;
}

bool KelasuSearch::spent(Worker& worker) {
  constexpr std::int64_t kCheckEvery = 256;  // positions between looks at the clock
  if (worker.out) return true;
  if (stop_ || finished_) return worker.out = true;
  if (limits_.visits > 0 && done_.fetch_add(1, std::memory_order_relaxed) >= limits_.visits)
    return worker.out = true;
  if (++worker.visits % kCheckEvery == 0 && limits_.ms > 0 && std::chrono::steady_clock::now() >= deadline_)
    return worker.out = true;
  return false;
}

// Rounds of growing depth over the root's moves, until the budget is used up or the rest is decided.
void KelasuSearch::deepen(Worker& worker) {
  while (worker.depth < kMaxDepth) {
    if (!search_root(worker, worker.depth + 1)) return;
    ++worker.depth;
    if (worker.first) depth_ = worker.depth;
    const int best = worker.moves->front().value;
    if (best > kSure || best < -kSure) return;
  }
}

// One round. Returns whether it was completed; a better move found before that stays.
bool KelasuSearch::search_root(Worker& worker, int depth) {
  auto& moves = *worker.moves;
  const int stand = kelasu_stand(root_state_);
  int alpha = -kInfinity;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    RootMove& root = moves[i];
    const std::int64_t before = worker.visits;
    int value = 0;
    bool exact = true;
    if (i == 0 || depth == 1) {
      value = search_move(worker, root_state_, stand, root.move, depth - 1, -kInfinity, kInfinity, 0);
    } else {
      const int less = i >= kFullDepthMoves ? 1 : 0;
      value = search_move(worker, root_state_, stand, root.move, depth - 1 - less, alpha, alpha + 1, 0);
      exact = !worker.out && value > alpha;
      if (exact) value = search_move(worker, root_state_, stand, root.move, depth - 1, alpha, kInfinity, 0);
      exact = exact && value > alpha;
    }
    root.visits += static_cast<std::uint64_t>(worker.visits - before);
    if (worker.out) return false;
    root.value = exact ? value : std::min(root.value, value);
    if (value <= alpha) continue;
    alpha = value;
    root.line = follow(root.move);
    const auto at = moves.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(moves.begin(), at, at + 1);
  }
  std::stable_sort(moves.begin() + 1, moves.end(),
                   [](const RootMove& a, const RootMove& b) { return a.value > b.value; });
  return true;
}

// The value of a move for its mover.
int KelasuSearch::search_move(Worker& worker, const Kelasu& state, int stand, const KelasuMove& move,
                              int depth, int alpha, int beta, int ply) {
  Kelasu next = state;
  kelasu_play(next, move);
  if (spent(worker)) return 0;
  if (next.is_over()) return value_of_end(next, state.to_move(), ply);
  const int next_stand = kelasu_stand_after(state, stand, next);
  if (next.to_move() == state.to_move()) return search(worker, next, next_stand, depth, alpha, beta, ply + 1);
  return turned(search(worker, next, next_stand, depth, -beta, -alpha, ply + 1));
}

int KelasuSearch::search(Worker& worker, const Kelasu& state, int stand, int depth, int alpha, int beta,
                         int ply) {
  depth = std::max(depth, 0);
  const std::uint64_t key = state.hash();
  KelasuTable::Entry known;
  const bool found = table_.find(key, known);
  if (found && known.depth >= depth) {
    if (known.bound == KelasuTable::kExact || (known.bound == KelasuTable::kAtLeast && known.value >= beta) ||
        (known.bound == KelasuTable::kAtMost && known.value <= alpha))
      return known.value;
  }
  const int seat = state.to_move();
  const KelasuEval eval(state, stand);
  if (eval.may_win(seat, state.energy()) && kelasu_win_this_turn(state) >= 0) return kWin - ply;
  const Kelasu::Squares threat = ply >= kMaxDepth ? Kelasu::Squares{} : kelasu_threat(state, eval);
  if (depth <= 0 && threat.none()) {
    const int value = leaf(state, eval);
    if (!found) table_.store(key, {value, 0, 0, KelasuTable::kExact});
    return value;
  }
  auto& moves = worker.lists[static_cast<std::size_t>(ply)];
  kelasu_moves(state, eval, moves);
  if (threat.any()) answer(state, threat, depth, moves);
  if (moves.empty()) return -kLater + ply;
  const std::ptrdiff_t count = choose(worker, seat, moves, depth, found ? known.move : 0);
  const int floor = alpha;
  int best = -kInfinity;
  std::uint16_t best_move = 0;
  for (int i = 0; i < count; ++i) {
    const KelasuMove& move = moves[static_cast<std::size_t>(i)];
    int value = 0;
    if (i == 0) {
      value = search_move(worker, state, stand, move, depth - 1, alpha, beta, ply);
    } else {
      const int less = reduction(i, depth);
      value = search_move(worker, state, stand, move, depth - 1 - less, alpha, alpha + 1, ply);
      if (value > alpha && (less > 0 || value < beta))
        value = search_move(worker, state, stand, move, depth - 1, alpha, beta, ply);
    }
    if (worker.out) return best;
    if (value > best) {
      best = value;
      best_move = move.code();
    }
    alpha = std::max(alpha, value);
    if (alpha < beta) continue;
    worker.cutoffs(seat, move) += static_cast<std::uint32_t>(depth * depth);
    break;
  }
  table_.store(key, {best, best_move, static_cast<std::int8_t>(depth),
                     best <= floor  ? KelasuTable::kAtMost
                     : best >= beta ? KelasuTable::kAtLeast
                                    : KelasuTable::kExact});
  return best;
}

// Brings forward what may answer the opponent's threat to win. Beyond the last ply nothing else stays, or,
// where nothing answers, merges whose piece can still move.
void KelasuSearch::answer(const Kelasu& state, const Kelasu::Squares& threat, int depth,
                          std::vector<KelasuMove>& moves) {
  const auto merges = [](const KelasuMove& move) { return move.actions[0] >= Kelasu::kFirstMerge; };
  const auto answers = [&](const KelasuMove& move) { return !merges(move) && kelasu_answers(threat, move); };
  if (depth > 0) {
    for (KelasuMove& move : moves)
      if (answers(move)) move.order += kAnswer;
    return;
  }
  const auto later = [&](const KelasuMove& move) {
    return merges(move) && move.actions[0] < Kelasu::kEndTurn &&
           Kelasu::kMergeCost[move.actions[0] - std::size_t{Kelasu::kFirstMerge}] < state.energy();
  };
  const bool some = std::ranges::any_of(moves, answers);
  std::erase_if(moves, [&](const KelasuMove& move) { return some ? !answers(move) : !later(move); });
}

// Brings the moves that are searched to the front, best first, and returns how many they are. Which ones they
// are is said by first sight alone: history grows with the search and would in time leave out what answers a
// threat, so that a longer search plays worse. It says which of them comes first.
std::ptrdiff_t KelasuSearch::choose(Worker& worker, int seat, std::vector<KelasuMove>& moves, int depth,
                                    std::uint16_t known) {
  const auto better = [](const KelasuMove& a, const KelasuMove& b) {
    return a.order != b.order ? a.order > b.order : a.code() < b.code();
  };
  for (KelasuMove& move : moves)
    if (known != 0 && move.code() == known) move.order = kInfinity;
  const auto count = std::min<std::ptrdiff_t>(kBeam + kBeamGrowth * depth, std::ssize(moves));
  const auto end = moves.begin() + count;
  if (end != moves.end()) std::nth_element(moves.begin(), end, moves.end(), better);
  for (auto move = moves.begin(); move != end; ++move)
    move->order += static_cast<int>(std::min(worker.cutoffs(seat, *move) / kHistoryShare, kHistoryLimit));
  std::sort(moves.begin(), end, better);
  return count;
}

int KelasuSearch::leaf(const Kelasu& state, const KelasuEval& eval) const {
  const int score = eval.score();
  const int noise = static_cast<int>(splitmix64(state.hash() ^ seed_) % kNoise);
  return (state.to_move() == 0 ? score : -score) + noise;
}

// The line that the table knows after a move of the root.
std::vector<KelasuMove> KelasuSearch::follow(const KelasuMove& first) const {
  constexpr std::size_t kLongest = 24;  // moves
  std::vector<KelasuMove> line;
  std::vector<KelasuMove> moves;
  Kelasu state = root_state_;
  kelasu_play(state, first);
  KelasuTable::Entry known;
  while (!state.is_over() && line.size() < kLongest && table_.find(state.hash(), known)) {
    kelasu_moves(state, KelasuEval(state), moves);
    const auto next =
        std::ranges::find_if(moves, [&](const KelasuMove& m) { return m.code() == known.move; });
    if (next == moves.end()) break;
    kelasu_complete(state, *next);
    line.push_back(*next);
    kelasu_play(state, *next);
  }
  return line;
}

// Moves that begin with the same action are told as one, by the best of them.
SearchReport KelasuSearch::report() const {
  SearchReport result;
  const int mover = root_state_.to_move();
  const auto add_line = [](std::vector<Action>& line, const KelasuMove& move) {
    line.insert(line.end(), move.actions.begin(), move.actions.begin() + move.count);
  };
  for (const RootMove& root : moves_) {
    const Action action = root.move.actions[0];
    result.visits += root.visits;
    const auto told = std::ranges::find_if(result.moves, [&](const auto& m) { return m.action == action; });
    if (told != result.moves.end()) {
      told->visits += static_cast<std::uint32_t>(root.visits);
      continue;
    }
    SearchedMove move{action, static_cast<std::uint32_t>(root.visits), chance(root.value), 0, kUnknown, {}};
    if (root.value > kSure || action == winning_) {
      move.winner = mover;
      move.win = 1;
    }
    add_line(move.line, root.move);
    for (const KelasuMove& next : root.line) add_line(move.line, next);
    result.moves.push_back(std::move(move));
  }
  const auto won = std::ranges::find_if(result.moves, [&](const auto& m) { return m.winner == mover; });
  if (won != result.moves.end()) {
    std::rotate(result.moves.begin(), won, won + 1);
    result.winner = mover;
  }
  if (!result.moves.empty()) result.win = result.moves.front().win;
  return result;
}

}  // namespace tengen
