#pragma once

#include <vector>

#include "asg/graph/graph.h"

namespace asg {

// The part of a graph that makes these outputs: the nodes, inputs and variables that they need, under the same ids, and
// nothing else; no updates.
Graph part_for(Graph graph, std::vector<Output> outputs);

}  // namespace asg
