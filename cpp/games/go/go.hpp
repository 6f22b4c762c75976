// Go, 2x2 to 19x19, both scorings, all ko rules. The rules are docs/rules/go.md (GO).
//
// GoRules is what was agreed, GoBoard the stones without history (what playouts run on), Go the whole
// state: board, mover, passes, prisoners and the earlier positions that ko and repetition ask for.
//
// A board keeps its chains: every stone knows its chain's head, stones of a chain form a ring, and the head
// carries the chain's pseudo-liberties: an empty point counts once for each stone beside it. Kept are how
// many they are, their sum and the sum of their squares, so that "no liberty left", "only one left" and
// "which one" are answered without a search.
// Points are padded: a border row above and below, one border column shared by neighbouring rows.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "bits.hpp"
#include "game.hpp"
#include "history.hpp"

namespace tengen {

struct GoRules {
  int size = 19;
  bool superko = false;      // positional superko instead of simple ko with the third-repetition rule
  bool situational = false;  // superko looks at the player to move as well
  bool area = false;         // area scoring instead of territory scoring
  double komi = 6.5;         // with what makes up for handicap stones
  int handicap = 0;
  bool suicide = false;  // a chain left without liberties by its owner comes off
  bool agreed = false;   // what is dead is agreed on under area scoring too

  // Whether two passes only stop play, for the players to say what is dead (GO 16).
  bool ends_in_agreement() const { return !area || agreed; }

  void validate() const;
  // The cells of the handicap stones, as GTP's fixed_handicap places them.
  std::vector<int> handicap_cells() const;
  bool operator==(const GoRules&) const = default;
};

// What the one scorer found; seat 0 is Black.
struct GoScore {
  std::array<double, 2> points{};   // the result under the rules' scoring, komi included
  std::array<int, 2> territory{};   // empty points surrounded, dead stones lifted
  std::array<int, 2> stones{};      // living stones
  std::array<int, 2> lost{};        // own stones captured in play
  std::array<int, 2> dead{};        // own stones dead on the board
  std::vector<std::uint8_t> owner;  // a cell: 0 nobody, 1 Black, 2 White
};

template <int Max>
class GoBoard {
 public:
  using Point = std::uint16_t;
  enum Colour : std::uint8_t { kEmpty, kBlack, kWhite, kEdge };

  static constexpr int kStride = Max + 1;
  static constexpr int kPoints = (Max + 2) * kStride + 1;
  static constexpr Point kNone = 0;

  explicit GoBoard(int size);

  int size() const { return size_; }
  Point point(int cell) const { return static_cast<Point>((cell / size_ + 1) * kStride + cell % size_ + 1); }
  int cell(Point p) const { return (p / kStride - 1) * size_ + p % kStride - 1; }
  Colour at(int p) const { return colour_[static_cast<std::size_t>(p)]; }
  // The colours of that point and the next two of its row, two bits each: the product moves them together.
  std::size_t three_from(int p) const {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, &colour_[static_cast<std::size_t>(p)], sizeof bytes);
    return bytes * 0x1041u >> 12 & 0x3f;
  }
  Point ko() const { return ko_; }
  void clear_ko() { ko_ = kNone; }
  std::uint64_t hash() const { return hash_; }
  // The empty points in no order, except that captured ones come last.
  int empty_count() const { return empty_count_; }
  Point empty_point(int index) const { return empty_[static_cast<std::size_t>(index)]; }

  // The stone would have no liberty and capture nothing. The point must be empty.
  bool is_suicide(Point p, Colour c) const { return empty_beside(p) == 0 && is_shut_in(p, c); }
  // An empty point whose neighbours are all of that colour and whose diagonals make it a real eye.
  bool is_eye(Point p, Colour c) const {
    if (own_beside(p, c) != 4) return false;
    int enemies = 0;
    bool edge = false;
    for (const int corner : {p - kStride - 1, p - kStride + 1, p + kStride - 1, p + kStride + 1}) {
      enemies += at(corner) == other(c);
      edge |= at(corner) == kEdge;
    }
    return enemies + int{edge} < 2;
  }
  // Places a stone that is legal, removes what it captures, returns how many stones that were.
  int place(Point p, Colour c);
  // Takes the chain of that stone off, returns how many stones that were.
  int lift(Point stone) { return remove_chain(head(stone)); }
  // Places a stone without looking for captures: to set a position up.
  void put(Point p, Colour c);
  // The hash that place() would lead to, and lift() after a suicide.
  std::uint64_t hash_after(Point p, Colour c) const;
  bool every_chain_has_a_liberty() const;
  // The stones of the chain at p, marked in a set of cells.
  void mark_chain(Point p, std::vector<std::uint8_t>& marks) const;
  int count_liberties(Point p) const;

