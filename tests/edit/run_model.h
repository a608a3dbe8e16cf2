#pragma once

#include <vector>

#include "asg/graph/contexts.h"
#include "asg/graph/graph.h"
#include "asg/graph/resize.h"

namespace asg::test {

// The outputs of a model, then its updates by variable, in this mode, for inputs drawn by name and type (symbols are
// 3 long) and variables at their initial values.
std::vector<Array> run_model(const Graph& graph, Mode mode);

// `after` with the values that its resized variables have by these rules. New elements that need not be zero are
// filled with numbers far from it, since they must not matter.
Graph with_values(const Graph& before, Graph after, const std::vector<ResizeRule>& rules);

// The same outputs and updates, computed by the engine on the processor.
std::vector<Array> run_model_on_cpu(const Graph& graph, Mode mode);

// The model with numbers in its variables that no layer begins with: biases that are not 0, statistics of norms that
// have seen data. Deviations stay positive.
Graph with_random_values(Graph graph);

}  // namespace asg::test
