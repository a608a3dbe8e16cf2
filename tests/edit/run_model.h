#pragma once

#include <vector>

#include "asg/graph/contexts.h"
#include "asg/graph/graph.h"

namespace asg::test {

// The outputs of a model, then its updates by variable, in this mode, for inputs drawn by name and type (symbols are
// 3 long) and variables at their initial values.
std::vector<Array> run_model(const Graph& graph, Mode mode);

}  // namespace asg::test
