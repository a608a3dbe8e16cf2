#include "backend/cpu/library/onednn_parts.h"

#include <algorithm>

namespace asg::cpu {
namespace {

using Dims = dnnl::memory::dims;

constexpr std::int64_t kChannelBlock = 16;  // oneDNN computes channels by so many

bool does_nothing(const ops::Window& window) {
  return window.input == 1 && window.output == 1 && window.taps == 1 && window.pad == 0;
}

// The most parts, a power of two, that leave whole blocks of channels.
std::int64_t parts_of(std::int64_t channels, std::int64_t block, std::int64_t wanted) {
  std::int64_t parts = 1;
  while (2 * parts <= wanted && channels % (2 * parts * block) == 0) parts *= 2;
  return parts;
}

// Dense, but for rows of the first axis that are parts of longer ones.
dnnl::memory::desc described(const Dims& dims, std::int64_t row_length = 0) {
  Dims strides(dims.size(), 1);
  for (std::size_t axis = dims.size() - 1; axis > 0; --axis) strides[axis - 1] = strides[axis] * dims[axis];
  if (row_length > 0) strides[0] = row_length;
  return {dims, dnnl::memory::data_type::f32, strides};
}

}  // namespace

ConvolutionParts::ConvolutionParts(const ConvolutionSpec& spec, std::int64_t wanted) : one(spec.geometry) {
  const ops::Convolution& all = spec.geometry;
  const bool by_input = spec.kind == ConvolutionKind::by_input;
  std::int64_t row_length = 0;
  one.batch = 1;
  if (all.groups > 1) {
    const bool by_channel = all.group_channels == 1 && all.group_outputs == 1;
    count = parts_of(all.groups, by_channel ? kChannelBlock : 1, wanted);
    one.groups = all.groups / count;
    x_step = one.groups * all.group_channels * all.pixels();
    y_step = one.groups * all.group_outputs * all.positions();
    w_step = one.groups * all.group_outputs * all.patch_rows();
    channels = one.groups * (by_input ? all.group_channels : all.group_outputs);
  } else if (by_input) {
    count = parts_of(all.group_channels, kChannelBlock, wanted);
    one.group_channels = channels = all.group_channels / count;
    x_step = one.group_channels * all.pixels();
    w_step = one.group_channels * all.taps();
    row_length = all.patch_rows();
  } else {
    count = parts_of(all.group_outputs, kChannelBlock, wanted);
    one.group_outputs = channels = all.group_outputs / count;
    y_step = one.group_outputs * all.positions();
    w_step = one.group_outputs * all.patch_rows();
  }

  Dims x_dims = {1, one.groups * one.group_channels};
  Dims y_dims = {1, one.groups * one.group_outputs};
  Dims w_dims = {one.group_outputs, one.group_channels};
  if (one.groups > 1) w_dims.insert(w_dims.begin(), one.groups);
  for (std::size_t axis = 0; axis < one.windows.size(); ++axis) {
    const ops::Window& window = one.windows[axis];
    const bool last = axis + 1 == one.windows.size();
    if (!last && strides.empty() && does_nothing(window)) continue;
    x_dims.push_back(window.input);
    y_dims.push_back(window.output);
    w_dims.push_back(window.taps);
    strides.push_back(window.stride);
    dilations.push_back(window.dilation - 1);
    pads.push_back(window.pad);
    pads_after.push_back(window.exact_pad_after());
  }
  x = described(x_dims);
  y = described(y_dims);
  w = described(w_dims, row_length);
  key = {static_cast<std::int64_t>(spec.kind), row_length};
  for (const Dims* numbers : {&x_dims, &w_dims, &y_dims, &strides, &dilations, &pads, &pads_after}) {
    key.push_back(static_cast<std::int64_t>(numbers->size()));
    key.insert(key.end(), numbers->begin(), numbers->end());
  }
}

}  // namespace asg::cpu
