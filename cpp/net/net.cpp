#include "net/net.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "net/multiply.hpp"

namespace tengen {

namespace {

constexpr int kTile = 16;           // products of a tile of 2x2 cells
constexpr float kMost = 255;        // of a rounded number
constexpr int kMostChannels = 512;  // with more, sums could overflow

int in_eights(int count) { return (count + kLanes - 1) / kLanes * kLanes; }

// To the nearest whole number, of two equally near ones the even.
float nearest(float value) { return std::nearbyint(value); }
std::int16_t whole(float value) { return static_cast<std::int16_t>(static_cast<std::int32_t>(value)); }

// What is no number becomes the least.
float between(float least, float value, float most) { return std::min(most, std::max(least, value)); }

// Four rows or columns of a kernel of three, twice as large as Winograd has them.
std::array<int, 4> spread(int a, int b, int c) { return {2 * a, a + b + c, a - b + c, 2 * c}; }

// What follows works on all channels of a tile at once: [channel], the next of its places `apart` further on.

// The 4x4 cells that a tile looks at, before the products.
void tile_in(const std::int16_t* __restrict from, int down, int channels, std::int16_t* __restrict to,
             int apart) {
  for (int c = 0; c < channels; ++c) {
    int rows[4][4];
    for (int y = 0; y < 4; ++y) {
      const std::int16_t* at = from + y * down + c;
      const int p = at[0], q = at[channels], r = at[2 * channels], t = at[3 * channels];
      rows[y][0] = p - r;
      rows[y][1] = q + r;
      rows[y][2] = r - q;
      rows[y][3] = q - t;
    }
    for (int x = 0; x < 4; ++x) {
      to[c + (0 + x) * apart] = static_cast<std::int16_t>(rows[0][x] - rows[2][x]);
      to[c + (4 + x) * apart] = static_cast<std::int16_t>(rows[1][x] + rows[2][x]);
      to[c + (8 + x) * apart] = static_cast<std::int16_t>(rows[2][x] - rows[1][x]);
      to[c + (12 + x) * apart] = static_cast<std::int16_t>(rows[1][x] - rows[3][x]);
    }
  }
}

// Its 2x2 sums after the products, four times as large as they should be.
void tile_out(const std::int32_t* __restrict from, int apart, int channels, std::int32_t* __restrict to) {
  for (int c = 0; c < channels; ++c) {
    std::int32_t rows[2][4];
    for (int x = 0; x < 4; ++x) {
      const std::int32_t p = from[c + x * apart], q = from[c + (4 + x) * apart],
                         r = from[c + (8 + x) * apart], t = from[c + (12 + x) * apart];
      rows[0][x] = p + q + r;
      rows[1][x] = q - r - t;
    }
    for (int y = 0; y < 2; ++y) {
      to[c + 2 * y * channels] = rows[y][0] + rows[y][1] + rows[y][2];
      to[c + (2 * y + 1) * channels] = rows[y][1] - rows[y][2] - rows[y][3];
    }
  }
}

// Sums of products to steps of the output; `shift` takes away what they are too large by.
void round_off(const std::int32_t* __restrict sums, int shift, const std::int32_t* __restrict bias,
               const float* __restrict rescale, int channels, float least, float most,
               std::int16_t* __restrict to) {
  for (int c = 0; c < channels; ++c) {
    const float steps = static_cast<float>((sums[c] >> shift) + bias[c]) * rescale[c];
    to[c] = whole(nearest(between(least, steps, most)));
  }
}

}  // namespace

// A board with a margin of empty cells around it, wide enough for whole tiles of 2x2 and what they look at.
struct Net::Shape {
  int height, width;

  int cells() const { return height * width; }
  int down() const { return (height + 1) / 2; }
  int across() const { return (width + 1) / 2; }
  int tiles() const { return down() * across(); }
  int stride() const { return 2 * across() + 2; }
  std::size_t size(int channels) const {
    return static_cast<std::size_t>((2 * down() + 2) * stride() * channels);
  }
  std::size_t at(int row, int column, int channels) const {  // row and column from 0, without the margin
    return static_cast<std::size_t>(((row + 1) * stride() + column + 1) * channels);
  }
};

struct Net::Scratch {
  Values input, now, inner, outer, sum;
  std::vector<std::int16_t> tiles;     // [16][tile][channel]
  std::vector<std::int32_t> products;  // [16][tile][channel]
  std::vector<std::int32_t> four;      // [2][2][channel], of one tile
};

// Fetches the parts by the names of the writer; `sound` becomes false where one is missing or of another
// shape.
class Net::Reader {
 public:
  explicit Reader(const OnnxTensors& file) : file_(file) {}
  bool sound = true;

