#include "games/dominion_duel/dominion_duel.hpp"

#include <algorithm>

namespace tengen {

void DominionDuelRules::validate() const {
  if (n < 1 || n > kLargest)
    fail<InvalidOption>("n must be a whole number from 1 to " + std::to_string(kLargest) + ", not " +
                        std::to_string(n) + ".");
}

template <class Row>
DominionDuel<Row>::DominionDuel(const Rules& rules)
    : rules_(rules), open_(rules.n), claimed_{Row(rules.n), Row(rules.n)}, open_count_(rules.n) {
  for (int i = 0; i < rules.n; ++i) open_.set(i);
}

template <class Row>
DominionDuel<Row> DominionDuel<Row>::from_cells(const Rules& rules, std::span<const std::uint8_t> cells,
                                                int to_move) {
  if (static_cast<int>(cells.size()) != rules.n) fail<InvalidPosition>("The row has the wrong length.");
  const auto claimed = [&](int i) {
    if (i < 0 || i >= rules.n) return false;
    const auto cell = cells[static_cast<std::size_t>(i)];
    return cell == kFirst || cell == kSecond;
  };
  DominionDuel state(rules);
  for (int i = 0; i < rules.n; ++i) {
    const auto cell = cells[static_cast<std::size_t>(i)];
    if (cell > kLocked) fail<InvalidPosition>("A territory is open, claimed or locked.");
    const bool beside_claim = claimed(i - 1) || claimed(i + 1);
    if (claimed(i) && beside_claim) fail<InvalidPosition>("Two neighbouring territories are both claimed.");
    if (cell == kOpen && beside_claim)
      fail<InvalidPosition>("A territory beside a claimed one must be locked.");
    if (cell == kLocked && !beside_claim)
      fail<InvalidPosition>("A locked territory has no claimed neighbour.");
    if (!claimed(i)) continue;
    state.to_move_ = cell == kFirst ? 0 : 1;
    state.play(i);
  }
  const int lead = state.claims_[0] - state.claims_[1];
  if (lead < 0 || lead > 1)
    fail<InvalidPosition>("Players alternate, so X has as many claims as O or one more.");
  if (to_move != lead)
    fail<InvalidPosition>(lead == 0 ? "With as many claims on both sides it is the first player's turn."
                                    : "With one claim more for X it is the second player's turn.");
  state.to_move_ = to_move;
  return state;
}

template <class Row>
Outcome DominionDuel<Row>::outcome() const {
  const int winner = claims_[0] == claims_[1] ? kDraw : claims_[0] > claims_[1] ? 0 : 1;
  return {winner, "claims", true, score()};
}

template <class Row>
const char* DominionDuel<Row>::why_illegal(Action action) const {
  if (is_over()) return "The game is over.";
  if (action < 0 || action >= rules_.n) return "There is no such territory.";
  if (open_.test(action)) return nullptr;
  if (claimed_[0].test(action) || claimed_[1].test(action)) return "That territory is already claimed.";
  return "That territory is locked, since a neighbour of it is claimed.";
}

template <class Row>
void DominionDuel<Row>::legal_actions(ActionList& actions) const {
  actions.clear();
  for (int i = 0; i < rules_.n; ++i)
    if (open_.test(i)) actions.push_back(i);
}

template <class Row>
void DominionDuel<Row>::lock(int territory) {
  if (territory < 0 || territory >= rules_.n || !open_.test(territory)) return;
  open_.reset(territory);
  --open_count_;
}

template <class Row>
void DominionDuel<Row>::play(Action action) {
  const auto seat = static_cast<std::size_t>(to_move_);
  lock(action);
  claimed_[seat].set(action);
  ++claims_[seat];
  lock(action - 1);
  lock(action + 1);
  hash_ ^= zobrist(static_cast<std::uint64_t>(2 * action + to_move_));
  to_move_ = 1 - to_move_;
}

template <class Row>
void DominionDuel<Row>::cells(std::span<std::uint8_t> out) const {
  for (int i = 0; i < rules_.n; ++i)
    out[static_cast<std::size_t>(i)] = claimed_[0].test(i)   ? kFirst
                                       : claimed_[1].test(i) ? kSecond
                                       : open_.test(i)       ? kOpen
                                                             : kLocked;
}

template <class Row>
void DominionDuel<Row>::encode(std::span<float> out) const {
  const auto n = static_cast<std::size_t>(rules_.n);
  std::fill(out.begin(), out.end(), 0.0f);
  std::vector<std::uint8_t> row(n);
  cells(row);
  for (std::size_t i = 0; i < n; ++i) {
    if (row[i] == kFirst + to_move_) out[kOwn * n + i] = 1;
    if (row[i] == kSecond - to_move_) out[kOpponent * n + i] = 1;
    if (row[i] == kLocked) out[kLockedPlane * n + i] = 1;
    if (to_move_ == 0) out[kMoverIsFirst * n + i] = 1;
  }
}

template <class Row>
PlayoutResult DominionDuel<Row>::playout(Rng& rng) {
  int made = 0;
  while (!is_over()) {
    int index = static_cast<int>(rng.below(static_cast<std::uint32_t>(rules_.n)));
    while (!open_.test(index)) index = static_cast<int>(rng.below(static_cast<std::uint32_t>(rules_.n)));
    play(index);
    ++made;
  }
  return {outcome().winner, made};
}

template class DominionDuel<ShortRow>;
template class DominionDuel<LongRow>;
static_assert(GameState<ShortDominionDuel> && GameState<LongDominionDuel>);

}  // namespace tengen
