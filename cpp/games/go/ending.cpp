#include "games/go/ending.hpp"

#include <algorithm>
#include <numeric>

#include "games/go/life.hpp"

namespace tengen {
namespace {

constexpr float kSure = 0.75f;        // hold by playouts that needs no reading
constexpr float kUnclearCell = 0.5f;  // and one that says little
// Shares of a chain kept in reading: it lives if the mean of both sides first is above the first, and who
// moves first decides if that changes its share from below the second to above the third.
constexpr float kAlive = 0.5f;
constexpr float kLost = 0.35f;
constexpr float kKept = 0.65f;
constexpr float kRevived = 0.8f;       // the third for chains that are dead on the whole
constexpr float kSureSpace = 0.75f;    // mean hold on a territory that needs no reading
constexpr float kCertainSpace = 0.9f;  // and on one that a move inside cannot be worth anything
constexpr float kHeldSpace = 0.55f;    // and the share kept in reading, which grows with the visits
constexpr int kFewLiberties = 4;
constexpr std::size_t kSekiSpace = 5;  // shared liberties of a seki, no more
constexpr std::size_t kSekiEye = 2;    // points that chains in a seki may have for themselves
constexpr float kStray = 0.5f;         // hold on a chain that may be given up, at most
constexpr float kGivenSpace = 0.2f;    // and the other side's on the space that it stands in, at least
constexpr std::size_t kSmallHome = 8;  // points in which it may take a move to live
constexpr int kSteps = 3;              // how far around a chain reading looks

}  // namespace

template <int Max>
GoEnding<Max>::GoEnding(const S& state, const GoEndingEffort& effort, std::uint64_t seed)
    : state_(state), board_(state.board()), effort_(effort), rng_(seed) {
  see_owners(effort.playouts);
}

template <int Max>
template <class F>
void GoEnding<Max>::beside(int cell, F&& f) const {
  Board::beside(board_.point(cell), [&](std::size_t q) {
    if (board_.at(static_cast<int>(q)) != Board::kEdge) f(board_.cell(static_cast<Point>(q)));
  });
}

// The mean owner of each cell over playouts with each side first in turn.
template <int Max>
void GoEnding<Max>::see_owners(int playouts) {
  Heuristics<S> heuristics;
  Trace trace;
  trace.first.resize(static_cast<std::size_t>(state_.action_count()));
  trace.owner.resize(static_cast<std::size_t>(state_.cell_count()));
  owner_.assign(trace.owner.size(), 0);
  for (int i = 0; i < playouts; ++i) {
    S state = state_;
    state.resume(i % 2);
    heuristics.playout(state, Heuristics<S>::settings(), rng_, trace);
    for (std::size_t cell = 0; cell < owner_.size(); ++cell)
      owner_[cell] += static_cast<float>(trace.owner[cell]);
  }
  for (float& value : owner_) value /= static_cast<float>(std::max(1, playouts));
}

template <int Max>
bool GoEnding<Max>::is_open(float most) const {
  const auto unclear =
      std::count_if(owner_.begin(), owner_.end(), [](float o) { return std::abs(o) < kUnclearCell; });
  return static_cast<float>(unclear) > most * static_cast<float>(owner_.size());
}

template <int Max>
GoEndingReport GoEnding<Max>::judge(bool dead_matter) {
  see_chains();
  mark_safe(Board::kBlack);
  mark_safe(Board::kWhite);
  const std::vector<Chain*> unclear = find_unclear();
  see_firm();
  if (!dead_matter && is_open_anyway()) {
    readings_ = effort_.readings;
  } else {
    for (Chain* chain : unclear) read_chain(*chain);
  }
  see_spaces();
  if (state_.passes() > 0) drop_strays();
  revive_at_home();
  check_small_homes();
  GoEndingReport report;
  report.owner = owner_;
  for (const Chain& chain : chains_)
    if (chain.dead) report.dead.insert(report.dead.end(), chain.cells.begin(), chain.cells.end());
  find_seki(report);
  std::sort(report.dead.begin(), report.dead.end());
  const auto points = state_.score(report.dead, report.neutral).points;
  report.lead = static_cast<float>(points[0] - points[1]);
  see_what_is_left(report);
  return report;
}

template <int Max>
void GoEnding<Max>::see_chains() {
  chain_at_.assign(owner_.size(), -1);
  for (int cell = 0; cell < state_.cell_count(); ++cell) {
    const Point p = board_.point(cell);
    if (board_.at(p) == Board::kEmpty || chain_at_[static_cast<std::size_t>(cell)] >= 0) continue;
    Chain chain{board_.at(p), {}};
    Point at = p;
    do {
      const int stone = board_.cell(at);
      chain_at_[static_cast<std::size_t>(stone)] = static_cast<int>(chains_.size());
      chain.cells.push_back(stone);
      chain.own += own(stone, chain.colour);
      at = board_.next(at);
    } while (at != p);
    chain.own /= static_cast<float>(chain.cells.size());
    chains_.push_back(std::move(chain));
  }
}

// Benson's algorithm: chains of that colour that live even if their owner always passes. Where suicide is
// allowed, stones inside an eye can vanish and come back in another shape, so their points must touch too.
template <int Max>
void GoEnding<Max>::mark_safe(Colour c) {
  struct Area {
    std::vector<int> chains;  // around it
    std::vector<int> vital_to;
  };
  std::vector<Area> areas;
  std::vector<bool> seen(owner_.size());
  for (int start = 0; start < state_.cell_count(); ++start) {
    const auto is_inside = [&](int cell) { return board_.at(board_.point(cell)) != c; };
    if (seen[static_cast<std::size_t>(start)] || !is_inside(start)) continue;
    std::vector<int> cells{start};
    seen[static_cast<std::size_t>(start)] = true;
    Area area;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      beside(cells[i], [&](int cell) {
        if (!is_inside(cell)) {
          area.chains.push_back(chain_at_[static_cast<std::size_t>(cell)]);
        } else if (!seen[static_cast<std::size_t>(cell)]) {
          seen[static_cast<std::size_t>(cell)] = true;
          cells.push_back(cell);
        }
      });
    }
    std::sort(area.chains.begin(), area.chains.end());
    area.chains.erase(std::unique(area.chains.begin(), area.chains.end()), area.chains.end());
    for (const int chain : area.chains) {
      const bool vital = std::all_of(cells.begin(), cells.end(), [&](int cell) {
        bool touches = !state_.rules().suicide && board_.at(board_.point(cell)) != Board::kEmpty;
        beside(cell, [&](int n) { touches |= chain_at_[static_cast<std::size_t>(n)] == chain; });
        return touches;
      });
      if (vital) area.vital_to.push_back(chain);
    }
    areas.push_back(std::move(area));
  }
  std::vector<bool> alive(chains_.size());
  for (std::size_t i = 0; i < chains_.size(); ++i) alive[i] = chains_[i].colour == c;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<int> eyes(chains_.size());
    for (const Area& area : areas) {
      const bool sound = !area.chains.empty() &&
                         std::all_of(area.chains.begin(), area.chains.end(),
                                     [&](int chain) { return alive[static_cast<std::size_t>(chain)]; });
      if (!sound) continue;
      for (const int chain : area.vital_to) ++eyes[static_cast<std::size_t>(chain)];
    }
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (!alive[i] || eyes[i] >= 2) continue;
      alive[i] = false;
      changed = true;
    }
  }
  for (std::size_t i = 0; i < chains_.size(); ++i)
    if (alive[i]) chains_[i].safe = true;
}

