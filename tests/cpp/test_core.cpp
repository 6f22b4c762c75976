// What the games share: sets of bits, histories, random numbers; and the contract itself, by random play of
// every game, alone and from several threads at once. Start reading at check_state().
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bits.hpp"
#include "check.hpp"
#include "games/dominion_duel/dominion_duel.hpp"
#include "games/go/go.hpp"
#include "games/great_kingdom/great_kingdom.hpp"
#include "games/kelasu/kelasu.hpp"
#include "history.hpp"
#include "rng.hpp"

namespace tengen {
namespace {

// ---- Bits against std::set ----

template <int Words>
std::set<int> members(const Bits<Words>& bits) {
  std::set<int> found;
  bits.for_each([&](int index) {
    CHECK(found.empty() || index > *found.rbegin());
    found.insert(index);
  });
  return found;
}

template <int Words>
std::set<int> shifted(const std::set<int>& from, int by) {
  std::set<int> to;
  for (const int index : from)
    if (index + by >= 0 && index + by < 64 * Words) to.insert(index + by);
  return to;
}

template <int Words, int K>
void check_shift(const Bits<Words>& bits) {
  const std::set<int> was = members(bits);
  CHECK(members(bits.template up<K>()) == shifted<Words>(was, K));
  CHECK(members(bits.template down<K>()) == shifted<Words>(was, -K));
}

template <int Words>
void check_bits(Rng& rng) {
  using B = Bits<Words>;
  constexpr std::uint32_t kRange = 64 * Words;
  for (int round = 0; round < 50; ++round) {
    B a;
    B b;
    for (std::uint32_t i = rng.below(kRange); i > 0; --i) a.set(static_cast<int>(rng.below(kRange)));
    for (std::uint32_t i = rng.below(kRange); i > 0; --i) b.set(static_cast<int>(rng.below(kRange)));
    const std::set<int> in_a = members(a);
    CHECK(a.count() == static_cast<int>(in_a.size()) && a.any() == !in_a.empty() && a.none() == in_a.empty());
    CHECK(in_a.empty() || a.first() == *in_a.begin());
    for (int index = 0; index < static_cast<int>(kRange); ++index) {
      CHECK(a.test(index) == in_a.contains(index));
      CHECK((a & b).test(index) == (a.test(index) && b.test(index)));
      CHECK((a | b).test(index) == (a.test(index) || b.test(index)));
      CHECK((a ^ b).test(index) == (a.test(index) != b.test(index)));
      CHECK(a.without(b).test(index) == (a.test(index) && !b.test(index)));
    }
    B c = a;
    c &= b;
    CHECK(c == (a & b));
    c |= a;
    CHECK(c == a);
    c ^= a;
    CHECK(c.none() && c == B{});
    check_shift<Words, 1>(a);
    check_shift<Words, 8>(a);
    check_shift<Words, 20>(a);
    check_shift<Words, 63>(a);
  }
  for (const int index : {0, 1, 63, static_cast<int>(kRange) - 1}) {
    B one = B::single(index);
    CHECK(one.count() == 1 && one.first() == index && one.test(index));
    one.reset(index);
    CHECK(one.none());
  }
}

// Floods of random areas on a board with a guard column, against a walk from cell to cell.
template <int Words, int Size>
void check_flood(Rng& rng) {
  using B = Bits<Words>;
  constexpr int kStride = Size + 1;
  static_assert(Size * kStride <= 64 * Words);
  B board;
  for (int row = 0; row < Size; ++row)
    for (int column = 0; column < Size; ++column) board.set(row * kStride + column);
  for (int round = 0; round < 30; ++round) {
    B area;
    board.for_each([&](int bit) {
      if (rng.below(5) < 3) area.set(bit);
    });
    if (area.none()) continue;
    const int start = area.first();
    std::set<int> reached{start};
    std::vector<int> stack{start};
    while (!stack.empty()) {
      const int bit = stack.back();
      stack.pop_back();
      const int row = bit / kStride;
      const int column = bit % kStride;
      for (const auto& [r, c] : std::array<std::array<int, 2>, 4>{
               {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}}}) {
        if (r < 0 || r >= Size || c < 0 || c >= Size || !area.test(r * kStride + c)) continue;
        if (reached.insert(r * kStride + c).second) stack.push_back(r * kStride + c);
      }
    }
    CHECK(members(B::single(start).template flood<kStride>(area)) == reached);
  }
  B corner = B::single(Size - 1);
  CHECK((corner.template neighbours<kStride>() & board).count() == (Size > 1 ? 2 : 0));
}

// ---- History ----

template <int ChunkSize>
void check_history() {
  using H = History<int, ChunkSize>;
  std::vector<H> copies;
  std::vector<int> items;
  H history;
  for (int i = 0; i < 5 * ChunkSize + 3; ++i) {
    copies.push_back(history);
    CHECK(history.size() == items.size() && history.items() == items);
    history.push(i % 7);
    items.push_back(i % 7);
  }
  for (int value = -1; value < 8; ++value)
    CHECK(history.count(value) == static_cast<int>(std::count(items.begin(), items.end(), value)));

  // A copy goes its own way, and the others do not see it.
  for (std::size_t length = 0; length < copies.size(); ++length) {
    H other = copies[length];
    for (int i = 0; i < 2 * ChunkSize; ++i) other.push(-1);
    CHECK(other.count(-1) == 2 * ChunkSize && other.size() == length + 2 * ChunkSize);
    const std::vector<int> all = other.items();
    CHECK(std::equal(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(length), all.begin()));
    CHECK(copies[length].count(-1) == 0 && copies[length].size() == length);
  }
  CHECK(history.items() == items && history.count(-1) == 0);
  for (std::size_t count = 0; count <= items.size(); ++count)
    CHECK(history.newest(count) ==
          std::vector<int>(items.end() - static_cast<std::ptrdiff_t>(count), items.end()));

  history.clear();
  CHECK(history.size() == 0 && history.items().empty() && history.count(0) == 0);
  history.push(4);
  CHECK(history.items() == std::vector<int>{4});
}

// ---- Rng ----

void check_rng() {
  Rng one(1);
  Rng same(1);
  Rng other(2);
  int differences = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t value = one.next();
    CHECK(value == same.next());
    differences += value != other.next();
  }
  CHECK(differences > 90);

