#pragma once

#include <vector>

#include "asg/graph/card.h"

// Pools over whole pictures: [batch, channels, …] becomes [batch, channels, 1, …].
namespace asg::ops {

// What such pools share: ports, type rule, differentiation through the body. The card lacks name, body, peer and words.
OpCard global_pool();
// The axes after batch and channels.
std::vector<std::int64_t> spatial_axes(const Tensor& x);

}  // namespace asg::ops
