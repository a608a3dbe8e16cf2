#pragma once

#include <vector>

#include "ops/support/axis_maps.h"

namespace asg::ops {

// AveragePool and AdaptiveAveragePool: an average over a box is the average of averages along its axes, so both are
// maps along the spatial axes.
MappedOp average_pool();
std::vector<AttrSpec> average_pool_attributes();
MappedOp adaptive_average_pool();

}  // namespace asg::ops