// The chains that have to be read, the largest first; all others are what playouts say.
template <int Max>
std::vector<typename GoEnding<Max>::Chain*> GoEnding<Max>::find_unclear() {
  std::vector<Chain*> unclear;
  for (Chain& chain : chains_) {
    if (chain.safe) continue;
    chain.dead = chain.own < 0;
    if (std::abs(chain.own) < kSure || (chain.dead && is_racing(chain))) unclear.push_back(&chain);
  }
  std::stable_sort(unclear.begin(), unclear.end(),
                   [](const Chain* a, const Chain* b) { return a->cells.size() > b->cells.size(); });
  unclear.resize(std::min(unclear.size(), static_cast<std::size_t>(effort_.readings)));
  for (Chain* chain : unclear) chain->read = true;
  return unclear;
}

// Walls whose fate is not in doubt: what stands inside one is not read beyond it, where moves that change
// nothing would hide the few that do.
template <int Max>
void GoEnding<Max>::see_firm() {
  for (const Chain& chain : chains_) {
    if (chain.read || chain.dead) continue;
    const int liberties = board_.count_liberties(board_.point(chain.cells[0]));
    if (chain.safe || (chain.own >= kSure && liberties > kFewLiberties))
      for (const int cell : chain.cells) firm_.set(cell);
  }
}