  bool has(const std::string& name) const { return file_.has(name); }

  Steps steps(const std::string& name) {
    const std::vector<float> scale = file_[name + ".scale"].floats();
    const std::vector<std::int32_t> zero = file_[name + ".zero"].integers();
    if (!check(scale.size() == 1 && zero.size() == 1 && scale[0] > 0)) return {};
    return {scale[0], zero[0]};
  }

  Conv conv(const std::string& name, Steps from, const std::string& to, bool relu) {
    const OnnxTensor& weight = file_[name + ".weight.rounded"];
    const std::vector<std::int32_t> whole = weight.integers();
    const std::vector<float> scale = file_[name + ".weight.scale"].floats();
    const std::vector<std::int32_t> bias = file_[name + ".bias.rounded"].integers();
    Conv conv;
    conv.relu = relu;
    conv.to = steps(to);
    const auto count = scale.size();
    const bool right = weight.dims.size() == 4 && weight.dim(0) <= kMostChannels &&
                       weight.dim(1) <= kMostChannels && weight.dim(2) == weight.dim(3) &&
                       (weight.dim(2) == 3 || weight.dim(2) == 1) &&
                       weight.dim(0) == static_cast<std::int64_t>(count) && bias.size() == count &&
                       whole.size() == weight.count();
    if (!check(right && sound)) return conv;
    conv.outputs = static_cast<int>(weight.dim(0));
    conv.inputs = static_cast<int>(weight.dim(1));
    conv.width = static_cast<int>(weight.dim(2));
    pack(conv, whole);
    conv.bias.assign(static_cast<std::size_t>(in_eights(conv.outputs)), 0);
    conv.rescale.assign(conv.bias.size(), 0);
    std::copy(bias.begin(), bias.end(), conv.bias.begin());
    for (std::size_t i = 0; i < count; ++i) conv.rescale[i] = from.scale * scale[i] / conv.to.scale;
    return conv;
  }

  // A matrix, or a convolution of width 1 on floats.
  Linear linear(const std::string& name) {
    const OnnxTensor& weight = file_[name + ".weight"];
    const std::vector<float> values = weight.floats();
    Linear linear;
    linear.bias = file_[name + ".bias"].floats();
    const auto outputs = linear.bias.size();
    if (!check(outputs > 0 && values.size() % outputs == 0 && !values.empty() &&
               weight.dim(0) == static_cast<std::int64_t>(outputs)))
      return linear;
    const std::size_t inputs = values.size() / outputs;
    linear.inputs = static_cast<int>(inputs);
    linear.outputs = static_cast<int>(outputs);
    linear.weights.resize(values.size());
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t i = 0; i < inputs; ++i) linear.weights[i * outputs + o] = values[o * inputs + i];
    return linear;
  }
  std::optional<Linear> linear_if(const std::string& name) {
    if (!has(name + ".weight")) return {};
    return linear(name);
  }

  bool check(bool right) {
    sound = sound && right;
    return right;
  }

 private:
  static void pack(Conv& conv, const std::vector<std::int32_t>& whole) {
    const int depth = in_eights(conv.inputs), outputs = in_eights(conv.outputs);
    const auto size = static_cast<std::size_t>(depth * outputs);
    conv.weights.assign(conv.width == 1 ? size : kTile * size, 0);
    for (int o = 0; o < conv.outputs; ++o) {
      for (int i = 0; i < conv.inputs; ++i) {
        const std::size_t to = packed_at(i, o, depth);
        if (conv.width == 1) {
          conv.weights[to] = static_cast<std::int16_t>(whole[static_cast<std::size_t>(o * conv.inputs + i)]);
          continue;
        }
        const std::int32_t* kernel = &whole[static_cast<std::size_t>((o * conv.inputs + i) * 9)];
        std::array<std::array<int, 4>, 3> rows{};
        for (std::size_t row = 0; row < 3; ++row)
          rows[row] = spread(kernel[3 * row], kernel[3 * row + 1], kernel[3 * row + 2]);
        for (std::size_t column = 0; column < 4; ++column) {
          const std::array<int, 4> found = spread(rows[0][column], rows[1][column], rows[2][column]);
          for (std::size_t row = 0; row < 4; ++row)
            conv.weights[(row * 4 + column) * size + to] = static_cast<std::int16_t>(found[row]);
        }
      }
    }
  }

