// The net of a brain, run without ONNX Runtime: the residual tower that src/tengen/learn/export.py writes in
// int8, for the browser, where a runtime would weigh ten times the rest of the engine.
//
// Whole numbers are computed exactly and rounded as ONNX Runtime rounds them, so both say the same to within
// the last digits of a float. A 3x3 convolution is done in tiles of 2x2 by the algorithm of Winograd, which
// needs 16 products where the plain way needs 36; with products of 16 bits summed in 32 that is exact too.
// Boards are [height][width][channel], as their distance from the zero point. Start reading at
// Net::evaluate().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game.hpp"
#include "net/onnx.hpp"

namespace tengen {

// What a net says of positions, one after another, from each mover's side.
struct NetWords {
  std::vector<float> policy;     // logits, by action
  std::vector<float> value;      // -1 to 1
  std::vector<float> lead;       // points over cells; empty where the net knows none
  std::vector<float> ownership;  // by cell, -1 to 1; likewise
};

class Net {
 public:
  // Nothing where the bytes are no such net.
  static std::optional<Net> read(std::span<const std::uint8_t> file);

  // Whether it takes positions of that shape in a game of so many actions.
  bool fits(const Planes& planes, int actions) const;
  // The shape must fit.
  void evaluate(const float* planes, int count, const Planes& shape, NetWords& words) const;

 private:
  // How whole numbers stand for others: a step of one, and which number is 0.
  struct Steps {
    float scale = 1;
    std::int32_t zero = 0;
  };
  struct Conv {
    int width = 0;  // 3, or 1
    int inputs = 0;
    int outputs = 0;
    std::vector<std::int16_t> weights;  // as multiply() takes them, 16 times for a width of 3
    std::vector<std::int32_t> bias;
    std::vector<float> rescale;  // from sums of products to steps of the output
    Steps to;
    bool relu = true;
  };
  // From floats to floats, each sum from its first product to its last.
  struct Linear {
    int inputs = 0;
    int outputs = 0;
    std::vector<float> weights;  // [input][output]
    std::vector<float> bias;
  };
  struct Pool {
    Linear linear;
    Steps mean, sum, shift;
  };
  struct Block {
    Conv first, second;
    std::optional<Pool> pool;
    Steps to;
  };
  struct Shape;    // of a board, with its tiles
  struct Scratch;  // the numbers on the way
  using Values = std::vector<std::int16_t>;

  class Reader;

  void one(const float* planes, const Shape& shape, Scratch& scratch, NetWords& words) const;
  void heads(const Shape& shape, Scratch& scratch, NetWords& words) const;
  static void convolve(const Conv& conv, const Shape& shape, const Values& from, Values& to,
                       Scratch& scratch);
  static void add(const Shape& shape, int channels, const Values& one, Steps of_one, const Values& other,
                  Steps of_other, Values& to, Steps of_to, bool relu);
  static std::vector<float> shift_of(const Pool& pool, const Shape& shape, const Values& inner, Steps steps,
                                     int channels);
  static std::vector<float> apply(const Linear& linear, std::span<const float> from);
  static std::vector<float> by_cell(const Linear& linear, std::span<const float> board);

  int planes_ = 0;
  int channels_ = 0;
  Steps input_;
  Conv stem_, head_;
  std::vector<Block> blocks_;
  Linear hidden_, value_;
  std::optional<Linear> cells_, extras_, spread_, lead_, ownership_;
};

}  // namespace tengen
