#pragma once

#include <string>
#include <vector>

#include "asg/graph/samples.h"

namespace asg::ops {

// One convolution, from which the samples of all three ops of the family are made: every pair of attributes, one to
// three spatial axes.
struct ConvCase {
  std::string name;
  Sizes x;
  Sizes w;
  Sizes y;
  Attrs attrs = {};
};

std::vector<ConvCase> conv_cases();

// Padding by numbers and automatic padding at once, which is refused.
std::vector<BadSample> pads_and_auto_pad(const std::vector<SampleInput>& inputs);

}  // namespace asg::ops
