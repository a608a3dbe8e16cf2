#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/windows.h"

// What a convolution, its two gradients and the transposed convolution have in common.
namespace asg::ops {

// The attributes strides, pads, dilations, group, auto_pad and kernel_shape.
std::vector<AttrSpec> convolution_attributes();
// Sums of many products lose more in the short types.
inline constexpr Tolerance kConvolutionTolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2};

// The shape of a convolution's result. Throws bad_shape and bad_attribute where x, w and attributes do not fit.
Shape convolution_shape(const AttrReader& attributes, const Shape& x, const Shape& w);
// Refuses spatial axes that x and w do not share, and more than three.
void check_spatial_axes(const Shape& x, const Shape& w, std::string_view weights);
// Refuses a kernel_shape that is not that of w, and a bias (input 2) that has not `channels` elements.
void check_kernel_shape(const AttrReader& attributes, const Shape& w);
void check_bias(const InferContext& ctx, const Dim& channels);

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
  Windows windows;

  std::int64_t taps() const { return taps_of(windows); }
  std::int64_t positions() const { return positions_of(windows); }
  std::int64_t pixels() const { return pixels_of(windows); }
  std::int64_t patch_rows() const { return group_channels * taps(); }
};
Convolution convolution_of(const AttrReader& attributes, const Sizes& x, const Sizes& w);

// Calls visit(pixels, weights, outputs) with the offsets of each group of each picture in x, w and y.
template <class Visit>
void for_each_group(const Convolution& conv, Visit visit) {
  std::int64_t pixels = 0;
  std::int64_t outputs = 0;
  for (std::int64_t picture = 0; picture < conv.batch; ++picture) {
    for (std::int64_t group = 0; group < conv.groups; ++group) {
      visit(pixels, group * conv.group_outputs * conv.patch_rows(), outputs);
      pixels += conv.group_channels * conv.pixels();
      outputs += conv.group_outputs * conv.positions();
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
