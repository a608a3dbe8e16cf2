#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/tensor.h"

namespace asg::ops {

// (Σ |x|^p)^(1/p) along the axes, which are kept; scaled by the largest magnitude, so that no power overflows. 0 where
// all are 0.
Tensor lp_norm(const Tensor& x, const std::vector<std::int64_t>& axes, double p);

}  // namespace asg::ops
