#include "games/kelasu/description.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace tengen {

namespace {

using D = Description<Kelasu>;
using Kind = Refused::Kind;

constexpr std::string_view kRanks = "ABCDEFGHIJ";
constexpr std::string_view kKinds = "WRDCGS";
constexpr std::array<const char*, 6> kNames{"warrior", "runner", "diplomat", "champion", "general", "stone"};
constexpr std::string_view kExample = " is not a move such as B1-C1 or =W E0+E1>E1.";

int cost_of(int kind) { return Kelasu::kMergeCost[static_cast<std::size_t>(kind)]; }

std::string cell_name(int cell) {
  return kRanks[static_cast<std::size_t>(cell / Kelasu::kWidth)] + std::to_string(cell % Kelasu::kWidth);
}

bool touch(int a, int b) {
  constexpr int kSide = Kelasu::kWidth;
  return std::abs(a / kSide - b / kSide) + std::abs(a % kSide - b % kSide) == 1;
}

// The target, then again and again the lowest cell that touches those before it. Cells that are not connected
// come last, for the rules to refuse.
ActionList merge_order(std::vector<int> rest, int target) {
  ActionList order{target};
  std::ranges::sort(rest);
  std::erase(rest, target);
  while (!rest.empty()) {
    auto next = std::ranges::find_if(rest, [&](int cell) {
      return std::ranges::any_of(order, [&](int other) { return touch(cell, other); });
    });
    if (next == rest.end()) next = rest.begin();
    order.push_back(*next);
    rest.erase(next);
  }
  return order;
}

// Reads cells such as `B1`, with blanks within and separators between them.
class Cells {
 public:
  explicit Cells(std::string_view text) : text_(text) {}

  OrRefused<std::vector<int>> all() {
    std::vector<int> found;
    std::optional<Refused> beside;  // a later mistake of form is told first
    while (at_ < text_.size()) {
      if (!read_cell()) return Refused{Kind::Notation, quoted(text_) + std::string(kExample)};
      const std::size_t rank = kRanks.find(letter_);
      if (rank == kRanks.npos || file_ >= Kelasu::kWidth) {
        if (!beside)
          beside = Refused{Kind::Illegal, letter_ + std::to_string(file_) +
                                              " is not on the board, which goes from A0 to J9."};
      } else {
        found.push_back(static_cast<int>(rank) * Kelasu::kWidth + file_);
      }
      if (at_ < text_.size()) {
        skip_separators();
        if (at_ == text_.size()) return Refused{Kind::Notation, quoted(text_) + std::string(kExample)};
      }
    }
    if (beside) return *beside;
    return found;
  }

 private:
  static bool is_letter(char c) { return c >= 'A' && c <= 'Z'; }

  // Where the digits of a cell begin whose letter stands at `from`; npos where there is no cell.
  std::size_t digits_after(std::size_t from) const {
    std::size_t at = from + 1;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at < text_.size() && is_digit(text_[at]) ? at : std::string_view::npos;
  }

  bool read_cell() {
    if (!is_letter(text_[at_])) return false;
    const std::size_t digits = digits_after(at_);
    if (digits == std::string_view::npos) return false;
    letter_ = text_[at_];
    file_ = 0;
    at_ = digits;
    for (int count = 0; count < 3 && at_ < text_.size() && is_digit(text_[at_]); ++count)
      file_ = file_ * 10 + (text_[at_++] - '0');
    return true;
  }

