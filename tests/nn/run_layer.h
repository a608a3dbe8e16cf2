#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"
#include "asg/graph/contexts.h"
#include "asg/graph/graph.h"

namespace asg::test {

struct LayerRun {
  std::vector<Array> outputs;
  NamedArrays variables;  // after the step
};

// Runs a model once. Variables have their first values unless `values` gives others, by name; so are its inputs given.
LayerRun run_layer(const Graph& graph, Mode mode, NamedArrays values);
// The first output of such a run.
Array output_of(const Graph& graph, Mode mode, NamedArrays values);

// A model of one layer: input "x" of the given type, output "y".
Graph one_layer(std::string_view op, const char* type, const Attrs& attrs = {});
// Numbers between -1 and 1 that all differ.
Array counted(const Sizes& sizes);

}  // namespace asg::test
