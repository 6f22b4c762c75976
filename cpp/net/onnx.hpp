// The tensors of an ONNX file, by name: as much of the format as our own writer uses
// (src/tengen/learn/export.py). Start reading at OnnxTensors::read().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tengen {

enum class OnnxType : std::uint8_t { Float = 1, UInt8 = 2, Int8 = 3, Int32 = 6, Other = 0 };

struct OnnxTensor {
  OnnxType type = OnnxType::Other;
  std::vector<std::int64_t> dims;
  std::span<const std::uint8_t> data;  // little-endian, within the file; as long as type and dims say

  std::size_t count() const {
    std::size_t product = 1;
    for (const std::int64_t dim : dims) product *= static_cast<std::size_t>(dim);
    return product;
  }
  std::int64_t dim(std::size_t at) const { return at < dims.size() ? dims[at] : 1; }
  std::vector<float> floats() const;           // empty unless it is of that type
  std::vector<std::int32_t> integers() const;  // of 8 or 32 bits; empty otherwise
};

class OnnxTensors {
 public:
  // Of those bytes, which must outlive the answer; nothing where they are no ONNX file, or a damaged one.
  static std::optional<OnnxTensors> read(std::span<const std::uint8_t> file);

  // One without type and dimensions where there is none of that name.
  const OnnxTensor& operator[](const std::string& name) const;
  bool has(const std::string& name) const { return tensors_.contains(name); }

 private:
  std::map<std::string, OnnxTensor> tensors_;
};

}  // namespace tengen
