// A small fast random generator (xoroshiro128++ by Blackman and Vigna, seeded by splitmix64), and the
// fixed pseudo-random keys that position hashes are made of.
#pragma once

#include <bit>
#include <cstdint>

namespace tengen {

constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// The hash key of one feature of a position, such as "a stone of this colour on this cell".
constexpr std::uint64_t zobrist(std::uint64_t feature) { return splitmix64(feature ^ 0x74656e67656eULL); }

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : a_(splitmix64(seed)), b_(splitmix64(seed + 1)) {}

  std::uint64_t next() {
    const std::uint64_t a = a_;
    std::uint64_t b = b_;
    const std::uint64_t result = std::rotl(a + b, 17) + a;
    b ^= a;
    a_ = std::rotl(a, 49) ^ b ^ (b << 21);
    b_ = std::rotl(b, 28);
    return result;
  }

  // Uniform in [0, bound) up to a bias of bound / 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t a_;
  std::uint64_t b_;
};

}  // namespace tengen