// Whether a border is open whatever reading would say: no chain around it, or dead inside it, has to be read.
template <int Max>
bool GoEnding<Max>::is_open_anyway() {
  see_spaces();
  const auto is_read = [&](int chain) { return chain >= 0 && chains_[static_cast<std::size_t>(chain)].read; };
  const bool open = std::any_of(spaces_.begin(), spaces_.end(), [&](const Space& space) {
    return space.borders == (Board::kBlack | Board::kWhite) &&
           std::none_of(space.chains.begin(), space.chains.end(), is_read) &&
           std::none_of(space.cells.begin(), space.cells.end(),
                        [&](int cell) { return is_read(chain_at_[static_cast<std::size_t>(cell)]); }) &&
           !is_dame(space);
  });
  spaces_.clear();
  return open;
}

// Beside an enemy chain that is short of liberties itself. Playouts are wrong about sekis with much
// conviction.
template <int Max>
bool GoEnding<Max>::is_racing(const Chain& chain) const {
  bool racing = false;
  for (const int stone : chain.cells) {
    beside(stone, [&](int cell) {
      const int other = chain_at_[static_cast<std::size_t>(cell)];
      if (racing || other < 0) return;
      const Chain& enemy = chains_[static_cast<std::size_t>(other)];
      racing = enemy.colour != chain.colour && !enemy.safe &&
               board_.count_liberties(board_.point(cell)) <= kFewLiberties;
    });
  }
  return racing;
}

template <int Max>
void GoEnding<Max>::read_chain(Chain& chain) {
  ++readings_;
  const int seat = chain.colour == Board::kBlack ? 0 : 1;
  const auto keeps = [&](int first) {
    return go_life<Max>(state_, chain.cells, chain.colour, true, firm_, first, effort_.visits, kSteps,
                        rng_.next());
  };
  const float attacked = keeps(1 - seat);
  const float defended = attacked >= kKept ? 1 : keeps(seat);
  chain.dead = attacked + defended < 2 * kAlive;
  chain.critical = attacked < kLost && defended > (chain.dead ? kRevived : kKept);
}

template <int Max>
void GoEnding<Max>::see_spaces() {
  std::vector<bool> seen(owner_.size());
  const auto is_empty = [&](int cell) {
    const int chain = chain_at_[static_cast<std::size_t>(cell)];
    return chain < 0 || chains_[static_cast<std::size_t>(chain)].dead;
  };
  for (int start = 0; start < state_.cell_count(); ++start) {
    if (seen[static_cast<std::size_t>(start)] || !is_empty(start)) continue;
    Space space;
    space.cells.push_back(start);
    seen[static_cast<std::size_t>(start)] = true;
    for (std::size_t i = 0; i < space.cells.size(); ++i) {
      beside(space.cells[i], [&](int cell) {
        if (!is_empty(cell)) {
          const int chain = chain_at_[static_cast<std::size_t>(cell)];
          space.chains.push_back(chain);
          space.borders |= chains_[static_cast<std::size_t>(chain)].colour;
        } else if (!seen[static_cast<std::size_t>(cell)]) {
          seen[static_cast<std::size_t>(cell)] = true;
          space.cells.push_back(cell);
        }
      });
    }
    std::sort(space.chains.begin(), space.chains.end());
    space.chains.erase(std::unique(space.chains.begin(), space.chains.end()), space.chains.end());
    spaces_.push_back(std::move(space));
  }
}

