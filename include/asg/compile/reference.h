#pragma once

#include <functional>
#include <span>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {

// Runs a subgraph for a kernel: inputs and outputs in the order of the graph.
using RunGraph = std::function<std::vector<Array>(const Graph&, std::span<const Array>)>;

// One op by the reference kernel of its card: inputs widened to their compute type, outputs rounded once. `inputs`
// holds null for absent optional inputs. Throws what inference throws on inputs and attributes that do not fit,
// computation_error where the values do not allow it, not_implemented where the card has no kernel.
std::vector<Array> run_reference(const OpCard& op, const Attrs& attrs, StreamKey stream,
                                 std::span<const Array* const> inputs, const RunGraph& run_graph = {});

}  // namespace asg