  const OnnxTensors& file_;
};

std::optional<Net> Net::read(std::span<const std::uint8_t> file) {
  const std::optional<OnnxTensors> tensors = OnnxTensors::read(file);
  if (!tensors) return {};
  Reader reader(*tensors);
  Net net;
  net.input_ = reader.steps("planes");
  net.stem_ = reader.conv("stem", net.input_, "stem.relu.out", true);
  net.planes_ = net.stem_.inputs;
  net.channels_ = net.stem_.outputs;
  Steps now = net.stem_.to;
  for (int number = 0; reader.has("block" + std::to_string(number) + ".first.weight.rounded"); ++number) {
    const std::string name = "block" + std::to_string(number);
    Block block;
    block.first = reader.conv(name + ".first", now, name + ".first.relu.out", true);
    block.second = reader.conv(name + ".second", block.first.to, name + ".second.out", false);
    if (reader.has(name + ".pool.weight"))
      block.pool = Pool{.linear = reader.linear(name + ".pool"),
                        .mean = reader.steps(name + ".pool.mean.out"),
                        .sum = reader.steps(name + ".sum.out"),
                        .shift = reader.steps(name + ".shift.out")};
    now = block.to = reader.steps(name + ".relu.out");
    net.blocks_.push_back(std::move(block));
  }
  net.head_ = reader.conv("head", now, "head.relu.out", true);
  net.hidden_ = reader.linear("hidden");
  net.value_ = reader.linear("value");
  net.cells_ = reader.linear_if("cells");
  net.extras_ = reader.linear_if("extras");
  net.spread_ = reader.linear_if("spread");
  net.lead_ = reader.linear_if("lead");
  net.ownership_ = reader.linear_if("ownership");
  const int channels = net.channels_;
  const auto inner = [&](const Conv& conv, int width) {
    return conv.inputs == channels && conv.outputs == channels && conv.width == width;
  };
  reader.check(net.stem_.width == 3 && inner(net.head_, 1));
  for (const Block& block : net.blocks_) {
    reader.check(inner(block.first, 3) && inner(block.second, 3));
    if (block.pool)
      reader.check(block.pool->linear.inputs == 2 * channels && block.pool->linear.outputs == channels);
  }
  const int hidden = net.hidden_.outputs;
  const auto reads = [&](const std::optional<Linear>& linear, int inputs) {
    reader.check(!linear || linear->inputs == inputs);
  };
  reader.check(net.hidden_.inputs == 2 * channels && net.value_.inputs == hidden);
  reader.check(net.cells_.has_value() != net.spread_.has_value());
  reads(net.cells_, channels);
  reads(net.ownership_, channels);
  reads(net.extras_, hidden);
  reads(net.lead_, hidden);
  if (!reader.sound) return {};
  return net;
}

bool Net::fits(const Planes& planes, int actions) const {
  const int cells = planes.height * planes.width;
  if (planes.channels != planes_) return false;
  if (spread_) return spread_->inputs == channels_ * cells && spread_->outputs == actions;
  return actions == cells + (extras_ ? extras_->outputs : 0);
}

void Net::evaluate(const float* planes, int count, const Planes& shape, NetWords& words) const {
  for (std::vector<float>* part : {&words.policy, &words.value, &words.lead, &words.ownership}) part->clear();
  const Shape board{shape.height, shape.width};
  Scratch scratch;
  for (int i = 0; i < count; ++i) one(planes + i * shape.size(), board, scratch, words);
}

void Net::one(const float* planes, const Shape& shape, Scratch& scratch, NetWords& words) const {
  const int depth = in_eights(planes_);
  scratch.input.assign(shape.size(depth), 0);
  for (int plane = 0; plane < planes_; ++plane) {
    for (int cell = 0; cell < shape.cells(); ++cell) {
      const auto zero = static_cast<float>(input_.zero);
      const float steps = nearest(planes[plane * shape.cells() + cell] / input_.scale);
      scratch
          .input[shape.at(cell / shape.width, cell % shape.width, depth) + static_cast<std::size_t>(plane)] =
          whole(between(-zero, steps, kMost - zero));
    }
  }
  const int channels = in_eights(channels_);
  for (Values* values : {&scratch.now, &scratch.inner, &scratch.outer, &scratch.sum})
    values->assign(shape.size(channels), 0);
  convolve(stem_, shape, scratch.input, scratch.now, scratch);
  Steps now = stem_.to;
  for (const Block& block : blocks_) {
    convolve(block.first, shape, scratch.now, scratch.inner, scratch);
    convolve(block.second, shape, scratch.inner, scratch.outer, scratch);
    if (!block.pool) {
      add(shape, channels, scratch.now, now, scratch.outer, block.second.to, scratch.now, block.to, true);
    } else {
      const Pool& pool = *block.pool;
      add(shape, channels, scratch.now, now, scratch.outer, block.second.to, scratch.sum, pool.sum, false);
      const std::vector<float> shift = shift_of(pool, shape, scratch.inner, block.first.to, channels_);
      for (int cell = 0; cell < shape.cells(); ++cell) {
        const std::size_t at = shape.at(cell / shape.width, cell % shape.width, channels);
        for (std::size_t c = 0; c < shift.size(); ++c) scratch.outer[at + c] = whole(shift[c]);
      }
      add(shape, channels, scratch.sum, pool.sum, scratch.outer, pool.shift, scratch.now, block.to, true);
    }
    now = block.to;
  }
  convolve(head_, shape, scratch.now, scratch.inner, scratch);
  heads(shape, scratch, words);
}

