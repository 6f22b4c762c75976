// Nets are read from files, sound and broken ones. What they say is compared with ONNX Runtime in
// tests/web/test_core.py.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "check.hpp"
#include "net/multiply.hpp"
#include "net/net.hpp"
#include "rng.hpp"

namespace tengen {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes file_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(TENGEN_SHIPPED))
    if (entry.path().extension() == ".onnx") found.push_back(entry.path());
  return found;
}

void every_shipped_net_is_read_and_a_part_of_it_is_not() {
  CHECK(shipped().size() >= 4);
  Rng rng(1);
  for (const auto& path : shipped()) {
    const Bytes whole = file_of(path);
    CHECK(Net::read(whole).has_value());
    for (int i = 0; i < 20; ++i) {
      const std::span<const std::uint8_t> part(whole.data(),
                                               rng.below(static_cast<std::uint32_t>(whole.size())));
      CHECK(!Net::read(part).has_value());
    }
  }
}

void changed_bytes_are_refused_or_make_another_net_and_no_harm() {
  const Bytes sound = file_of(std::filesystem::path(TENGEN_SHIPPED) / "dominion-duel.onnx");
  Rng rng(2);
  const Planes shape{4, 1, 9};
  const std::vector<float> planes(static_cast<std::size_t>(shape.size()), 1.0f);
  for (int i = 0; i < 300; ++i) {
    Bytes changed = sound;
    for (int times = 0; times < 3; ++times)
      changed[rng.below(static_cast<std::uint32_t>(changed.size()))] =
          static_cast<std::uint8_t>(rng.below(256));
    const std::optional<Net> net = Net::read(changed);
    if (!net || !net->fits(shape, 9)) continue;
    NetWords words;
    net->evaluate(planes.data(), 1, shape, words);
    CHECK(words.policy.size() == 9 && words.value.size() == 1);
  }
}

void products_of_matrices_are_those_of_the_plain_way() {
  Rng rng(3);
  for (int rows = 1; rows <= 9; ++rows) {
    constexpr int kDepth = 6, kOutputs = 16;
    std::vector<std::int16_t> from(static_cast<std::size_t>(rows * kDepth)), packed(kDepth * kOutputs);
    std::vector<std::int32_t> to(static_cast<std::size_t>(rows * kOutputs)), wanted(to.size(), 0);
    for (std::int16_t& value : from)
      value = static_cast<std::int16_t>(static_cast<int>(rng.below(2041)) - 1020);
    for (int input = 0; input < kDepth; ++input) {
      for (int output = 0; output < kOutputs; ++output) {
        const auto weight = static_cast<std::int16_t>(static_cast<int>(rng.below(1135)) - 567);
        packed[packed_at(input, output, kDepth)] = weight;
        for (int row = 0; row < rows; ++row)
          wanted[static_cast<std::size_t>(row * kOutputs + output)] +=
              from[static_cast<std::size_t>(row * kDepth + input)] * weight;
      }
    }
    multiply(from.data(), rows, packed.data(), kDepth, kOutputs, to.data());
    CHECK(to == wanted);
  }
}

}  // namespace

}  // namespace tengen

void test_net() {
  using namespace tengen;
  every_shipped_net_is_read_and_a_part_of_it_is_not();
  changed_bytes_are_refused_or_make_another_net_and_no_harm();
  products_of_matrices_are_those_of_the_plain_way();
}
