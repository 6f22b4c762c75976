#include "net/onnx.hpp"

#include <cstring>
#include <string_view>

namespace tengen {

namespace {

using Bytes = std::span<const std::uint8_t>;

// A field of a Protocol Buffers message: a number, or bytes that are a text or another message.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  Bytes bytes;
};

// The fields of a message one after another; `broken` where the bytes are no message.
class Fields {
 public:
  explicit Fields(Bytes message) : left_(message) {}

  bool next(Field& field) {
    if (left_.empty() || broken_) return false;
    const std::uint64_t tag = number();
    field = {.number = tag >> 3, .value = 0, .bytes = {}};
    switch (tag & 7) {
      case 0:
        field.value = number();
        break;
      case 1:
        field.bytes = take(8);
        break;
      case 2:
        field.bytes = take(number());
        break;
      case 5:
        field.bytes = take(4);
        break;
      default:
        broken_ = true;
    }
    return !broken_;
  }
  bool broken() const { return broken_; }
  bool at_end() const { return left_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const std::uint8_t byte = left_.front();
      left_ = left_.subspan(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    broken_ = true;
    return 0;
  }

 private:
  Bytes take(std::uint64_t length) {
    if (length > left_.size()) {
      broken_ = true;
      return {};
    }
    const Bytes taken = left_.first(static_cast<std::size_t>(length));
    left_ = left_.subspan(taken.size());
    return taken;
  }

  Bytes left_;
  bool broken_ = false;
};

// The numbers of fields in onnx.proto.
constexpr std::uint64_t kModelGraph = 7, kGraphInitializer = 5;
constexpr std::uint64_t kTensorDims = 1, kTensorType = 2, kTensorName = 8, kTensorRaw = 9;
constexpr std::int64_t kMostDim = 1 << 24;

std::size_t bytes_of(OnnxType type) {
  switch (type) {
    case OnnxType::Float:
    case OnnxType::Int32:
      return 4;
    case OnnxType::UInt8:
    case OnnxType::Int8:
      return 1;
    default:
      return 0;
  }
}

OnnxType type_of(std::uint64_t number) {
  for (const OnnxType type : {OnnxType::Float, OnnxType::UInt8, OnnxType::Int8, OnnxType::Int32})
    if (static_cast<std::uint64_t>(type) == number) return type;
  return OnnxType::Other;
}

// Whether the bytes are a sound tensor; of a type that nobody asks for nothing is kept.
bool read_tensor(Bytes message, std::string& name, OnnxTensor& tensor) {
  Fields fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == kTensorType) tensor.type = type_of(field.value);
    if (field.number == kTensorRaw) tensor.data = field.bytes;
    if (field.number == kTensorName) name.assign(field.bytes.begin(), field.bytes.end());
    if (field.number != kTensorDims) continue;
    if (field.bytes.empty()) {
      tensor.dims.push_back(static_cast<std::int64_t>(field.value));
    } else {
      for (Fields packed(field.bytes); !packed.at_end() && !packed.broken();)
        tensor.dims.push_back(static_cast<std::int64_t>(packed.number()));
    }
  }
  if (fields.broken()) return false;
  if (tensor.type == OnnxType::Other) return true;
  std::size_t count = 1;
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0 || dim > kMostDim || count > kMostDim) return false;
    count *= static_cast<std::size_t>(dim);
  }
  return tensor.data.size() == count * bytes_of(tensor.type);
}

}  // namespace

std::vector<float> OnnxTensor::floats() const {
  std::vector<float> values(type == OnnxType::Float ? count() : 0);
  if (!values.empty()) std::memcpy(values.data(), data.data(), data.size());
  return values;
}

std::vector<std::int32_t> OnnxTensor::integers() const {
  std::vector<std::int32_t> values;
  if (type == OnnxType::Int32) {
    values.resize(count());
    if (!values.empty()) std::memcpy(values.data(), data.data(), data.size());
  } else if (type == OnnxType::UInt8) {
    values.assign(data.begin(), data.end());
  } else if (type == OnnxType::Int8) {
    for (const std::uint8_t byte : data) values.push_back(static_cast<std::int8_t>(byte));
  }
  return values;
}

std::optional<OnnxTensors> OnnxTensors::read(Bytes file) {
  OnnxTensors found;
  Fields model(file);
  for (Field part; model.next(part);) {
    if (part.number != kModelGraph) continue;
    Fields graph(part.bytes);
    for (Field entry; graph.next(entry);) {
      if (entry.number != kGraphInitializer) continue;
      std::string name;
      OnnxTensor tensor;
      if (!read_tensor(entry.bytes, name, tensor)) return {};
      found.tensors_[name] = std::move(tensor);
    }
    if (graph.broken()) return {};
  }
  if (model.broken() || found.tensors_.empty()) return {};
  return found;
}

const OnnxTensor& OnnxTensors::operator[](const std::string& name) const {
  static const OnnxTensor none;
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? none : found->second;
}

}  // namespace tengen