  // Of the chain at a stone: its first stone, how many it has, the next one in its ring, whether it has one
  // liberty only, and which one that is.
  Point head(int stone) const { return head_[static_cast<std::size_t>(stone)]; }
  int stones(int stone) const { return stones_[head(stone)]; }
  Point next(int stone) const { return next_[static_cast<std::size_t>(stone)]; }
  bool in_atari(int stone) const {
    const std::uint64_t sum = liberties_[head(stone)];
    // n numbers are all equal exactly when n times the sum of their squares is the square of their sum.
    return (sum & kCountMask) * (sum >> kSquareShift) == liberty_sum(sum) * liberty_sum(sum);
  }
  Point last_liberty(int stone) const {
    const std::uint64_t sum = liberties_[head(stone)];
    return static_cast<Point>(liberty_sum(sum) / (sum & kCountMask));
  }
  int pseudo_liberties(int stone) const { return static_cast<int>(liberties_[head(stone)] & kCountMask); }
  // Of an empty point: its neighbours that are empty, and those of a colour (the edge counts as both).
  int empty_beside(Point p) const { return static_cast<int>(beside_[p] & 0xf); }
  int own_beside(Point p, Colour c) const { return static_cast<int>(beside_[p] >> (4 * c)) & 0xf; }
  // Calls f with the four points beside p; written out, since compilers leave a loop of four a loop.
  template <class F>
  static void beside(int p, F&& f) {
    f(static_cast<std::size_t>(p - kStride));
    f(static_cast<std::size_t>(p - 1));
    f(static_cast<std::size_t>(p + 1));
    f(static_cast<std::size_t>(p + kStride));
  }
  // A random empty point that `accept` takes, kNone when there is none. Draws without replacement: a point
  // that will not do goes to the end of the list and out of the draw.
  template <class F>
  Point draw(Rng& rng, F&& accept) {
    for (int candidates = empty_count_; candidates > 0;) {
      const auto i = rng.below(static_cast<std::uint32_t>(candidates));
      const Point p = empty_[i];
      if (accept(p)) return p;
      --candidates;
      const Point last = empty_[static_cast<std::size_t>(candidates)];
      empty_[i] = last;
      slot_[last] = static_cast<Point>(i);
      empty_[static_cast<std::size_t>(candidates)] = p;
      slot_[p] = static_cast<Point>(candidates);
    }
    return kNone;
  }
  // The difference of areas, Black minus White, on a board where only single-point eyes are left.
  int playout_area() const;
  // Random moves of both sides until neither has any but eye filling ones. Returns how many were made.
  // Notes by point who played there first, where wanted.
  int fill_randomly(Colour first, Rng& rng, std::array<Colour, kPoints>* first_at = nullptr);

  static constexpr Colour other(Colour c) { return c == kBlack ? kWhite : kBlack; }

 private:
  // A liberty as a chain adds it up: one in the low bits, the point above, its square on top.
  static constexpr int kSumShift = 12;     // at most 4 * 19 * 19 pseudo-liberties
  static constexpr int kSquareShift = 32;  // their sum stays below 2^20, that of their squares below 2^32
  static constexpr std::uint64_t kCountMask = (1u << kSumShift) - 1;
  static constexpr std::uint64_t liberty_sum(std::uint64_t sum) {
    return (sum >> kSumShift) & ((1u << (kSquareShift - kSumShift)) - 1);
  }
  static constexpr auto kLiberty = [] {
    std::array<std::uint64_t, kPoints> liberty{};
    for (std::uint64_t p = 0; p < kPoints; ++p) liberty[p] = 1 | p << kSumShift | p * p << kSquareShift;
    return liberty;
  }();

  static constexpr auto kKeys = [] {
    std::array<std::array<std::uint64_t, kPoints>, 3> keys{};
    for (std::size_t c = kBlack; c <= kWhite; ++c)
      for (std::size_t p = 0; p < kPoints; ++p) keys[c][p] = zobrist(p * 4 + c);
    return keys;
  }();
  static constexpr std::uint64_t key(int p, Colour c) { return kKeys[c][static_cast<std::size_t>(p)]; }

  bool is_shut_in(Point p, Colour c) const;  // suicide on a point with no empty neighbour
  // How many of p's neighbours belong to the chain of that head.
  int touches(Point p, Point head) const;
  void merge(Point a, Point b);  // the chains of those heads
  int remove_chain(Point head);
  void add_empty(Point p);
  void drop_empty(Point p);

  // beside_ adds up a point's empty neighbours as liberties; no more than four, so that there is room above
  // their number for those of the black and the white neighbours, four bits each. The edge counts as both
  // colours, so that "all own or edge" is one comparison.
  static constexpr std::array<std::uint64_t, 3> kOne{0, 0x010, 0x100};
  static constexpr std::uint64_t kStonesBeside = 0xff0;