  void skip_separators() {
    constexpr std::string_view kSeparators = "-X%@>+,";
    while (at_ < text_.size()) {
      if (!is_blank(text_[at_]) && kSeparators.find(text_[at_]) == kSeparators.npos) return;
      if (text_[at_] == 'X' && digits_after(at_) != std::string_view::npos) return;  // a cell of no rank
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char letter_ = 0;
  int file_ = 0;
};

// An empty text has no cells.
OrRefused<std::vector<int>> read_cells(std::string_view text) { return Cells(stripped(text)).all(); }

OrRefused<ActionList> read_merge(char letter, std::string_view rest) {
  const std::size_t kind = kKinds.find(letter);
  if (kind == kKinds.npos)
    return Refused{Kind::Notation,
                   std::string("Blanks do not merge into '") + letter + "': use one of W R D C G S."};
  const int cost = cost_of(static_cast<int>(kind));
  const std::size_t arrow = rest.find('>');
  const OrRefused<std::vector<int>> read = read_cells(rest.substr(0, arrow));
  if (const Refused* no = std::get_if<Refused>(&read)) return *no;
  const std::vector<int>& cells = *std::get_if<std::vector<int>>(&read);
  std::vector<int> sorted = cells;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return Refused{Kind::Notation, "A merge names each cell once."};
  ActionList actions{Kelasu::kFirstMerge + static_cast<Action>(kind)};
  if (arrow == rest.npos) {
    if (rest.find('+') != rest.npos || static_cast<int>(cells.size()) > cost)
      return Refused{Kind::Notation, "A merge says where the new piece stands, as in =W E0+E1>E1."};
    actions.insert(actions.end(), cells.begin(), cells.end());
    return actions;
  }
  const OrRefused<std::vector<int>> targets = read_cells(rest.substr(arrow + 1));
  if (const Refused* no = std::get_if<Refused>(&targets)) return *no;
  const std::vector<int>& target = *std::get_if<std::vector<int>>(&targets);
  if (target.size() != 1 || cells.empty())
    return Refused{Kind::Notation,
                   "A merge names its cells and one of them as the target, as in =W E0+E1>E1."};
  if (static_cast<int>(cells.size()) != cost)
    return Refused{Kind::Illegal, std::string("A ") + kNames[kind] + " takes " + std::to_string(cost) +
                                      " blanks, not " + std::to_string(cells.size()) + "."};
  if (std::ranges::find(cells, target[0]) == cells.end())
    return Refused{Kind::Illegal, "The new piece stands on one of the merged cells."};
  const ActionList order = merge_order(cells, target[0]);
  actions.insert(actions.end(), order.begin(), order.end());
  return actions;
}

// The actions of one move in upper case, by its form alone.
OrRefused<ActionList> read_move(std::string_view word, const ActionList& begun) {
  std::string dense(word);
  std::erase_if(dense, is_blank);
  if (dense == "END" || dense == "ENDTURN") return ActionList{Kelasu::kEndTurn};
  word = stripped(word);
  if (word[0] == '=') {
    std::string_view rest = stripped(word.substr(1));
    if (!rest.empty() && rest[0] >= 'A' && rest[0] <= 'Z')
      return read_merge(rest[0], stripped(rest.substr(1)));
  }
  const OrRefused<std::vector<int>> read = read_cells(word);
  if (const Refused* no = std::get_if<Refused>(&read)) return *no;
  const std::vector<int>& cells = *std::get_if<std::vector<int>>(&read);
  const std::size_t most =
      begun.empty() ? 2 : static_cast<std::size_t>(D::move_length(begun[0])) - begun.size();
  if (cells.empty() || cells.size() > most)
    return Refused{Kind::Notation,
                   quoted(word) + " is not one move: " +
                       (cells.size() > most ? "put ; between moves" : "a move is written like B1-C1") + "."};
  return ActionList(cells.begin(), cells.end());
}

// Whether those are a whole legal move of a piece, which need not be played to know it.
bool is_simple(const Kelasu& state, const ActionList& move) {
  if (move.size() != 2 || state.stage() != Kelasu::Stage::Choose || move[0] >= Kelasu::kCells) return false;
  if (state.why_illegal(move[0]) != nullptr) return false;
  const std::vector<int> targets = state.targets(move[0]);
  return std::ranges::find(targets, move[1]) != targets.end();
}

std::string stages_text(const ActionList& actions) {
  std::string text;
  for (const Action action : actions) {
    if (!text.empty()) text += ' ';
    if (action >= Kelasu::kFirstMerge)
      text += std::string("=") + kKinds[static_cast<std::size_t>(action - Kelasu::kFirstMerge)];
    else
      text += cell_name(action);
  }
  return text;
}

// A complete move, by a state before its last stage.
std::string whole(const Kelasu& before, const ActionList& move) {
  if (move[0] == Kelasu::kEndTurn) return "end";
  if (move[0] >= Kelasu::kFirstMerge) {
    ActionList cells(move.begin() + 1, move.end());
    std::ranges::sort(cells);
    std::string text = std::string("=") + kKinds[static_cast<std::size_t>(move[0] - Kelasu::kFirstMerge)];
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += i == 0 ? ' ' : '+';
      text += cell_name(cells[i]);
    }
    text += '>';
    return text + cell_name(move[1]);
  }
  const std::string_view kind = D::move_kind(codes_of(before), move[0], move[1]);
  const char* mark = kind == "capture" ? "x" : kind == "convert" ? "%" : kind == "recall" ? "@" : "-";
  return cell_name(move[0]) + mark + cell_name(move[1]);
}

Json moves_of(const Kelasu& state) {
  const std::vector<std::uint8_t> cells = codes_of(state);
  Json::Array moves;
  for (const int from : state.movable()) {
    Json::Array targets;
    for (const int to : state.targets(from))
      targets.push_back(Json::Object{{"cell", to}, {"kind", D::move_kind(cells, from, to)}});
    moves.push_back(Json::Object{{"from", from}, {"targets", std::move(targets)}});
  }
  return moves;
}

Json merges_of(const Kelasu& state) {
  Json::Array merges;
  for (int kind = 0; kind < Kelasu::kMergeKinds; ++kind) {
    const std::vector<int> targets = state.merge_targets(kind);
    if (targets.empty()) continue;
    merges.push_back(Json::Object{{"kind", kKinds.substr(static_cast<std::size_t>(kind), 1)},
                                  {"cost", cost_of(kind)},
                                  {"targets", Json::list(targets)}});
  }
  return merges;
}

}  // namespace

void Noted<Kelasu>::note(const Kelasu& before, Action action, const Kelasu& after) {
  using Stage = Kelasu::Stage;
  if (before.stage() == Stage::Choose || (after.stage() != Stage::Choose && !after.is_over())) return;
  took = false;
  if (before.stage() == Stage::Move) {
    const int from = before.selected_from();
    const int to = Kelasu::square_of(action);
    const bool converts = before.kind(Kelasu::kDiplomat).test(Kelasu::square_of(from));
    took = before.code_at(to) != 0 && !converts;
    cells = {from, action};
  } else {
    cells = before.selected();
    cells.insert(std::upper_bound(cells.begin(), cells.end(), action), action);
  }
}

int D::move_length(Action first) {
  if (first < Kelasu::kFirstMerge) return 2;
  return first == Kelasu::kEndTurn ? 1 : 1 + cost_of(first - Kelasu::kFirstMerge);
}

const char* D::move_kind(std::span<const std::uint8_t> cells, int start, int to) {
  constexpr int kAcross = (Kelasu::kWidth - 1) * Kelasu::kWidth;
  const int piece = (cells[static_cast<std::size_t>(start)] - 1) % Kelasu::kPieces + 1;
  if (piece == Kelasu::kWarrior && std::abs(to - start) == kAcross) return "recall";
  if (cells[static_cast<std::size_t>(to)] == 0) return "move";
  return piece == Kelasu::kDiplomat ? "convert" : "capture";
}

ActionList D::under_way(const Played<Kelasu>& played) {
  using Stage = Kelasu::Stage;
  const Stage stage = played.state.stage();
  if (stage == Stage::Choose) return {};
  return played.log.newest(stage == Stage::MergeCells ? 1 + played.state.selected().size() : 1);
}

View D::view(const Played<Kelasu>& played) {
  const Kelasu& state = played.state;
  const ActionList stages = under_way(played);
  return {
      .board = "squares",
      .width = Kelasu::kWidth,
      .height = Kelasu::kWidth,
      .cells = letters_of(state),
      .to_move = state.to_move(),
      .last = played.noted.cells,
      .captured = played.noted.took ? std::vector<int>{played.noted.cells.back()} : std::vector<int>{},
      .details =
          Json::Object{{"energy", state.energy()},
                       {"quiet_rounds", state.quiet_rounds()},
                       {"moved", Json::list(state.moved())},
                       {"victory_tiles", Json::list(kVictoryTiles)},
                       {"stages", Json::list(stages)},
                       {"moves", moves_of(state)},
                       {"merges", merges_of(state)},
                       {"may_end_turn", stages.empty() && state.why_illegal(Kelasu::kEndTurn) == nullptr}},
  };
}

OrRefused<ActionList> D::parse(const Played<Kelasu>& played, std::string_view text) {
  std::vector<std::string> words;
  const std::string capitals = upper(text);
  for (std::string_view rest = capitals; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    if (!stripped(rest.substr(0, end)).empty()) words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (words.empty() || !is_ascii(text)) return Refused{Kind::Notation, quoted(text) + std::string(kExample)};
  Played<Kelasu> at = played;
  ActionList actions;
  for (const std::string& word : words) {
    const std::string name(stripped(word));
    if (at.state.to_move() != played.state.to_move())
      return Refused{Kind::Illegal, "The turn is over before " + name + "."};
    const OrRefused<ActionList> read = read_move(word, under_way(at));
    if (const Refused* no = std::get_if<Refused>(&read)) return *no;
    const ActionList& move = *std::get_if<ActionList>(&read);
    if (words.size() == 1 && is_simple(at.state, move)) return move;
    for (const Action action : move) {
      if (const char* why = at.state.why_illegal(action))
        return Refused{Kind::Illegal, words.size() == 1 ? why : name + ": " + why};
      at.play(action);
    }
    actions.insert(actions.end(), move.begin(), move.end());
  }
  return actions;
}

OrRefused<std::string> D::format(const Played<Kelasu>& played, const ActionList& actions) {
  if (actions.empty()) return Refused{Kind::Value, "There is no action to write down."};
  if (is_simple(played.state, actions)) return whole(played.state, actions);
  const int mover = played.state.to_move();
  Kelasu state = played.state;
  ActionList move = under_way(played);
  std::size_t written = move.size();  // how much of the move was there before
  std::string text;
  const auto add = [&](const std::string& word) {
    if (!text.empty()) text += ';';
    text += word;
  };
  const auto rest = [&] {
    return ActionList(move.begin() + static_cast<std::ptrdiff_t>(written), move.end());
  };
  for (const Action action : actions) {
    if (state.to_move() != mover)
      return Refused{Kind::Value, "Those actions go on after the end of the turn."};
    if (const char* why = state.why_illegal(action)) return Refused{Kind::Illegal, why};
    const Kelasu before = state;
    state.play(action);
    move.push_back(action);
    if (static_cast<int>(move.size()) < move_length(move[0])) continue;
    add(written > 0 ? stages_text(rest()) : whole(before, move));
    move.clear();
    written = 0;
  }
  if (move.size() > written) add(stages_text(rest()));
  return text;
}

}  // namespace tengen
