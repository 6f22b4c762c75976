#include "games/go/go.hpp"

#include <algorithm>
#include <cmath>

#include "games/go/tactics.hpp"

namespace tengen {

void GoRules::validate() const {
  if (size < 2 || size > 19)
    fail<InvalidOption>("size must be a whole number from 2 to 19, not " + std::to_string(size) + ".");
  if (!std::isfinite(komi)) fail<InvalidOption>("komi must be a number.");
  if (handicap == 0) return;
  const int most = size >= 9 && size % 2 == 1 ? 9 : size >= 7 ? 4 : 0;
  if (handicap < 2 || handicap > most)
    fail<InvalidOption>("handicap must be 0" +
                        (most ? " or from 2 to " + std::to_string(most) : std::string()) +
                        " on this board, not " + std::to_string(handicap) + ".");
}

std::vector<int> GoRules::handicap_cells() const {
  if (handicap == 0) return {};
  const int near = size >= 13 ? 3 : 2;  // the fourth line, the third on small boards
  const int far = size - 1 - near;
  const int middle = size / 2;
  const auto cell = [&](int row, int column) { return row * size + column; };
  // In GTP's order: opposite corners, then the sides, with the centre whenever the number is odd above four.
  const std::vector<int> order{cell(far, near),    cell(near, far),   cell(near, near),   cell(far, far),
                               cell(middle, near), cell(middle, far), cell(near, middle), cell(far, middle)};
  const bool centre = handicap >= 5 && handicap % 2 == 1;
  std::vector<int> cells(order.begin(), order.begin() + handicap - (centre ? 1 : 0));
  if (centre) cells.push_back(cell(middle, middle));
  return cells;
}

template <int Max>
Go<Max>::Go(const Rules& rules) : rules_(rules), board_(rules.size), to_move_(rules.handicap > 0 ? 1 : 0) {
  for (const int cell : rules.handicap_cells()) board_.put(board_.point(cell), Board::kBlack);
  seen_.push(history_key(board_.hash(), to_move_));
}

template <int Max>
Go<Max> Go<Max>::from_cells(const Rules& rules, std::span<const std::uint8_t> cells, int to_move) {
  Go state(rules);
  if (static_cast<int>(cells.size()) != state.cell_count())
    fail<InvalidPosition>("The board has the wrong size.");
  if (to_move != 0 && to_move != 1) fail<InvalidPosition>("to_move is 0 for Black or 1 for White.");
  state.board_ = Board(rules.size);
  for (int cell = 0; cell < state.cell_count(); ++cell) {
    const auto code = cells[static_cast<std::size_t>(cell)];
    if (code > Board::kWhite) fail<InvalidPosition>("A point is empty, black or white.");
    if (code != Board::kEmpty)
      state.board_.put(state.board_.point(cell), static_cast<typename Board::Colour>(code));
  }
  if (!state.board_.every_chain_has_a_liberty()) fail<InvalidPosition>("A chain of stones has no liberty.");
  state.to_move_ = static_cast<std::int8_t>(to_move);
  state.seen_.clear();
  state.seen_.push(state.history_key(state.board_.hash(), to_move));
  return state;
}

template <int Max>
std::uint64_t Go<Max>::history_key(std::uint64_t board_hash, int next_to_move) const {
  const bool board_alone = rules_.superko && !rules_.situational;
  return !board_alone && next_to_move == 1 ? ~board_hash : board_hash;
}

template <int Max>
bool Go<Max>::repeats(typename Board::Point p) const {
  return seen_.count(history_key(board_.hash_after(p, mover()), 1 - to_move_)) > 0;
}

template <int Max>
Outcome Go<Max>::outcome() const {
  if (repeated_) return {kDraw, "repetition", false, {}};
  const auto points = score({}, {}).points;
  const int winner = points[0] == points[1] ? kDraw : points[0] > points[1] ? 0 : 1;
  return {winner, "score", true, points};
}

template <int Max>
const char* Go<Max>::why_illegal(Action action) const {
  if (is_over()) return "The game is over.";
  if (action == pass_action()) return nullptr;
  if (action < 0 || action > pass_action()) return "There is no such point.";
  const auto p = board_.point(action);
  if (board_.at(p) != Board::kEmpty) return "There is already a stone on that point.";
  if (p == board_.ko() && !rules_.superko) return "That would retake the ko at once; play elsewhere first.";
  if (!rules_.suicide && board_.is_suicide(p, mover()))
    return "The stone would have no liberty and capture nothing.";
  if (rules_.superko && repeats(p))
    return rules_.situational
               ? "That would repeat an earlier position with the same player to move, which superko forbids."
               : "That would repeat an earlier position of the board, which superko forbids.";
  return nullptr;
}

template <int Max>
void Go<Max>::legal_actions(ActionList& actions) const {
  actions.clear();
  if (is_over()) return;
  const auto c = mover();
  // Without a capture so far stones have only been added, and no board can come up again; only the suicide
  // of a single stone leaves the board as it is.
  const bool may_repeat = rules_.superko && (rules_.suicide || prisoners_[0] + prisoners_[1] > 0);
  for (int row = 0, cell = 0; row < rules_.size; ++row) {
    auto p = static_cast<typename Board::Point>((row + 1) * Board::kStride + 1);
    for (int column = 0; column < rules_.size; ++column, ++cell, ++p) {
      if (board_.at(p) != Board::kEmpty || (p == board_.ko() && !rules_.superko)) continue;
      if (!rules_.suicide && board_.is_suicide(p, c)) continue;
      if (may_repeat && repeats(p)) continue;
      actions.push_back(cell);
    }
  }
  actions.push_back(pass_action());
}

template <int Max>
void Go<Max>::play(Action action) {
  captured_ = {};
  if (action == pass_action()) {
    last_ = Board::kNone;
    ++passes_;
    board_.clear_ko();
    to_move_ = static_cast<std::int8_t>(1 - to_move_);
    if (rules_.situational) seen_.push(history_key(board_.hash(), to_move_));
    return;
  }
  const auto p = board_.point(action);
  last_ = p;
  const int before = board_.empty_count() - 1;  // the stone itself takes one empty point
  const int captured = board_.place(p, mover());
  const bool suicide = board_.pseudo_liberties(p) == 0;
  const int removed = suicide ? board_.lift(p) : captured;
  // What was taken off has become empty last.
  for (int i = 0; i < removed; ++i) captured_.set(board_.cell(board_.empty_point(before + i)));
  if (suicide) {
    captured_.reset(action);
    last_ = Board::kNone;
  }
  prisoners_[static_cast<std::size_t>(suicide ? 1 - to_move_ : to_move_)] += removed;
  passes_ = 0;
  to_move_ = static_cast<std::int8_t>(1 - to_move_);
  const auto now = history_key(board_.hash(), to_move_);
  // Without a capture so far no position can have come up before.
  if (!rules_.superko && prisoners_[0] + prisoners_[1] > 0) repeated_ = seen_.count(now) >= 2;
  seen_.push(now);
}

template <int Max>
std::uint64_t Go<Max>::hash() const {
  // The features beyond the stones have numbers above all points.
  constexpr std::uint64_t kBeyond = 1u << 20;
  std::uint64_t h = board_.hash();
  if (to_move_ == 1) h ^= zobrist(kBeyond);
  if (passes_ > 0) h ^= zobrist(kBeyond + static_cast<std::uint64_t>(passes_));
  if (board_.ko() != Board::kNone && !rules_.superko) h ^= zobrist(kBeyond + 4 + board_.ko());
  return h;
}

template <int Max>
bool Go<Max>::operator==(const Go& o) const {
  if (rules_ != o.rules_ || to_move_ != o.to_move_ || passes_ != o.passes_ || repeated_ != o.repeated_ ||
      (!rules_.area && prisoners_ != o.prisoners_) || (!rules_.superko && board_.ko() != o.board_.ko()))
    return false;
  for (int cell = 0; cell < cell_count(); ++cell)
    if (board_.at(board_.point(cell)) != o.board_.at(o.board_.point(cell))) return false;
  return true;
}

template <int Max>
void Go<Max>::cells(std::span<std::uint8_t> out) const {
  for (int cell = 0; cell < cell_count(); ++cell)
    out[static_cast<std::size_t>(cell)] = board_.at(board_.point(cell));
}

template <int Max>
void Go<Max>::liberties(std::span<std::uint16_t> out) const {
  for (int cell = 0; cell < cell_count(); ++cell) {
    const auto p = board_.point(cell);
    out[static_cast<std::size_t>(cell)] =
        board_.at(p) == Board::kEmpty ? 0 : static_cast<std::uint16_t>(board_.count_liberties(p));
  }
}

template <int Max>
void Go<Max>::encode(std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  const auto count = static_cast<std::size_t>(cell_count());
  const auto set = [&](int plane, std::size_t cell, float value = 1.0f) {
    out[static_cast<std::size_t>(plane) * count + cell] = value;
  };
  // Territory is told as area with another komi, so that a net knows both when it has learned one.
  const double lead = rules_.komi + (rules_.area ? 0 : stones_placed());
  const double komi = (to_move_ == 0 ? -lead : lead) / rules_.size;
  std::array<int, Board::kPoints> liberties_of{};  // by head; a chain is counted once
  for (std::size_t cell = 0; cell < count; ++cell) {
    const auto p = board_.point(static_cast<int>(cell));
    const auto c = board_.at(p);
    set(kOnBoard, cell);
    if (passes_ > 0) set(kLastWasPass, cell);
    if (to_move_ == 0) set(kMoverIsBlack, cell);
    set(kKomi, cell, static_cast<float>(komi));
    if (p == board_.ko() && !rules_.superko) set(kKoBan, cell);
    if (c == Board::kEmpty) continue;
    const bool own = c == mover();
    set(own ? kOwn : kOpponent, cell);
    int& libs = liberties_of[static_cast<std::size_t>(board_.head(p))];
    if (libs == 0) libs = board_.count_liberties(p);
    if (libs == 1) set(own ? kOwnOneLiberty : kOpponentOneLiberty, cell);
    if (libs == 2) set(own ? kOwnTwoLiberties : kOpponentTwoLiberties, cell);
    if (libs == 3) set(own ? kOwnThreeLiberties : kOpponentThreeLiberties, cell);
  }
  encode_ladders(out);
}

// A net as small as ours cannot read ladders by itself.
template <int Max>
void Go<Max>::encode_ladders(std::span<float> out) const {
  using Tactics = GoTactics<Max>;
  constexpr int kMost = 1000;  // moves that are tried: enough that no order of trying them matters
  const auto count = static_cast<std::size_t>(cell_count());
  const auto mark = [&](int plane, typename Board::Point p) {
    out[static_cast<std::size_t>(plane) * count + static_cast<std::size_t>(board_.cell(p))] = 1.0f;
  };
  std::array<bool, Board::kPoints> seen{};  // by head
  for (std::size_t cell = 0; cell < count; ++cell) {
    const auto stone = board_.point(static_cast<int>(cell));
    if (board_.at(stone) == Board::kEmpty) continue;
    bool& read = seen[board_.head(stone)];
    if (read) continue;
    read = true;
    const bool own = board_.at(stone) == mover();
    if (board_.in_atari(stone)) {
      if (!Tactics::is_caught(board_, stone, kMost)) continue;
    } else {
      const auto catching = Tactics::catching_moves(board_, stone, kMost);
      if (catching.count == 0) continue;
      for (int i = 0; i < catching.count && !own; ++i) mark(kCatchingMove, catching[i]);
    }
    auto at = stone;
    do {
      mark(own ? kOwnInLadder : kOpponentInLadder, at);
      at = board_.next(at);
    } while (at != stone);
  }
}

template <int Max>
PlayoutResult Go<Max>::playout(Rng& rng) {
  if (is_over()) return {outcome().winner, 0};
  const int placed = rules_.area ? 0 : stones_placed();
  const int made = board_.fill_randomly(mover(), rng);
  const double lead = board_.playout_area() - placed - rules_.komi;
  return {lead == 0 ? kDraw : lead > 0 ? 0 : 1, made};
}

template <int Max>
int Go<Max>::stones_placed() const {
  int placed = prisoners_[1] - prisoners_[0];
  for (int cell = 0; cell < cell_count(); ++cell) {
    const auto c = board_.at(board_.point(cell));
    placed += int{c == Board::kBlack} - int{c == Board::kWhite};
  }
  return placed;
}

template <int Max>
GoScore Go<Max>::score(std::span<const int> dead, std::span<const int> neutral) const {
  const auto count = static_cast<std::size_t>(cell_count());
  std::vector<std::uint8_t> board(count), lifted(count), nobody(count), visited(count);
  cells(board);
  GoScore result;
  result.owner.assign(count, 0);
  for (const int cell : dead) {
    if (cell < 0 || cell >= cell_count() || board[static_cast<std::size_t>(cell)] == Board::kEmpty)
      fail<InvalidPosition>("Only stones can be dead, and one of the dead points has none.");
    board_.mark_chain(board_.point(cell), lifted);
  }
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (!lifted[cell]) continue;
    ++result.dead[board[cell] - 1u];
    board[cell] = Board::kEmpty;
  }
  for (const int cell : neutral) {
    if (cell < 0 || cell >= cell_count() || board[static_cast<std::size_t>(cell)] != Board::kEmpty)
      fail<InvalidPosition>("Only empty points can be neutral, and one of them has a stone.");
    nobody[static_cast<std::size_t>(cell)] = 1;
  }
  std::vector<int> region;
  for (int start = 0; start < cell_count(); ++start) {
    const auto s = static_cast<std::size_t>(start);
    if (board[s] != Board::kEmpty) {
      ++result.stones[board[s] - 1u];
      result.owner[s] = board[s];
      continue;
    }
    if (visited[s]) continue;
    // Flood the empty region and note the colours that border it: bit 0 Black, bit 1 White.
    int borders = 0;
    region.assign(1, start);
    visited[s] = 1;
    for (std::size_t i = 0; i < region.size(); ++i) {
      const int row = region[i] / rules_.size;
      const int column = region[i] % rules_.size;
      const auto visit = [&](int r, int c) {
        if (r < 0 || c < 0 || r >= rules_.size || c >= rules_.size) return;
        const auto cell = static_cast<std::size_t>(r * rules_.size + c);
        if (board[cell] != Board::kEmpty) {
          borders |= board[cell];
        } else if (!visited[cell]) {
          visited[cell] = 1;
          region.push_back(static_cast<int>(cell));
        }
      };
      visit(row - 1, column);
      visit(row + 1, column);
      visit(row, column - 1);
      visit(row, column + 1);
    }
    if (borders != Board::kBlack && borders != Board::kWhite) continue;
    for (const int cell : region) {
      if (nobody[static_cast<std::size_t>(cell)] && !rules_.area) continue;
      result.owner[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(borders);
      ++result.territory[static_cast<std::size_t>(borders - 1)];
    }
  }
  for (std::size_t seat = 0; seat < 2; ++seat) {
    result.lost[seat] = prisoners_[1 - seat];
    result.points[seat] = rules_.area ? result.territory[seat] + result.stones[seat]
                                      : result.territory[seat] - result.lost[seat] - result.dead[seat];
  }
  result.points[1] += rules_.komi;
  return result;
}

template <int Max>
const char* Go<Max>::why_not_resume(int seat) const {
  if (seat != 0 && seat != 1) return "Only Black or White can go on.";
  if (!rules_.ends_in_agreement()) return "Under these rules two passes end the game.";
  if (passes_ != 2) return "Play can only be resumed after two passes.";
  return nullptr;
}

template <int Max>
void Go<Max>::resume(int seat) {
  passes_ = 0;
  captured_ = {};
  to_move_ = static_cast<std::int8_t>(seat);
}

template class Go<9>;
template class Go<19>;
static_assert(GameState<Go9> && GameState<Go19>);

}  // namespace tengen
