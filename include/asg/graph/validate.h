#pragma once

#include <vector>

#include "asg/core/error.h"
#include "asg/graph/graph.h"

namespace asg {

// Everything that is wrong with a graph: dangling ids, cycles, duplicate names, types that inference does not give,
// wrong bindings, updates of wrong type … Empty when it is sound. Iterative, linear in the number of nodes.
std::vector<UserError> problems_of(const Graph& graph);
// Throws the first problem.
void validate(const Graph& graph);
// Sound, but perhaps not meant: unused inputs, nodes and variables that no output or update depends on.
std::vector<std::string> warnings_of(const Graph& graph);

}  // namespace asg
