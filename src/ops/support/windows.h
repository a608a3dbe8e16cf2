#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/card.h"

// Windows that slide over the spatial axes of a tensor [batch, channels, …]: the geometry of convolutions and pools.
namespace asg::ops {

inline constexpr int kMostSpatial = 3;

// One spatial axis: tap t of the window at output position p reads input position p * stride + t * dilation - pad.
struct Window {
  std::int64_t input = 1;
  std::int64_t output = 1;
  std::int64_t taps = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;        // at the beginning
  std::int64_t pad_after = 0;  // at the end; windows may leave some of it out, or reach beyond it (ceil_mode)

  // The first position, and the one after the last, at which tap `tap` reads inside the input.
  std::int64_t first_position(std::int64_t tap) const;
  std::int64_t past_position(std::int64_t tap) const;
  std::int64_t read_by(std::int64_t position, std::int64_t tap) const {
    return position * stride + tap * dilation - pad;
  }
  // From the first element under a window to the one after its last.
  std::int64_t reach() const { return (taps - 1) * dilation + 1; }
  // The padding at the end with which the last window ends exactly; negative where it leaves elements out.
  std::int64_t exact_pad_after() const { return (output - 1) * stride + reach() - input - pad; }
};

// The windows of all spatial axes; axes that a tensor lacks come first and have one element.
using Windows = std::array<Window, kMostSpatial>;
Windows three_axes(const std::vector<Window>& windows);
std::int64_t taps_of(const Windows& windows);
std::int64_t positions_of(const Windows& windows);
std::int64_t pixels_of(const Windows& windows);

// The values of a list attribute, one for each spatial axis (of pads two): `otherwise` where it is empty, or where the
// op does not have it. Throws bad_attribute on another number of values.
std::vector<std::int64_t> per_axis(const AttrReader& attributes, std::string_view name, int spatial,
                                   std::int64_t otherwise);

// How windows lie on the spatial axes before the sizes are known: what the attributes strides, dilations, pads,
// auto_pad and ceil_mode say.
struct WindowLayout {
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  // beginnings, then ends
  bool same = false;               // pads follow from the sizes, so that output = ceil(input / stride)
  bool extra_first = false;        // of an odd number of pads the larger half comes first
  bool ceil = false;               // a last window that reaches beyond the padded input counts

  int spatial() const { return static_cast<int>(strides.size()); }
};
WindowLayout window_layout(const AttrReader& attributes, int spatial);

// The number of positions of a window of so many taps. Throws bad_shape where it does not fit into the padded input.
Dim window_positions(const WindowLayout& layout, int axis, const Dim& input, const Dim& taps);
Window window_on(const WindowLayout& layout, int axis, std::int64_t input, std::int64_t taps);

// Attributes that ops with windows share.
AttrSpec strides_attribute();
AttrSpec dilations_attribute();
AttrSpec pads_attribute(Words words);
AttrSpec auto_pad_attribute();
AttrSpec ceil_mode_attribute();
// Padding by numbers and automatic padding at once is refused: bad samples with one spatial axis, and what samples that
// combine attributes leave out.
bool no_pads_beside_auto_pad(const Attrs& attrs);
std::vector<BadSample> pads_and_auto_pad(const std::vector<SampleInput>& inputs, const Attrs& attrs = {});

// Calls visit(tap, position, pixel, count): tap number `tap` at `count` consecutive output positions from `position` on
// reads the pixels from `pixel` on, windows[2].stride apart. What lies in the padding is left out. Taps come in
// row-major order.
template <class Visit>
void for_each_patch_run(const Windows& windows, Visit visit) {
  const auto& [deep, high, wide] = windows;
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

}  // namespace asg::ops
