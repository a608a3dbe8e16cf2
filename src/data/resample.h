#pragma once

#include <cstdint>

#include "asg/core/dtype.h"

namespace asg::data {

// A window of a plane of numbers.
struct Window {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

// Fills `planes` planes of height × width from the same window of planes of full_height × full_width: each new number
// is the mean of the old ones around its place, weighted by a triangle that is as wide as the reduction, at least 1.
// Only u8 (rounded to the nearest) and f32. No side may be 0.
void resample(DType dtype, std::int64_t planes, const std::byte* from, std::int64_t full_height,
              std::int64_t full_width, const Window& window, std::byte* to, std::int64_t height, std::int64_t width);

}  // namespace asg::data
