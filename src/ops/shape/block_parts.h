#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/card.h"

// What DepthToSpace and SpaceToDepth have in common: blocks of pixels that become channels, or come from them.
namespace asg::ops {

// Refuses all but [batch, channels, height, width].
void check_pictures(const Shape& shape);
// Refuses a length that is known not to be divisible.
void check_divisible(const Dim& length, std::int64_t divisor, std::string_view what);

// x cut into axes of the lengths `parts`, these in the order `perm`, and merged to the lengths `target`. Lengths are
// integer vectors of one element each.
Tensor rearranged(const Tensor& x, const std::vector<Tensor>& parts, std::vector<std::int64_t> perm,
                  const std::vector<Tensor>& target);

AttrSpec blocksize_attribute();
std::vector<BadSample> bad_blocks();

}  // namespace asg::ops