void Net::convolve(const Conv& conv, const Shape& shape, const Values& from, Values& to, Scratch& scratch) {
  const int depth = in_eights(conv.inputs), outputs = in_eights(conv.outputs);
  const auto zero = static_cast<float>(conv.to.zero);
  const auto round_to = [&](const std::int32_t* sums, int shift, int row, int column) {
    if (row < shape.height && column < shape.width)
      round_off(sums, shift, conv.bias.data(), conv.rescale.data(), outputs, conv.relu ? 0 : -zero,
                kMost - zero, &to[shape.at(row, column, outputs)]);
  };
  if (conv.width == 1) {
    scratch.products.resize(static_cast<std::size_t>(shape.width * outputs));
    for (int row = 0; row < shape.height; ++row) {
      multiply(&from[shape.at(row, 0, depth)], shape.width, conv.weights.data(), depth, outputs,
               scratch.products.data());
      for (int column = 0; column < shape.width; ++column)
        round_to(scratch.products.data() + column * outputs, 0, row, column);
    }
    return;
  }
  const int tiles = shape.tiles(), layer = tiles * depth, sums = tiles * outputs;
  scratch.tiles.resize(static_cast<std::size_t>(kTile * layer));
  scratch.products.resize(static_cast<std::size_t>(kTile * sums));
  scratch.four.resize(static_cast<std::size_t>(4 * outputs));
  for (int tile = 0; tile < tiles; ++tile) {
    const int row = 2 * (tile / shape.across()), column = 2 * (tile % shape.across());
    tile_in(&from[shape.at(row - 1, column - 1, depth)], shape.stride() * depth, depth,
            scratch.tiles.data() + tile * depth, layer);
  }
  for (int at = 0; at < kTile; ++at)
    multiply(scratch.tiles.data() + at * layer, tiles, conv.weights.data() + at * depth * outputs, depth,
             outputs, scratch.products.data() + at * sums);
  for (int tile = 0; tile < tiles; ++tile) {
    const int row = 2 * (tile / shape.across()), column = 2 * (tile % shape.across());
    tile_out(scratch.products.data() + tile * outputs, sums, outputs, scratch.four.data());
    for (int corner = 0; corner < 4; ++corner)
      round_to(scratch.four.data() + corner * outputs, 2, row + corner / 2, column + corner % 2);
  }
}

// The sum of two boards, rounded to the steps of the third. Zero points are part of the sum before it is
// rounded, and it is made in this order: of two whole numbers as near as each other another one would be
// taken.
void Net::add(const Shape& shape, int channels, const Values& one, Steps of_one, const Values& other,
              Steps of_other, Values& to, Steps of_to, bool relu) {
  const float ratio = of_one.scale / of_to.scale, other_ratio = of_other.scale / of_to.scale;
  const auto zero = static_cast<float>(of_one.zero), other_zero = static_cast<float>(of_other.zero),
             to_zero = static_cast<float>(of_to.zero);
  const float fixed = to_zero - (ratio * zero + other_ratio * other_zero);
  const float least = relu ? to_zero : 0;
  const int line = shape.width * channels;
  for (int row = 0; row < shape.height; ++row) {
    const std::size_t start = shape.at(row, 0, channels);
    const std::int16_t *a = &one[start], *b = &other[start];
    std::int16_t* out = &to[start];
    for (int i = 0; i < line; ++i) {
      const float first = fixed + (static_cast<float>(a[i]) + zero) * ratio;
      const float steps = first + (static_cast<float>(b[i]) + other_zero) * other_ratio;
      out[i] = whole(nearest(between(least, steps, kMost)) - to_zero);
    }
  }
}

