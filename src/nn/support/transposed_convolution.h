#pragma once

#include <vector>

#include "asg/graph/card.h"

// What the transposed convolution layers of one and two spatial axes have in common.
namespace asg::nn {

void transposed_convolution_body(BodyContext& ctx, int spatial);
std::vector<AttrSpec> transposed_convolution_attributes(int spatial);
std::vector<Sample> transposed_convolution_samples(int spatial);
std::vector<BadSample> bad_transposed_convolutions(int spatial);

}  // namespace asg::nn