  std::array<Colour, kPoints + 1> colour_;  // one more, for three_from() at the last point
  std::array<std::uint64_t, kPoints> beside_;
  // The head of an empty or edge point is kNone, whose chain nobody reads: so liberties of all four
  // neighbours are kept up without asking which of them are stones.
  std::array<Point, kPoints> head_;
  std::array<Point, kPoints> next_;
  std::array<Point, kPoints> slot_;  // where an empty point stands in empty_
  std::array<Point, Max * Max> empty_;
  std::array<std::uint16_t, kPoints> stones_;     // by head
  std::array<std::uint64_t, kPoints> liberties_;  // by head
  std::uint64_t hash_ = 0;
  int size_;
  int empty_count_ = 0;
  Point ko_ = kNone;
};

template <int Max>
class Go {
 public:
  using Rules = GoRules;
  using Board = GoBoard<Max>;
  enum class Ending : std::uint8_t { GoesOn, Score, Repetition };

  explicit Go(const Rules& rules);
  static Go from_cells(const Rules& rules, std::span<const std::uint8_t> cells, int to_move);

  const Rules& rules() const { return rules_; }
  int cell_count() const { return rules_.size * rules_.size; }
  int action_count() const { return cell_count() + 1; }
  Action pass_action() const { return cell_count(); }
  int to_move() const { return to_move_; }
  bool is_over() const { return passes_ == 2 || repeated_; }
  Ending ending() const {
    return repeated_ ? Ending::Repetition : passes_ == 2 ? Ending::Score : Ending::GoesOn;
  }
  Outcome outcome() const;
  const char* why_illegal(Action action) const;
  void legal_actions(ActionList& actions) const;
  void play(Action action);
  std::uint64_t hash() const;
  void cells(std::span<std::uint8_t> out) const;
  Planes planes() const { return {kPlanes, rules_.size, rules_.size}; }
  void encode(std::span<float> out) const;
  PlayoutResult playout(Rng& rng);

  const Board& board() const { return board_; }
  int passes() const { return passes_; }
  int ko_cell() const { return board_.ko() == Board::kNone ? -1 : board_.cell(board_.ko()); }
  // Stones captured by each seat.
  const std::array<int, 2>& prisoners() const { return prisoners_; }
  // The cells that the last move took stones from.
  const Bits<6>& captured() const { return captured_; }
  // The point of the last move, Board::kNone after a pass, a suicide or before any.
  typename Board::Point last_point() const { return last_; }
  void liberties(std::span<std::uint16_t> out) const;

  // The one scorer. `dead` names at least one stone of each dead chain; `neutral` the empty points that count
  // for nobody under territory scoring (seki). Throws InvalidPosition for a cell that is not what it should
  // be.
  GoScore score(std::span<const int> dead, std::span<const int> neutral) const;
  // How many more stones Black has placed than White. Area and territory counts differ by it, and if both
  // place equally many from here on, area less this is territory.
  int stones_placed() const;

  // Back to play after two passes where the players agree on what is dead, with that seat to move (GO 21).
  // Returns nullptr, or the reason why not.
  const char* why_not_resume(int seat) const;
  void resume(int seat);

  bool operator==(const Go& o) const;

 private:
  enum Plane {
    kOwn,
    kOpponent,
    kOwnOneLiberty,
    kOwnTwoLiberties,
    kOwnThreeLiberties,
    kOpponentOneLiberty,
    kOpponentTwoLiberties,
    kOpponentThreeLiberties,
    kOwnInLadder,  // in atari and not to be saved, or with two liberties and caught by who moves first there
    kOpponentInLadder,
    kCatchingMove,  // where the mover catches a chain of two liberties
    kKoBan,
    kOnBoard,
    kLastWasPass,
    kMoverIsBlack,
    kKomi,  // what is added to the mover's area before it is compared, as a share of the board's side
    kPlanes
  };

  typename Board::Colour mover() const { return to_move_ == 0 ? Board::kBlack : Board::kWhite; }
  // What the history remembers: the board under positional superko, else board and mover.
  std::uint64_t history_key(std::uint64_t board_hash, int next_to_move) const;
  void encode_ladders(std::span<float> out) const;
  bool repeats(typename Board::Point p) const;  // a stone there would bring back what superko forbids

  Rules rules_;
  Board board_;
  History<std::uint64_t> seen_;
  Bits<6> captured_;
  std::array<int, 2> prisoners_{};
  typename Board::Point last_ = Board::kNone;
  std::int8_t to_move_ = 0;
  std::int8_t passes_ = 0;
  bool repeated_ = false;
};

using Go9 = Go<9>;
using Go19 = Go<19>;

}  // namespace tengen
