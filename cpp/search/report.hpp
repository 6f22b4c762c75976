// What every search is asked for and tells, whatever it is made of.
#pragma once

#include <cstdint>
#include <vector>

#include "search/heuristics.hpp"

namespace tengen {

struct SearchLimits {
  std::int64_t visits = 0;  // simulations of this run; 0 is no limit
  std::int64_t ms = 0;      // wall clock of this run; 0 is no limit
  int threads = 1;
  bool stop_when_clear = false;  // end early when no other move can catch up
};

// One move of the root. Win and score are from the side of the root's mover.
struct SearchedMove {
  Action action = -1;
  std::uint32_t visits = 0;
  float win = 0;
  float score = 0;
  int winner = kUnknown;     // 0, 1 or kDraw when proven
  std::vector<Action> line;  // the principal variation, this move first
  float prior = 0;           // its share of what was thought of the moves before any visit
};

struct SearchReport {
  std::uint64_t visits = 0;  // in the tree below the root
  float win = 0.5f;
  float score = 0;
  int winner = kUnknown;
  std::vector<SearchedMove> moves;  // best first
  std::vector<float> owner;         // by cell, +1 seat 0 to -1 seat 1; empty where the game has none
};

}  // namespace tengen
