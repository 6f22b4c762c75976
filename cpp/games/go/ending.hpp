// How a game of Go stands that may be over: which stones are dead, what is a seki, what the count comes to,
// and whether anybody can still gain anything. The suggestion of GO 18, and what a machine passes by.
//
// Playouts say who would own each point. Chains that live whatever the opponent does (Benson 1976) are safe;
// chains that playouts are sure of are what they say; all others are read (life.hpp), each side first. What
// is dead is lifted, and what then is empty is somebody's territory, dame, or an open border. Start reading
// at GoEnding<Max>::judge().
#pragma once

#include <array>
#include <vector>

#include "bits.hpp"
#include "games/go/go.hpp"

namespace tengen {

struct GoEndingReport {
  std::vector<int> dead;     // every stone of the dead chains
  std::vector<int> seki;     // every stone in seki
  std::vector<int> neutral;  // empty cells that a seki makes nobody's
  std::vector<float> owner;  // by cell, by playouts: 1 Black's to -1 White's
  std::vector<std::uint8_t>
      wasted;                   // by cell: 1 Black's sure territory, 2 White's; a move there costs a point
  float lead = 0;               // Black's, counted with these dead and neutral
  bool closed = false;          // every empty point is somebody's territory or dame
  std::vector<int> dame;        // those between the two sides, which under area scoring are points
  bool urgent = false;          // who moves first decides whether some chain lives
  std::array<bool, 2> gains{};  // by seat: a chain or a territory may be won by moving first
  bool settled = false;         // closed, nothing urgent, and nobody can gain a point any more
};

struct GoEndingEffort {
  int playouts = 400;
  int visits = 400;   // of each reading
  int readings = 24;  // chains and spaces read at most, the largest first
};

// What the players of a stopped game are suggested (GO 18).
constexpr GoEndingEffort kGoSuggestion{.playouts = 600, .visits = 600, .readings = 40};

template <int Max>
class GoEnding {
 public:
  using S = Go<Max>;

  GoEnding(const S& state, const GoEndingEffort& effort, std::uint64_t seed);

  // Whether playouts alone leave more than that share of the cells open: then the game is not over and
  // nothing else is worth asking.
  bool is_open(float most) const;
  // Where nobody asks for the dead and a border is open anyway, nothing is read: what is wasted, and that the
  // game is not over, are the same then.
  GoEndingReport judge(bool dead_matter = true);

 private:
  using Board = typename S::Board;
  using Point = typename Board::Point;
  using Colour = typename Board::Colour;

  struct Chain {
    Colour colour;
    std::vector<int> cells;
    float own = 0;  // the owner's mean hold on it by playouts, 1 all to -1 nothing
    bool safe = false;
    bool dead = false;
    bool critical = false;  // who moves first decides
    bool read = false;      // playouts are not sure of it
    bool checked = false;   // they are, but it lives in a small space
  };
  // A greatest set of empty cells joined through neighbours once the dead are lifted.
  struct Space {
    std::vector<int> cells;
    std::vector<int> chains;  // around it
    int borders = 0;          // bit 0 Black, bit 1 White
  };

  void see_owners(int playouts);
  void see_chains();
  void mark_safe(Colour c);
  std::vector<Chain*> find_unclear();
  void see_firm();
  void check_small_homes();
  bool is_open_anyway();
  bool is_racing(const Chain& chain) const;
  void read_chain(Chain& chain);
  void see_spaces();
  void drop_strays();
  void revive_at_home();
  std::size_t territory_of(int chain) const;  // cells of the territories of its colour that it borders
  void find_seki(GoEndingReport& report) const;
  void see_what_is_left(GoEndingReport& report);
  bool is_dame(const Space& space) const;
  bool is_held(const Space& space, Colour c, bool& sure);
  bool is_weak(int chain) const;
  float own(int cell, Colour c) const {
    return c == Board::kBlack ? owner_[static_cast<std::size_t>(cell)]
                              : -owner_[static_cast<std::size_t>(cell)];
  }
  template <class F>
  void beside(int cell, F&& f) const;  // calls f with the cells beside it

  const S& state_;
  const Board& board_;
  GoEndingEffort effort_;
  Rng rng_;
  std::vector<float> owner_;
  std::vector<Chain> chains_;
  std::vector<int> chain_at_;  // by cell, -1 where no stone is
  std::vector<Space> spaces_;
  Bits<6> firm_;  // cells of chains that nothing is read behind
  int readings_ = 0;
};

}  // namespace tengen
