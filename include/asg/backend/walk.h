#pragma once

#include <span>

#include "asg/backend/backend.h"

namespace asg {

// One node through the per-op side: a primitive by its typed method, with integer inputs resolved; any other op by
// run_op. Absent inputs are empty handles. Errors carry the node's path and place.
DeviceArrays run_node(Backend& backend, const Node& node, std::span<const DeviceArray> inputs);

// A whole graph through the per-op side, in topological order or in the given one; what `Backend::execute` does by
// default. Only what outputs and updates need is computed; values are let go of after their last use. An op that the
// backend does not support runs through its body, else on the host; a Carrier is handed to `execute`.
//   throws missing_value (an input or variable without a value), type_mismatch and bad_shape (a value that is not what
//   the graph says), missing_output, cycle, not_in_order, unknown_node, dangling_value, and what the ops throw
NamedDeviceArrays walk_graph(Backend& backend, const Graph& graph, const NamedDeviceArrays& inputs,
                             std::span<const NodeId> schedule = {});

// The same over a cache; what `Backend::run` does by default. All values that are computed are kept.
CachedRun walk_with_cache(Backend& backend, const Graph& graph, Cache cache);

// A cache that holds values for the inputs and variables of a graph, given by name.
Cache cache_of(const Graph& graph, const NamedDeviceArrays& inputs);

}  // namespace asg
