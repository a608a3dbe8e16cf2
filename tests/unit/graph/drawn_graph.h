#pragma once

#include "asg/graph/graph.h"

// Graphs made by hand for the tests of the text form and of the drawing; their cards are in no registry.
namespace asg {

// One of everything: input, layer with own and shared slots, absent input, two outputs, subgraph with a block in it,
// scopes, origin, output and update.
Graph drawn_graph();
Graph reordered_graph();  // ids against the order of computation
Graph cyclic_graph();
Graph broken_graph();           // refers to nodes, ports and variables that do not exist
Graph nested_graph(int depth);  // blocks inside each other

}  // namespace asg
