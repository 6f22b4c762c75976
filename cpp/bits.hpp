// A fixed-size set of small ints as machine words: the boards of Great Kingdom and Kelasu.
//
// Boards are laid out with one guard column to the right of each row (stride = width + 1), so that a
// shift by one never wraps into the next row once the result is cut to the cells of the board.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tengen {

template <int Words>
struct Bits {
  std::array<std::uint64_t, Words> words{};

  static constexpr Bits single(int index) {
    Bits b;
    b.set(index);
    return b;
  }

  constexpr bool test(int index) const { return (words[index >> 6] >> (index & 63)) & 1; }
  constexpr void set(int index) { words[index >> 6] |= std::uint64_t{1} << (index & 63); }
  constexpr void reset(int index) { words[index >> 6] &= ~(std::uint64_t{1} << (index & 63)); }

  constexpr bool any() const {
    std::uint64_t all = 0;
    for (int w = 0; w < Words; ++w) all |= words[w];
    return all != 0;
  }
  constexpr bool none() const { return !any(); }

  constexpr int count() const {
    int total = 0;
    for (int w = 0; w < Words; ++w) total += std::popcount(words[w]);
    return total;
  }

  // The smallest member; only when any().
  constexpr int first() const {
    int w = 0;
    while (words[w] == 0) ++w;
    return w * 64 + std::countr_zero(words[w]);
  }

  constexpr Bits operator&(const Bits& o) const {
    return zip(o, [](auto x, auto y) { return x & y; });
  }
  constexpr Bits operator|(const Bits& o) const {
    return zip(o, [](auto x, auto y) { return x | y; });
  }
  constexpr Bits operator^(const Bits& o) const {
    return zip(o, [](auto x, auto y) { return x ^ y; });
  }
  constexpr Bits without(const Bits& o) const {
    return zip(o, [](auto x, auto y) { return x & ~y; });
  }
  constexpr Bits& operator&=(const Bits& o) { return *this = *this & o; }
  constexpr Bits& operator|=(const Bits& o) { return *this = *this | o; }
  constexpr Bits& operator^=(const Bits& o) { return *this = *this ^ o; }
  constexpr bool operator==(const Bits&) const = default;

  // Every member plus K, or minus K, with 0 < K < 64; what leaves the range is lost.
  template <int K>
  constexpr Bits up() const {
    Bits r;
    for (int w = Words - 1; w > 0; --w) r.words[w] = (words[w] << K) | (words[w - 1] >> (64 - K));
    r.words[0] = words[0] << K;
    return r;
  }
  template <int K>
  constexpr Bits down() const {
    Bits r;
    for (int w = 0; w + 1 < Words; ++w) r.words[w] = (words[w] >> K) | (words[w + 1] << (64 - K));
    r.words[Words - 1] = words[Words - 1] >> K;
    return r;
  }

  // The orthogonal neighbours on a board of that stride; cells of the guard column may be among them.
  template <int Stride>
  constexpr Bits neighbours() const {
    return any_of(up<1>(), down<1>(), up<Stride>(), down<Stride>());
  }

  // The members of `area` connected to this set, which must lie inside it.
  template <int Stride>
  constexpr Bits flood(const Bits& area) const {
    Bits reached = *this;
    while (true) {
      const Bits more = (reached | reached.template neighbours<Stride>()) & area;
      if (more == reached) return reached;
      reached = more;
    }
  }

  template <class F>
  constexpr void for_each(F&& f) const {
    for (int w = 0; w < Words; ++w)
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) f(w * 64 + std::countr_zero(rest));
  }

 private:
  template <class F>
  constexpr Bits zip(const Bits& o, F f) const {
    Bits r;
    for (int w = 0; w < Words; ++w) r.words[w] = f(words[w], o.words[w]);
    return r;
  }
  static constexpr Bits any_of(const Bits& a, const Bits& b, const Bits& c, const Bits& d) {
    Bits r;
    for (int w = 0; w < Words; ++w) r.words[w] = a.words[w] | b.words[w] | c.words[w] | d.words[w];
    return r;
  }
};

}  // namespace tengen