  Rng rng(5);
  for (const std::uint32_t bound :
       {1U, 2U, 3U, 7U, 362U, 1U << 31, std::numeric_limits<std::uint32_t>::max()})
    for (int i = 0; i < 1000; ++i) CHECK(rng.below(bound) < bound);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  for (const int count : counts) CHECK(count > 9500 && count < 10500);  // five standard deviations

  std::set<std::uint64_t> keys;
  for (std::uint64_t feature = 0; feature < 10000; ++feature) keys.insert(zobrist(feature));
  CHECK(keys.size() == 10000 && !keys.contains(0));
}

// ---- The contract ----

bool is_sentence(const char* text) {
  return text != nullptr && std::strlen(text) > 5 && text[std::strlen(text) - 1] == '.';
}

template <GameState S>
std::vector<std::uint8_t> cells_of(const S& state) {
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(state.cell_count()), 0xee);
  state.cells(cells);
  return cells;
}

template <GameState S>
std::vector<float> planes_of(const S& state) {
  std::vector<float> planes(static_cast<std::size_t>(state.planes().size()),
                            std::numeric_limits<float>::quiet_NaN());
  state.encode(planes);
  return planes;
}

template <GameState S>
void check_state(const S& state, const ActionList& legal) {
  CHECK(std::adjacent_find(legal.begin(), legal.end(), std::greater_equal<>()) == legal.end());
  CHECK(legal.empty() == state.is_over());
  CHECK(state.to_move() == 0 || state.to_move() == 1);
  for (Action action = -2; action < state.action_count() + 2; ++action) {
    const char* why = state.why_illegal(action);
    CHECK(std::binary_search(legal.begin(), legal.end(), action) ? why == nullptr : is_sentence(why));
  }
  CHECK(is_sentence(state.why_illegal(std::numeric_limits<Action>::min())));
  CHECK(is_sentence(state.why_illegal(std::numeric_limits<Action>::max())));
  const std::vector<float> planes = planes_of(state);
  CHECK(std::all_of(planes.begin(), planes.end(), [](float x) { return x >= -100 && x <= 100; }));
  const std::vector<std::uint8_t> cells = cells_of(state);
  CHECK(std::all_of(cells.begin(), cells.end(), [](int code) { return code < 15; }));
}

