// The rules of Kelasu; see kelasu.hpp for how things are represented.
#include "games/kelasu/kelasu.hpp"

#include <algorithm>

namespace tengen {

static_assert(GameState<Kelasu>);

namespace {

using Squares = Bits<2>;

constexpr int kWidth = Kelasu::kWidth;
constexpr int kStride = kWidth + 1;
constexpr int kSquares = kWidth * kStride;
constexpr int kNever = 99;  // a distance no slide reaches
constexpr int kFar = kWidth;

constexpr Squares rows(int first, int last) {
  Squares set;
  for (int row = first; row <= last; ++row)
    for (int column = 0; column < kWidth; ++column) set.set(row * kStride + column);
  return set;
}

constexpr Squares kBoard = rows(0, kWidth - 1);
// Where each seat's blanks may merge: all but its two home ranks.
constexpr std::array<Squares, 2> kMergeGround = {rows(2, 9), rows(0, 7)};
constexpr std::array<Squares, 2> kFarRank = {rows(9, 9), rows(0, 0)};
constexpr std::array<int, 2> kForward = {kStride, -kStride};
constexpr std::array<int, 4> kVictoryTileSquares = {4 * kStride + 4, 4 * kStride + 5, 5 * kStride + 4,
                                                    5 * kStride + 5};
constexpr Squares kVictory = [] {
  Squares set;
  for (const int square : kVictoryTileSquares) set.set(square);
  return set;
}();

constexpr bool on_board(int square) { return square >= 0 && square < kSquares && kBoard.test(square); }

// The features that make up a hash, numbered apart.
enum Feature : std::uint64_t {
  kPieceFeature = 0,  // + code * kSquares + square
  kMovedFeature = 2000,
  kSelectedFeature = 2200,
  kAnchorFeature = 2400,
  kStageFeature = 2600,
  kKindFeature = 2700,
  kActedFeature = 2800,
  kRedFeature = 2801,
  kEnergyFeature = 3000,
};

constexpr auto kPieceKeys = [] {
  std::array<std::array<std::uint64_t, kSquares>, 2 * Kelasu::kPieces + 1> keys{};
  for (std::uint64_t code = 1; code < keys.size(); ++code)
    for (std::uint64_t square = 0; square < kSquares; ++square)
      keys[code][square] = zobrist(kPieceFeature + code * kSquares + square);
  return keys;
}();

constexpr std::uint64_t key(Feature feature, int index = 0) {
  return zobrist(feature + static_cast<std::uint64_t>(index));
}

constexpr int seat_of(int code) { return code > Kelasu::kPieces ? 1 : 0; }
constexpr Kelasu::Piece piece_of(int code) {
  return static_cast<Kelasu::Piece>(code > Kelasu::kPieces ? code - Kelasu::kPieces : code);
}
constexpr int code_of(int seat, int piece) { return piece + seat * Kelasu::kPieces; }

// The squares from which one step ahead, back, sideways or diagonally leads into `set`. Guard squares may be
// among them.
Squares before(const Squares& set, int seat) { return seat == 0 ? set.down<kStride>() : set.up<kStride>(); }
Squares behind(const Squares& set, int seat) { return before(set, 1 - seat); }
Squares beside(const Squares& set) { return set.up<1>() | set.down<1>(); }

// The member with that rank, counted from 0 in ascending order.
int nth(const Squares& set, int rank) {
  int word = 0;
  std::uint64_t rest = set.words[0];
  if (const int low = std::popcount(rest); rank >= low) {
    rank -= low;
    rest = set.words[1];
    word = 1;
  }
  while (rank-- > 0) rest &= rest - 1;
  return word * 64 + std::countr_zero(rest);
}

}  // namespace

// ---- Setting up ------------------------------------------------------------------------------------------

Kelasu::Kelasu(const Rules& rules) : Kelasu(rules, Empty{}) {
  for (int column = 0; column < kWidth; ++column) {
    for (const int row : {0, 1}) put(row * kStride + column, code_of(0, kBlank));
    for (const int row : {8, 9}) put(row * kStride + column, code_of(1, kBlank));
  }
  for (const int column : {0, 2, 7, 9}) {
    put(2 * kStride + column, code_of(0, kStone));
    put(7 * kStride + column, code_of(1, kStone));
  }
  begin_turn();
}

Kelasu Kelasu::from_cells(const Rules& rules, std::span<const std::uint8_t> cells, int to_move) {
  rules.validate();
  if (cells.size() != kCells) fail<InvalidPosition>("A Kelasu board has 100 cells.");
  if (to_move != 0 && to_move != 1) fail<InvalidPosition>("The seat to move is 0 or 1.");
  Kelasu state(rules, Empty{});
  state.to_move_ = static_cast<std::uint8_t>(to_move);
  for (int cell = 0; cell < kCells; ++cell) {
    const int code = cells[static_cast<std::size_t>(cell)];
    if (code > 2 * kPieces) fail<InvalidPosition>("A cell holds something that is not a Kelasu piece.");
    if (code != 0) state.put(square_of(cell), code);
  }
  for (const int seat : {0, 1}) {
    if (!state.has_stones(seat)) fail<InvalidPosition>("Each side needs a stone: without one it has lost.");
    if (!state.has_pieces(seat))
      fail<InvalidPosition>("Each side needs a piece other than stones: without one it has lost.");
    if (state.holds_victory_tiles(seat))
      fail<InvalidPosition>("One side holds all four victory tiles already, so the game would be over.");
  }
  state.begin_turn();
  if (!state.can_act()) state.finish(kDraw, Ending::Stalemate);
  return state;
}

void Kelasu::put(int square, int code) {
  remove(square);
  board_[static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(code);
  side_[static_cast<std::size_t>(seat_of(code))].set(square);
  kind_[piece_of(code)].set(square);
  board_key_ ^= kPieceKeys[static_cast<std::size_t>(code)][static_cast<std::size_t>(square)];
}

void Kelasu::remove(int square) {
  const int code = board_[static_cast<std::size_t>(square)];
  if (code == 0) return;
  board_[static_cast<std::size_t>(square)] = 0;
  side_[static_cast<std::size_t>(seat_of(code))].reset(square);
  kind_[piece_of(code)].reset(square);
  board_key_ ^= kPieceKeys[static_cast<std::size_t>(code)][static_cast<std::size_t>(square)];
}

// ---- Playing ---------------------------------------------------------------------------------------------

void Kelasu::play(Action action) {
  switch (stage_) {
    case Stage::Choose:
      if (action == kEndTurn) {
        end_turn();
      } else if (action >= kFirstMerge) {
        stage_ = Stage::MergeTarget;
        merge_kind_ = static_cast<std::uint8_t>(action - kFirstMerge);
      } else {
        stage_ = Stage::Move;
        anchor_ = static_cast<std::uint8_t>(square_of(action));
      }
      return;
    case Stage::Move:
      move_piece(anchor_, square_of(action));
      return;
    case Stage::MergeTarget:
      stage_ = Stage::MergeCells;
      anchor_ = static_cast<std::uint8_t>(square_of(action));
      break;
    case Stage::MergeCells:
      break;
  }
  selected_.set(square_of(action));
  turn_key_ ^= key(kSelectedFeature, square_of(action));
  if (selected_.count() == kMergeCost[merge_kind_]) merge();
}

void Kelasu::move_piece(int from, int to) {
  const int code = board_[static_cast<std::size_t>(from)];
  const int taken = board_[static_cast<std::size_t>(to)];
  const Piece piece = piece_of(code);
  remove(from);
  if (taken != 0 && piece == kDiplomat) {
    put(to, code_of(to_move_, piece_of(taken)));  // the converted piece has not moved
  } else {
    put(to, code);
    moved_.set(to);
    turn_key_ ^= key(kMovedFeature, to);
  }
  if (taken != 0 || piece == kBlank) {
    const bool sideways = to - from == 1 || from - to == 1;
    note_event(taken != 0 || !sideways);
  }
  finish_action(1);
}

void Kelasu::merge() {
  const int target = anchor_;
  const int kind = merge_kind_;
  selected_.for_each([this](int square) {
    remove(square);
    turn_key_ ^= key(kSelectedFeature, square);
  });
  selected_ = {};
  put(target, code_of(to_move_, kWarrior + kind));
  note_event(true);
  finish_action(kMergeCost[static_cast<std::size_t>(kind)]);
}

// A blank move, merge, capture or conversion. All but a blank's sideways step are irreversible: captures,
// merges and conversions leave fewer pieces on the board for good, and while the pieces stay the same no
// blank ever steps back. So no position from before such an action can recur after it.
void Kelasu::note_event(bool irreversible) {
  quiet_rounds_ = 0;
  eventful_ = true;
  if (irreversible) turn_ends_.clear();
}

void Kelasu::finish_action(int cost) {
  stage_ = Stage::Choose;
  anchor_ = 0;
  merge_kind_ = 0;
  acted_ = true;
  energy_ = static_cast<std::int16_t>(std::max(0, energy_ - cost));
  if (decide()) return;
  if (energy_ == 0 || !can_act()) end_turn();
}

// Whether the last action won or lost the game, in the order the rules give.
bool Kelasu::decide() {
  const int opponent = 1 - to_move_;
  if (holds_victory_tiles(to_move_)) {
    finish(to_move_, Ending::VictoryTiles);
  } else if (!has_stones(opponent)) {
    finish(to_move_, Ending::NoStones);
  } else if (!has_pieces(opponent)) {
    finish(to_move_, Ending::NoPieces);
  } else if (!has_pieces(to_move_)) {
    finish(opponent, Ending::NoPieces);
  }
  return is_over();
}

void Kelasu::end_turn() {
  to_move_ ^= 1;
  begin_turn();

  const std::uint64_t position = board_key_ ^ (to_move_ == 1 ? key(kRedFeature) : 0);
  repetitions_ = static_cast<std::uint8_t>(turn_ends_.count(position) + 1);
  turn_ends_.push(position);
  if (repetitions_ >= kRepetitionLimit) return finish(kDraw, Ending::Repetition);

  if (to_move_ == 0) {
    if (!eventful_) ++quiet_rounds_;
    eventful_ = false;
    if (quiet_rounds_ >= kQuietLimit) return finish(kDraw, Ending::Quiet);
  }
  if (!can_act()) finish(kDraw, Ending::Stalemate);
}

Kelasu Kelasu::turn_given_away() const {
  Kelasu next = *this;
  next.end_turn();
  return next;
}

void Kelasu::begin_turn() {
  energy_ = static_cast<std::int16_t>(own(kStone).count());
  moved_ = {};
  turn_key_ = 0;
  acted_ = false;
}

void Kelasu::finish(int winner, Ending ending) {
  winner_ = static_cast<std::int8_t>(winner);
  ending_ = ending;
}

Outcome Kelasu::outcome() const {
  static constexpr std::array<const char*, 7> kWords{"",           "victory-tiles", "no-stones", "no-pieces",
                                                     "repetition", "quiet",         "stalemate"};
  return {.winner = winner_,
          .reason = kWords[static_cast<std::size_t>(ending_)],
          .has_score = false,
          .score = {}};
}

bool Kelasu::holds_victory_tiles(int seat) const {
  return kVictory.without(side_[static_cast<std::size_t>(seat)]).none();
}

// ---- What can act ----------------------------------------------------------------------------------------

// Whether a piece has a target shows on its neighbouring squares alone (and a warrior's recall), so all
// pieces of a kind are asked at once. Must agree with targets_of(), which the tests check.
Kelasu::Squares Kelasu::movable_squares() const {
  const int seat = to_move_;
  const Squares& enemy = side_[1 - to_move_];
  const Squares empty = kBoard.without(side_[0] | side_[1]);
  const Squares open = empty | enemy;

  const Squares straight_or_beside = before(empty, seat) | beside(empty);
  Squares movable = own(kBlank) & straight_or_beside;
  if (const Squares warriors = own(kWarrior); warriors.any()) {
    const Squares ahead = before(enemy, seat);
    movable |= warriors & (straight_or_beside | ahead | beside(enemy) | beside(ahead));
    (warriors & kFarRank[to_move_]).for_each([&](int square) {
      if (open.test(square - (kWidth - 1) * kForward[to_move_])) movable.set(square);
    });
  }
  if (const Squares runners = own(kRunner); runners.any())
    movable |= runners & beside(before(empty, seat) | behind(empty, seat));
  if (const Squares diplomats = own(kDiplomat); diplomats.any())
    movable |= diplomats &
               (straight_or_beside | behind(empty, seat) | beside(before(enemy, seat) | behind(enemy, seat)));
  if (const Squares champions = own(kChampion); champions.any()) {
    const Squares ahead = before(open, seat);
    movable |= champions & (ahead | beside(ahead) | beside(open) | behind(empty, seat));
  }
  if (const Squares generals = own(kGeneral); generals.any()) {
    const Squares column = before(open, seat) | behind(open, seat);
    movable |= generals & (column | beside(column | open));
  }
  return movable.without(moved_);
}

Kelasu::Squares Kelasu::targets_of(int square) const {
  const int code = board_[static_cast<std::size_t>(square)];
  const int seat = seat_of(code);
  const int ahead = kForward[static_cast<std::size_t>(seat)];
  Squares targets;
  switch (piece_of(code)) {
    case kBlank:
      for (const int step : {ahead, -1, 1}) add_slide(targets, square, step, 1, kNever);
      break;
    case kWarrior:
      for (const int step : {ahead, -1, 1}) add_slide(targets, square, step, 1, 1);
      for (const int step : {ahead - 1, ahead + 1}) add_capture(targets, square + step, seat);
      if (kFarRank[static_cast<std::size_t>(seat)].test(square))
        add_slide(targets, square, -(kWidth - 1) * ahead, 1, 1);
      break;
    case kRunner:
      for (const int step : {ahead - 1, ahead + 1, -ahead - 1, -ahead + 1})
        add_slide(targets, square, step, kFar, 2);
      break;
    case kDiplomat:
      for (const int step : {ahead, -ahead, -1, 1}) add_slide(targets, square, step, 3, kNever);
      for (const int step : {ahead - 1, ahead + 1, -ahead - 1, -ahead + 1})
        add_capture(targets, square + step, seat);
      break;
    case kChampion:
      add_slide(targets, square, ahead, kFar, 1);
      add_slide(targets, square, -ahead, kFar, kNever);
      for (const int step : {-1, 1}) add_slide(targets, square, step, 3, 1);
      for (const int step : {ahead - 1, ahead + 1}) add_slide(targets, square, step, 1, 1);
      break;
    case kGeneral:
      for (const int step : {ahead, -ahead, -1, 1, ahead - 1, ahead + 1, -ahead - 1, -ahead + 1})
        add_slide(targets, square, step, kFar, 1);
      break;
    case kNone:
    case kStone:
      break;
  }
  return targets;
}

// Up to `reach` steps over empty squares; the first piece met ends the slide, and is a target itself when it
// is an enemy at distance `captures_from` or more.
void Kelasu::add_slide(Squares& targets, int square, int step, int reach, int captures_from) const {
  const int seat = seat_of(board_[static_cast<std::size_t>(square)]);
  for (int distance = 1; distance <= reach; ++distance) {
    square += step;
    if (!on_board(square)) return;
    const int met = board_[static_cast<std::size_t>(square)];
    if (met == 0 || (seat_of(met) != seat && distance >= captures_from)) targets.set(square);
    if (met != 0) return;
  }
}

void Kelasu::add_capture(Squares& targets, int square, int seat) const {
  if (on_board(square) && side_[static_cast<std::size_t>(1 - seat)].test(square)) targets.set(square);
}

Kelasu::Squares Kelasu::eligible_blanks() const {
  return (own(kBlank) & kMergeGround[to_move_]).without(moved_);
}

// The eligible blanks whose connected group has at least that many (2 or more).
Kelasu::Squares Kelasu::merge_area(int size) const {
  Squares rest = eligible_blanks();
  rest &= rest.neighbours<kStride>();
  Squares area;
  while (rest.count() >= size) {
    const Squares group = Squares::single(rest.first()).flood<kStride>(rest);
    if (group.count() >= size) area |= group;
    rest = rest.without(group);
  }
  return area;
}

// How many of the merge kinds can be completed. Costs ascend, so these are the first ones.
int Kelasu::open_merge_kinds() const {
  Squares rest = eligible_blanks();
  rest &= rest.neighbours<kStride>();
  int largest = 0;
  while (rest.count() > largest) {
    const Squares group = Squares::single(rest.first()).flood<kStride>(rest);
    largest = std::max(largest, group.count());
    rest = rest.without(group);
  }
  int kinds = 0;
  while (kinds < kMergeKinds && kMergeCost[static_cast<std::size_t>(kinds)] <= largest) ++kinds;
  return kinds;
}

bool Kelasu::can_act() const {
  const Squares empty = kBoard.without(side_[0] | side_[1]);
  const Squares blanks = own(kBlank).without(moved_);
  if ((blanks & (before(empty, to_move_) | beside(empty))).any()) return true;  // nearly always
  if (movable_squares().any()) return true;
  const Squares eligible = eligible_blanks();
  return (eligible & eligible.neighbours<kStride>()).any();
}

// The legal actions that are cells, as squares.
Kelasu::Squares Kelasu::legal_squares() const {
  switch (stage_) {
    case Stage::Choose:
      return movable_squares();
    case Stage::Move:
      return targets_of(anchor_);
    case Stage::MergeTarget:
      return merge_area(kMergeCost[merge_kind_]);
    case Stage::MergeCells:
      break;
  }
  return (selected_.neighbours<kStride>() & eligible_blanks()).without(selected_);
}

void Kelasu::legal_actions(ActionList& actions) const {
  actions.clear();
  if (is_over()) return;
  legal_squares().for_each([&](int square) { actions.push_back(cell_of(square)); });
  if (stage_ != Stage::Choose) return;
  const int kinds = open_merge_kinds();
  for (int kind = 0; kind < kinds; ++kind) actions.push_back(kFirstMerge + kind);
  if (may_end_now()) actions.push_back(kEndTurn);
}

PlayoutResult Kelasu::playout(Rng& rng) {
  int actions = 0;
  for (; !is_over() && actions < kPlayoutCap; ++actions) {
    const Squares squares = legal_squares();
    const int cells = squares.count();
    const int kinds = stage_ == Stage::Choose ? open_merge_kinds() : 0;
    const int choices = cells + kinds + (may_end_now() ? 1 : 0);
    const int pick = static_cast<int>(rng.below(static_cast<std::uint32_t>(choices)));
    if (pick < cells) {
      play(cell_of(nth(squares, pick)));
    } else {
      play(pick - cells < kinds ? kFirstMerge + pick - cells : kEndTurn);
    }
  }
  return {.winner = winner_, .actions = actions};
}

// ---- Why not ---------------------------------------------------------------------------------------------

const char* Kelasu::why_illegal(Action action) const {
  if (is_over()) return "The game is over.";
  if (action == kEndTurn && !rules_.may_end_turn_early) return "These rules do not let you end a turn early.";
  if (action < 0 || action > kEndTurn) return "There is no such action.";
  if (stage_ == Stage::Choose) return why_not_choose(action);
  if (action >= kFirstMerge) {
    return stage_ == Stage::Move ? "Finish the move you have begun." : "Finish the merge you have begun.";
  }
  const int square = square_of(action);
  return stage_ == Stage::Move ? why_not_destination(square) : why_not_in_merge(square);
}

const char* Kelasu::why_not_choose(Action action) const {
  if (action == kEndTurn) return acted_ ? nullptr : "Move or merge at least once before you end the turn.";
  if (action >= kFirstMerge) {
    static constexpr std::array<const char*, kMergeKinds> kTooFew = {
        "A warrior takes 2 connected blanks outside your home ranks that have not moved this turn.",
        "A runner takes 4 connected blanks outside your home ranks that have not moved this turn.",
        "A diplomat takes 4 connected blanks outside your home ranks that have not moved this turn.",
        "A champion takes 5 connected blanks outside your home ranks that have not moved this turn.",
        "A general takes 10 connected blanks outside your home ranks that have not moved this turn.",
        "A stone takes 21 connected blanks outside your home ranks that have not moved this turn.",
    };
    const int kind = action - kFirstMerge;
    return kind < open_merge_kinds() ? nullptr : kTooFew[static_cast<std::size_t>(kind)];
  }
  const int square = square_of(action);
  if (board_[static_cast<std::size_t>(square)] == 0) return "There is no piece there.";
  if (!side_[to_move_].test(square)) return "That is the opponent's piece.";
  if (kind_[kStone].test(square)) return "Stones never move.";
  if (moved_.test(square)) return "That piece has already moved this turn.";
  return targets_of(square).any() ? nullptr : "That piece has nowhere to go.";
}

const char* Kelasu::why_not_destination(int square) const {
  if (targets_of(anchor_).test(square)) return nullptr;
  if (square == anchor_) return "A piece has to leave its cell.";
  if (side_[to_move_].test(square)) return "Your own piece stands there.";
  switch (piece_of(board_[anchor_])) {
    case kBlank:
      return "A blank steps forward or sideways onto an empty cell.";
    case kWarrior:
      return "A warrior steps forward or sideways, captures diagonally forward, and recalls from the far "
             "rank.";
    case kRunner:
      return "A runner slides diagonally, and its first step cannot capture.";
    case kDiplomat:
      return "A diplomat slides up to 3 cells straight without capturing, or converts a diagonal neighbour.";
    case kChampion:
      return "A champion slides forward, back without capturing, up to 3 sideways, or 1 diagonally forward.";
    case kGeneral:
      return "A general slides in a straight or diagonal line, and nothing may stand in between.";
    case kNone:
    case kStone:
      break;
  }
  return "Stones never move.";
}

const char* Kelasu::why_not_in_merge(int square) const {
  if (legal_squares().test(square)) return nullptr;
  if (!own(kBlank).test(square)) return "Only your own blanks can merge.";
  if (!kMergeGround[to_move_].test(square)) return "Blanks on your two home ranks cannot merge.";
  if (moved_.test(square)) return "A blank that has moved this turn cannot merge.";
  if (selected_.test(square)) return "That blank is already part of the merge.";
  if (stage_ == Stage::MergeTarget) return "Too few blanks are connected to that one.";
  return "That blank does not touch the ones already chosen.";
}

// ---- Identity and views ----------------------------------------------------------------------------------

std::uint64_t Kelasu::hash() const {
  std::uint64_t h = board_key_ ^ turn_key_;
  if (to_move_ == 1) h ^= key(kRedFeature);
  if (acted_) h ^= key(kActedFeature);
  if (stage_ != Stage::Choose)
    h ^= key(kStageFeature, static_cast<int>(stage_)) ^ key(kKindFeature, merge_kind_) ^
         key(kAnchorFeature, anchor_);
  return h ^ key(kEnergyFeature, energy_);
}

bool Kelasu::operator==(const Kelasu& other) const {
  return to_move_ == other.to_move_ && energy_ == other.energy_ && acted_ == other.acted_ &&
         stage_ == other.stage_ && anchor_ == other.anchor_ && merge_kind_ == other.merge_kind_ &&
         moved_ == other.moved_ && selected_ == other.selected_ && board_ == other.board_ &&
         rules_ == other.rules_;
}

void Kelasu::cells(std::span<std::uint8_t> out) const {
  for (int cell = 0; cell < kCells; ++cell)
    out[static_cast<std::size_t>(cell)] = board_[static_cast<std::size_t>(square_of(cell))];
}

void Kelasu::encode(std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0F);
  const auto plane = [&](int index) { return out.subspan(static_cast<std::size_t>(index * kCells), kCells); };
  const auto mark = [&](int index, const Squares& squares) {
    squares.for_each([&](int square) { plane(index)[static_cast<std::size_t>(cell_of(square))] = 1.0F; });
  };
  const auto fill = [&](int index, float value) { std::ranges::fill(plane(index), value); };

  for (int piece = kBlank; piece <= kStone; ++piece) {
    const Squares& both = kind_[static_cast<std::size_t>(piece)];
    mark(kOwn + piece - kBlank, both & side_[to_move_]);
    mark(kOpponent + piece - kBlank, both & side_[1 - to_move_]);
  }
  mark(kMoved, moved_);
  mark(kVictoryTiles, kVictory);
  mark(kEligible, eligible_blanks());
  mark(kSelected, stage_ == Stage::Move ? Squares::single(anchor_) : selected_);
  if (stage_ == Stage::MergeCells) mark(kTarget, Squares::single(anchor_));
  if (merge_kind() >= 0) fill(kKind + merge_kind(), 1.0F);
  fill(kStage + static_cast<int>(stage_), 1.0F);
  fill(kEnergy, static_cast<float>(energy_) / 8.0F);
  fill(kMoverIsBlue, to_move_ == 0 ? 1.0F : 0.0F);
  fill(kQuiet, static_cast<float>(quiet_rounds_) / kQuietLimit);
  fill(kRepetitions, static_cast<float>(repetitions_) / kRepetitionLimit);
}

std::vector<int> Kelasu::cells_of(const Squares& squares) {
  std::vector<int> cells;
  squares.for_each([&](int square) { cells.push_back(cell_of(square)); });
  return cells;
}

int Kelasu::selected_from() const { return stage_ == Stage::Move ? cell_of(anchor_) : -1; }
int Kelasu::merge_kind() const {
  return stage_ == Stage::MergeTarget || stage_ == Stage::MergeCells ? merge_kind_ : -1;
}
int Kelasu::merge_target() const { return stage_ == Stage::MergeCells ? cell_of(anchor_) : -1; }
std::vector<int> Kelasu::selected() const { return cells_of(selected_); }
std::vector<int> Kelasu::moved() const { return cells_of(moved_); }
std::vector<int> Kelasu::movable() const { return cells_of(is_over() ? Squares{} : movable_squares()); }
std::vector<int> Kelasu::targets(int cell) const {
  return cells_of(cell >= 0 && cell < kCells ? targets_of(square_of(cell)) : Squares{});
}
std::vector<int> Kelasu::merge_targets(int kind) const {
  if (is_over() || kind < 0 || kind >= kMergeKinds) return {};
  return cells_of(merge_area(kMergeCost[static_cast<std::size_t>(kind)]));
}

}  // namespace tengen