template <int Max>
std::size_t GoEnding<Max>::territory_of(int index) const {
  const Colour colour = chains_[static_cast<std::size_t>(index)].colour;
  std::size_t territory = 0;
  for (const Space& space : spaces_)
    if (space.borders == colour && std::binary_search(space.chains.begin(), space.chains.end(), index))
      territory += space.cells.size();
  return territory;
}

// Playouts seldom find the one point that kills or saves a group in a small space, and are sure of it all the
// same. What they say of such chains stands, but whether a first move changes that is read.
template <int Max>
void GoEnding<Max>::check_small_homes() {
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    Chain& chain = chains_[i];
    if (chain.safe || chain.dead || chain.read) continue;
    const std::size_t home = territory_of(static_cast<int>(i));
    if (home == 0 || home > kSmallHome) continue;
    chain.checked = true;
    if (readings_ >= effort_.readings) continue;
    ++readings_;
    const int seat = chain.colour == Board::kBlack ? 0 : 1;
    chain.critical = go_life<Max>(state_, chain.cells, chain.colour, true, firm_, 1 - seat, effort_.visits,
                                  kSteps, rng_.next()) < kLost;
  }
}

// Who passes says that nothing is left to play for. So where it then seems to have a space that is
// open to both sides, the chains that only stand in it were given up, if playouts give it to the other side.
template <int Max>
void GoEnding<Max>::drop_strays() {
  std::vector<int> strays;
  for (const Space& space : spaces_) {
    if (space.borders != (Board::kBlack | Board::kWhite) || space.cells.size() <= kSekiSpace) continue;
    if (is_dame(space)) continue;
    float hold = 0;
    for (const int cell : space.cells) hold += own(cell, Board::kBlack);
    hold /= static_cast<float>(space.cells.size());
    if (std::abs(hold) < kGivenSpace) continue;
    const Colour loser = hold > 0 ? Board::kWhite : Board::kBlack;
    for (const int index : space.chains) {
      const Chain& chain = chains_[static_cast<std::size_t>(index)];
      if (chain.colour == loser && !chain.safe && chain.own < kStray && territory_of(index) == 0)
        strays.push_back(index);
    }
  }
  if (strays.empty()) return;
  for (const int index : strays) {
    chains_[static_cast<std::size_t>(index)].dead = true;
    chains_[static_cast<std::size_t>(index)].critical = false;
  }
  spaces_.clear();
  see_spaces();
}

// No stone is dead among its own: where the dead are lifted and only their owner is left around a space,
// those of that owner live.
template <int Max>
void GoEnding<Max>::revive_at_home() {
  bool revived = false;
  for (const Space& space : spaces_) {
    for (const int cell : space.cells) {
      const int index = chain_at_[static_cast<std::size_t>(cell)];
      if (index < 0) continue;
      Chain& chain = chains_[static_cast<std::size_t>(index)];
      if (!chain.dead || space.borders != chain.colour) continue;
      chain.dead = false;
      revived = true;
    }
  }
  if (!revived) return;
  spaces_.clear();
  see_spaces();
}

// A living chain that lives by no territory of its own: playouts were not sure of it, and what it surrounds
// is at most an eye.
template <int Max>
bool GoEnding<Max>::is_weak(int index) const {
  const Chain& chain = chains_[static_cast<std::size_t>(index)];
  if (chain.safe || chain.dead || chain.critical || !chain.read) return false;
  return territory_of(index) <= kSekiEye;
}