// One random game; returns the hashes of its positions. `thorough` looks at every state from all sides.
template <GameState S>
std::vector<std::uint64_t> play_game(const typename S::Rules& rules, std::uint64_t seed, bool thorough) {
  constexpr int kLongest = 20000;
  Rng rng(seed);
  S state(rules);
  ActionList legal;
  std::vector<std::uint64_t> hashes{state.hash()};
  for (int made = 0; made < kLongest; ++made) {
    state.legal_actions(legal);
    if (thorough && (made < 10 || made % 16 == 0 || legal.empty())) check_state(state, legal);
    if (legal.empty()) break;
    const Action action = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
    const S before = state;
    state.play(action);
    if (thorough && made % 4 == 0) {
      CHECK(state != before && state.hash() != before.hash());
      S again = before;
      again.play(action);
      CHECK(again == state && again.hash() == state.hash());
      CHECK(cells_of(before).size() == cells_of(state).size());
    }
    if (thorough && made % 64 == 0) {
      S copy = before;
      Rng one(seed + 1);
      const PlayoutResult result = copy.playout(one);
      CHECK(result.winner >= kDraw && result.winner <= 1 && result.actions > 0);
      S same = before;
      Rng other(seed + 1);
      CHECK(same.playout(other).actions == result.actions);
    }
    hashes.push_back(state.hash());
  }
  CHECK(state.is_over());
  if (state.is_over()) {
    const Outcome outcome = state.outcome();
    CHECK(outcome.winner >= kDraw && outcome.winner <= 1 && std::strlen(outcome.reason) > 0);
  }
  return hashes;
}

using Game = std::vector<std::uint64_t> (*)(std::uint64_t seed, bool thorough);

// Every template, with the smallest, an odd and the largest board that it is for.
const std::vector<Game> kGames{
    [](auto seed, bool all) { return play_game<Go9>({.size = 2}, seed, all); },
    [](auto seed, bool all) { return play_game<Go9>({.size = 5, .superko = true, .area = true}, seed, all); },
    [](auto seed, bool all) { return play_game<Go9>({.size = 9, .handicap = 4}, seed, all); },
    [](auto seed, bool all) { return play_game<Go19>({.size = 13, .superko = true}, seed, all); },
    [](auto seed, bool all) { return play_game<Go19>({.size = 19}, seed, all); },
    [](auto seed, bool all) { return play_game<GreatKingdom<7>>({.size = 3}, seed, all); },
    [](auto seed, bool all) {
      return play_game<GreatKingdom<7>>({.size = 7, .suicide_loses = false, .castles = 10}, seed, all);
    },
    [](auto seed, bool all) { return play_game<GreatKingdom<9>>({.size = 8, .neutral = false}, seed, all); },
    [](auto seed, bool all) {
      return play_game<GreatKingdom<9>>({.enter_enemy_territory = false, .castles = 40}, seed, all);
    },
    [](auto seed, bool all) {
      return play_game<GreatKingdom<19>>({.size = 19, .suicide_loses = false}, seed, all);
    },
    [](auto seed, bool all) { return play_game<Kelasu>({}, seed, all); },
    [](auto seed, bool all) { return play_game<Kelasu>({.may_end_turn_early = true}, seed, all); },
    [](auto seed, bool all) { return play_game<ShortDominionDuel>({.n = 1}, seed, all); },
    [](auto seed, bool all) { return play_game<ShortDominionDuel>({.n = 64}, seed, all); },
    [](auto seed, bool all) { return play_game<LongDominionDuel>({.n = 65}, seed, all); },
    [](auto seed, bool all) { return play_game<LongDominionDuel>({.n = 300}, seed, all); },
};

// Threads that each play all games, in different orders, see what one thread sees.
void check_threads() {
  constexpr std::size_t kThreads = 4;
  std::vector<std::vector<std::uint64_t>> expected;
  for (const Game game : kGames) expected.push_back(game(9, false));
  std::vector<std::vector<std::vector<std::uint64_t>>> found(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&found, t] {
      found[t].resize(kGames.size());
      for (std::size_t i = 0; i < kGames.size(); ++i) {
        const std::size_t number = (i + t * 5) % kGames.size();
        found[t][number] = kGames[number](9, false);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < kThreads; ++t) CHECK(found[t] == expected);
}

}  // namespace
}  // namespace tengen

void test_core() {
  using namespace tengen;
  Rng rng(1);
  check_bits<1>(rng);
  check_bits<2>(rng);
  check_bits<6>(rng);
  check_flood<1, 7>(rng);
  check_flood<2, 9>(rng);
  check_flood<2, 10>(rng);
  check_flood<6, 19>(rng);
  check_history<1>();
  check_history<4>();
  check_history<32>();
  check_rng();
  for (const Game game : kGames) {
    const auto first = game(1, true);
    CHECK(first == game(1, false));
    CHECK(game(2, true).size() > 1);
  }
  check_threads();
}
