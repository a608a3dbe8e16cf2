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

// Attributes that contradict each other or the operands, which have one spatial axis: padding by numbers and automatic
// padding at once, another kernel_shape than that of the filters.
std::vector<BadSample> refused_attributes(const std::vector<SampleInput>& inputs);

}  // namespace asg::ops