// Where weak chains of both colours share liberties, nobody can attack: all of them are in seki.
template <int Max>
void GoEnding<Max>::find_seki(GoEndingReport& report) const {
  std::vector<bool> in_seki(chains_.size());
  for (const Space& space : spaces_) {
    if (space.borders != (Board::kBlack | Board::kWhite) || space.cells.size() > kSekiSpace) continue;
    int weak = 0;
    for (const int chain : space.chains)
      if (is_weak(chain)) weak |= chains_[static_cast<std::size_t>(chain)].colour;
    if (weak != (Board::kBlack | Board::kWhite)) continue;
    for (const int chain : space.chains)
      if (is_weak(chain)) in_seki[static_cast<std::size_t>(chain)] = true;
  }
  for (std::size_t i = 0; i < chains_.size(); ++i)
    if (in_seki[i]) report.seki.insert(report.seki.end(), chains_[i].cells.begin(), chains_[i].cells.end());
  for (const Space& space : spaces_) {
    const bool all = !space.chains.empty() &&
                     std::all_of(space.chains.begin(), space.chains.end(),
                                 [&](int chain) { return in_seki[static_cast<std::size_t>(chain)]; });
    if (all) report.neutral.insert(report.neutral.end(), space.cells.begin(), space.cells.end());
  }
  std::sort(report.seki.begin(), report.seki.end());
  std::sort(report.neutral.begin(), report.neutral.end());
}

// Points between the two sides that make nobody's territory larger: each touches both.
template <int Max>
bool GoEnding<Max>::is_dame(const Space& space) const {
  return std::all_of(space.cells.begin(), space.cells.end(), [&](int cell) {
    int touches = 0;
    beside(cell, [&](int n) {
      const int chain = chain_at_[static_cast<std::size_t>(n)];
      if (chain >= 0 && !chains_[static_cast<std::size_t>(chain)].dead)
        touches |= chains_[static_cast<std::size_t>(chain)].colour;
    });
    return touches == (Board::kBlack | Board::kWhite);
  });
}

// Whether an invasion of that territory fails. `sure` when playouts say so almost always.
template <int Max>
bool GoEnding<Max>::is_held(const Space& space, Colour c, bool& sure) {
  float sum = 0;
  for (const int cell : space.cells) sum += own(cell, c);
  sum /= static_cast<float>(space.cells.size());
  sure = sum >= kCertainSpace;
  if (sum >= kSureSpace) return true;
  if (readings_ >= effort_.readings) return false;
  ++readings_;
  const int seat = c == Board::kBlack ? 0 : 1;
  return go_life<Max>(state_, space.cells, c, false, {}, 1 - seat, effort_.visits, 1, rng_.next()) >=
         kHeldSpace;
}

template <int Max>
void GoEnding<Max>::see_what_is_left(GoEndingReport& report) {
  report.closed = true;
  report.wasted.assign(owner_.size(), 0);
  const auto seat_of = [](Colour c) { return c == Board::kBlack ? 0u : 1u; };
  for (const Chain& chain : chains_) {
    if (!chain.critical) continue;
    report.urgent = true;
    report.gains[chain.dead ? seat_of(chain.colour) : 1 - seat_of(chain.colour)] = true;
  }
  for (const Space& space : spaces_) {
    if (std::binary_search(report.neutral.begin(), report.neutral.end(), space.cells[0])) continue;
    if (space.borders != Board::kBlack && space.borders != Board::kWhite) {
      report.closed &= space.borders != 0 && is_dame(space);
      report.dame.insert(report.dame.end(), space.cells.begin(), space.cells.end());
      continue;
    }
    const auto c = static_cast<Colour>(space.borders);
    bool sure = false;
    if (!is_held(space, c, sure)) report.gains[1 - seat_of(c)] = true;
    // What had to be read may have been misread, and then a move there decides it.
    for (const int chain : space.chains) {
      const Chain& around = chains_[static_cast<std::size_t>(chain)];
      sure &= !around.read && !around.checked;
    }
    for (const int cell : space.cells) {
      const int chain = chain_at_[static_cast<std::size_t>(cell)];
      sure &= chain < 0 || !chains_[static_cast<std::size_t>(chain)].read;
    }
    if (!sure) continue;
    for (const int cell : space.cells)
      if (chain_at_[static_cast<std::size_t>(cell)] < 0)
        report.wasted[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(c);
  }
  report.settled = report.closed && !report.gains[0] && !report.gains[1];
}

template class GoEnding<9>;
template class GoEnding<19>;

}  // namespace tengen