// What a block adds to each channel, from the mean and the maximum over the board, in its steps.
std::vector<float> Net::shift_of(const Pool& pool, const Shape& shape, const Values& inner, Steps steps,
                                 int channels) {
  const int depth = in_eights(channels);
  std::vector<std::int32_t> sum(static_cast<std::size_t>(channels), 0);
  std::vector<std::int32_t> highest(static_cast<std::size_t>(channels), -steps.zero);
  for (int cell = 0; cell < shape.cells(); ++cell) {
    const std::int16_t* at = &inner[shape.at(cell / shape.width, cell % shape.width, depth)];
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] += at[c];
      highest[c] = std::max<std::int32_t>(highest[c], at[c]);
    }
  }
  const float rescale = steps.scale / (pool.mean.scale * static_cast<float>(shape.cells()));
  const auto zero = static_cast<float>(pool.mean.zero);
  std::vector<float> pooled;
  for (const std::int32_t total : sum) {
    const float mean = nearest(between(-zero, static_cast<float>(total) * rescale, kMost - zero));
    pooled.push_back(mean * pool.mean.scale);
  }
  for (const std::int32_t most : highest) pooled.push_back(static_cast<float>(most) * steps.scale);
  std::vector<float> shift = apply(pool.linear, pooled);
  const auto shift_zero = static_cast<float>(pool.shift.zero);
  for (float& value : shift)
    value = between(-shift_zero, nearest(value / pool.shift.scale), kMost - shift_zero);
  return shift;
}

// Sums are rounded to floats after each product but not before, as by the instruction that does both at once:
// where their result is rounded to steps, the last digit can decide.
std::vector<float> Net::apply(const Linear& linear, std::span<const float> from) {
  const auto outputs = static_cast<std::size_t>(linear.outputs);
  std::vector<float> to(outputs, 0.0f);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double value = from[i];
    const float* weights = &linear.weights[i * outputs];
    for (std::size_t o = 0; o < outputs; ++o)
      to[o] = static_cast<float>(static_cast<double>(to[o]) + value * static_cast<double>(weights[o]));
  }
  for (std::size_t o = 0; o < outputs; ++o) to[o] += linear.bias[o];
  return to;
}

// A convolution of width 1 to one channel, of a board of floats: [channel][cell].
std::vector<float> Net::by_cell(const Linear& linear, std::span<const float> board) {
  std::vector<float> to(board.size() / linear.weights.size(), linear.bias[0]);
  for (std::size_t c = 0; c < linear.weights.size(); ++c)
    for (std::size_t cell = 0; cell < to.size(); ++cell)
      to[cell] += board[c * to.size() + cell] * linear.weights[c];
  return to;
}

void Net::heads(const Shape& shape, Scratch& scratch, NetWords& words) const {
  const int depth = in_eights(channels_);
  const auto channels = static_cast<std::size_t>(channels_), cells = static_cast<std::size_t>(shape.cells());
  std::vector<float> board(cells * channels);  // [channel][cell]
  for (int cell = 0; cell < shape.cells(); ++cell) {
    const std::int16_t* values = &scratch.inner[shape.at(cell / shape.width, cell % shape.width, depth)];
    for (std::size_t c = 0; c < channels; ++c)
      board[c * cells + static_cast<std::size_t>(cell)] = static_cast<float>(values[c]) * head_.to.scale;
  }
  std::vector<float> pooled(2 * channels, 0);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::span<const float> channel{&board[c * cells], cells};
    pooled[c] = std::accumulate(channel.begin(), channel.end(), 0.0f) / static_cast<float>(cells);
    pooled[channels + c] = *std::max_element(channel.begin(), channel.end());
  }
  std::vector<float> hidden = apply(hidden_, pooled);
  for (float& value : hidden) value = std::max(value, 0.0f);

  const auto say = [](std::vector<float>& to, const std::vector<float>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  say(words.policy, spread_ ? apply(*spread_, board) : by_cell(*cells_, board));
  if (extras_) say(words.policy, apply(*extras_, hidden));
  words.value.push_back(std::tanh(apply(value_, hidden)[0]));
  if (lead_) words.lead.push_back(apply(*lead_, hidden)[0]);
  if (!ownership_) return;
  for (const float owner : by_cell(*ownership_, board)) words.ownership.push_back(std::tanh(owner));
}

}  // namespace tengen
