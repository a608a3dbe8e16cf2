#pragma once

#include "asg/core/named_arrays.h"
#include "asg/graph/graph.h"

namespace asg::train {

// Computes what follows from constants and from integers of the inputs alone, and looks whether the rest of the graph
// can work on it: an index must lie within its axis, an integer divisor must not be 0.
//   expects:  a graph of plain ops; of the shapes of data at least the axes that are indexed are known
// Throws what is wrong first, in topological order: with the node, the number, and its place in the input that it comes
// from. Of inputs that are no batch but hold the greatest classes of the data it tells no place.
void check_values(const Graph& graph, const NamedArrays& inputs, bool is_batch = true);

}  // namespace asg::train
