#pragma once

#include <span>
#include <vector>

#include "asg/compile/program.h"
#include "compile/fusion/layouts.h"

namespace asg {

// How the values of a graph lie in memory on a device.
//   expects:    `order` is topological and holds what the `results` need: the values of outputs and updates
//   guarantees: what view ops give is walked where it lies; calls get their inputs with strides that the device takes,
//               dense ones where it takes no others; results are dense
fusion::Layouts layouts_for(const CallRules& device, const Graph& graph, std::span<const NodeId> order,
                            const std::vector<Value>& results);

}  // namespace asg
