// Products of matrices of 16-bit numbers with sums of 32 bits: what a convolution spends its time in.
//
// `weights` are packed in blocks of eight outputs: [outputs / 8][depth / 2][8 outputs][2 inputs], so that one
// instruction of WebAssembly makes eight products and adds them in pairs. Depth is even, outputs come in
// eights.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace tengen {

constexpr int kLanes = 8;  // outputs that are computed together

// The place of a weight among the packed ones.
inline std::size_t packed_at(int input, int output, int depth) {
  const int block = output / kLanes, lane = output % kLanes;
  return static_cast<std::size_t>(((block * (depth / 2) + input / 2) * kLanes + lane) * 2 + input % 2);
}

// So many rows of `from`, [row][depth], into `to`, [row][outputs].
template <int Rows>
void multiply_rows(const std::int16_t* from, const std::int16_t* weights, int depth, int outputs,
                   std::int32_t* to) {
  for (int output = 0; output < outputs; output += kLanes) {
#ifdef __wasm_simd128__
    v128_t sums[Rows][2];
    for (auto& row : sums) row[0] = row[1] = wasm_i32x4_const_splat(0);
    for (int input = 0; input < depth; input += 2, weights += 2 * kLanes) {
      const v128_t low = wasm_v128_load(weights), high = wasm_v128_load(weights + kLanes);
      for (int row = 0; row < Rows; ++row) {
        const v128_t pair = wasm_v128_load32_splat(from + row * depth + input);
        sums[row][0] = wasm_i32x4_add(sums[row][0], wasm_i32x4_dot_i16x8(pair, low));
        sums[row][1] = wasm_i32x4_add(sums[row][1], wasm_i32x4_dot_i16x8(pair, high));
      }
    }
    for (int row = 0; row < Rows; ++row) {
      wasm_v128_store(to + row * outputs + output, sums[row][0]);
      wasm_v128_store(to + row * outputs + output + kLanes / 2, sums[row][1]);
    }
#else
    std::int32_t sums[Rows][kLanes] = {};
    for (int input = 0; input < depth; input += 2, weights += 2 * kLanes)
      for (int row = 0; row < Rows; ++row)
        for (int lane = 0; lane < kLanes; ++lane)
          sums[row][lane] += from[row * depth + input] * weights[2 * lane] +
                             from[row * depth + input + 1] * weights[2 * lane + 1];
    for (int row = 0; row < Rows; ++row)
      for (int lane = 0; lane < kLanes; ++lane) to[row * outputs + output + lane] = sums[row][lane];
#endif
  }
}

inline void multiply(const std::int16_t* from, int rows, const std::int16_t* weights, int depth, int outputs,
                     std::int32_t* to) {
  constexpr int kRows = 4;  // with as many sums as fit into the registers
  for (; rows >= kRows; rows -= kRows, from += kRows * depth, to += kRows * outputs)
    multiply_rows<kRows>(from, weights, depth, outputs, to);
  switch (rows) {
    case 4:
      return multiply_rows<4>(from, weights, depth, outputs, to);
    case 3:
      return multiply_rows<3>(from, weights, depth, outputs, to);
    case 2:
      return multiply_rows<2>(from, weights, depth, outputs, to);
    case 1:
      return multiply_rows<1>(from, weights, depth, outputs, to);
    default:
      return;
  }
}

}  // namespace tengen
