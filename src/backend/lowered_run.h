#pragma once

#include <span>
#include <vector>

#include "asg/backend/backend.h"

namespace asg {

// A node whose op the backend does not support: through its body, else on the host with transfers. Throws
// not_implemented where neither is possible, unknown_op where nobody has ever heard of the op.
DeviceArrays run_lowered(Backend& backend, const Node& node, std::span<const DeviceArray> inputs);

// A Carrier: its body as one graph for `execute`.
DeviceArrays run_carrier(Backend& backend, const Node& node, std::span<const DeviceArray> inputs);

// A closed graph with host values in the order of its inputs, on the backend; outputs in order.
std::vector<Array> run_subgraph(Backend& backend, const Graph& graph, std::span<const Array> inputs);

}  // namespace asg
