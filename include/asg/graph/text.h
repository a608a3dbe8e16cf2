#pragma once

#include <string>

#include "asg/graph/graph.h"

namespace asg {

// The graph for people to read, one line per node; subgraphs indented below their node.
std::string to_text(const Graph& graph);
// The graph for GraphViz: nodes coloured by category, scopes as clusters.
std::string to_graphviz(const Graph& graph);

}  // namespace asg
