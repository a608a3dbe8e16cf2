#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/card.h"

// Windows that slide over the spatial axes of a tensor [batch, channels, …]: the geometry of convolutions.
namespace asg::ops {

// One spatial axis: tap t of the window at output position p reads input position p * stride + t * dilation - pad.
struct Window {
  std::int64_t input = 1;
  std::int64_t output = 1;
  std::int64_t taps = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;  // at the beginning; the one at the end follows from the output size

  // The first position, and the one after the last, at which tap `tap` reads inside the input.
  std::int64_t first_position(std::int64_t tap) const;
  std::int64_t past_position(std::int64_t tap) const;
  std::int64_t read_by(std::int64_t position, std::int64_t tap) const {
    return position * stride + tap * dilation - pad;
  }
};

// The attributes strides, pads, dilations, group and auto_pad, which a convolution and its gradients share.
std::vector<AttrSpec> convolution_attributes();

// The shape of a convolution's result. Throws bad_shape and bad_attribute where x, w and attributes do not fit.
Shape convolution_shape(const AttrReader& attributes, const Shape& x, const Shape& w);
// Refuses a gradient that does not have that shape.
void check_convolution_gradient(const AttrReader& attributes, const Shape& grad, const Shape& x, const Shape& w);

// The windows on the spatial axes of an input and weights whose spatial lengths are known; for bodies, which cannot be
// built without them (not_expandable).
std::vector<Window> convolution_windows(const AttrReader& attributes, const Shape& x, const Shape& w);

// A multiplication and an addition for each tap of each output element; w and y are its weights and result.
Cost convolution_cost(const CostContext& ctx, const TensorType& w, const TensorType& y);

// A convolution in numbers, as matrix products over "patches": one row for each channel of a group and tap, one column
// for each output position.
struct Convolution {
  std::int64_t batch = 0;
  std::int64_t groups = 1;
  std::int64_t group_channels = 0;  // input channels of one group
  std::int64_t group_outputs = 0;   // output channels of one group
  std::array<Window, 3> windows;    // axes that the tensor lacks have one element

  std::int64_t taps() const { return windows[0].taps * windows[1].taps * windows[2].taps; }
  std::int64_t positions() const { return windows[0].output * windows[1].output * windows[2].output; }
  std::int64_t pixels() const { return windows[0].input * windows[1].input * windows[2].input; }
  std::int64_t patch_rows() const { return group_channels * taps(); }
};
Convolution convolution_of(const AttrReader& attributes, const Sizes& x, const Sizes& w);

// Calls visit(tap, position, pixel, count): tap number `tap` at `count` consecutive output positions from `position` on
// reads the pixels from `pixel` on, windows[2].stride apart. What lies in the padding is left out.
template <class Visit>
void for_each_patch_run(const Convolution& conv, Visit visit) {
  const auto& [deep, high, wide] = conv.windows;
  std::int64_t tap = 0;
  for (std::int64_t z_tap = 0; z_tap < deep.taps; ++z_tap) {
    for (std::int64_t y_tap = 0; y_tap < high.taps; ++y_tap) {
      for (std::int64_t x_tap = 0; x_tap < wide.taps; ++x_tap, ++tap) {
        const std::int64_t first = wide.first_position(x_tap);
        const std::int64_t count = wide.past_position(x_tap) - first;
        if (count <= 0) continue;
        for (std::int64_t z = deep.first_position(z_tap); z < deep.past_position(z_tap); ++z) {
          for (std::int64_t y = high.first_position(y_tap); y < high.past_position(y_tap); ++y) {
            const std::int64_t row = deep.read_by(z, z_tap) * high.input + high.read_by(y, y_tap);
            visit(tap, (z * high.output + y) * wide.output + first, row * wide.input + wide.read_by(first, x_tap),
                  count);
          }
        }
      }
    }
  }
}

// Copies the pixels that one group of one picture reads into patches; the element (row, position) of them stands at
// row * row_step + position * position_step. Padding is not written: the same places stay as they are.
void read_patches(const Convolution& conv, const double* pixels, double* patches, std::int64_t row_step,
                  std::int64_t position_step);
// Adds dense patches [patch_rows, positions] back to the pixels they were read from.
void add_patches(const Convolution& conv, const double* patches, double* pixels);

}  // namespace asg::ops
