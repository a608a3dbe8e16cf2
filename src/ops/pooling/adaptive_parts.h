#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/card.h"

// Pools whose result has a given size: each axis is cut into as many windows as results are wanted, as even as can be;
// where the size does not divide the length, neighbouring windows share an element.
namespace asg::ops {

struct AdaptiveAxis {
  std::int64_t input = 1;
  std::int64_t output = 1;

  std::int64_t begin(std::int64_t position) const { return position * input / output; }
  std::int64_t end(std::int64_t position) const { return ((position + 1) * input + output - 1) / output; }
};

std::vector<AttrSpec> adaptive_attributes();
Shape adaptive_shape(const AttrReader& attributes, const Shape& x);
// The spatial axes of x, whose lengths must be known (not_expandable).
std::vector<AdaptiveAxis> adaptive_axes(const AttrReader& attributes, const Shape& x);

// Sizes that divide and sizes that do not, growing ones, one to three axes; all elements differ.
std::vector<Sample> adaptive_samples();
std::vector<BadSample> bad_adaptive_pools();

}  // namespace asg::ops
