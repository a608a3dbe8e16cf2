#pragma once

#include <functional>

#include "asg/graph/card.h"

// Cost rules that many ops share.
namespace asg::ops {

// What one exp, log, sin … counts, by convention.
inline constexpr double kTranscendental = 10;

// Bytes of all inputs read and all outputs written once.
double bytes_moved(const CostContext& ctx);
// So many FLOPs per element of output 0; bound by memory.
std::function<Cost(const CostContext&)> cost_per_output(double flops);
// So many FLOPs per element of input 0; bound by memory. For reductions.
std::function<Cost(const CostContext&)> cost_per_input(double flops);
// Nothing is computed and nothing need be copied: leaves and views.
Cost cost_nothing(const CostContext& ctx);

}  // namespace asg::ops
