#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"

// What the residual blocks of convolutional networks have in common.
namespace asg::nn {

struct Filters {
  std::int64_t channels = 1;
  std::int64_t kernel = 1;  // height and width; padded so that stride 1 keeps the size of the picture
  std::int64_t stride = 1;
  std::int64_t groups = 1;
};
// A convolution without a bias, named `conv`, and the batch norm that takes the place of it, named `norm`.
Tensor normalised_convolution(BodyContext& ctx, std::string conv, std::string norm, const Tensor& x,
                              const Filters& filters);
// What the result of a block is added to: its input, or where channels or size differ, a 1×1 convolution of it.
Tensor shortcut(BodyContext& ctx, const Tensor& x, std::int64_t channels, std::int64_t stride);

AttrSpec channels_attribute();
AttrSpec stride_attribute();
// A batch of pictures whose size is odd, even and different on every axis, with as many channels, other channels, and
// stride 2. `more` is given to each.
std::vector<Sample> residual_samples(const Attrs& more = {});
// Another rank, and no channels.
std::vector<BadSample> bad_residual_blocks(const Attrs& more = {});

}  // namespace asg::nn
