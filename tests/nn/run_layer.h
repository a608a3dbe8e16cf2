#pragma once

#include <string>
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

}  // namespace asg::test
