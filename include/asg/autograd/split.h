#pragma once

#include "asg/graph/graph.h"

namespace asg {

// The joint graph as two, for people, files and runs over a cache: the forward part, and the gradient part, in which
// values of the forward part appear as External nodes (graph id, node id, port). Nodes keep their ids in both.
struct SplitGraphs {
  Graph forward;
  Graph gradient;  // its id is that of the forward graph plus one
};

SplitGraphs split(const Graph& joint);

// Joins what `split` parted; link(split(joint)) == joint. Throws unknown_node, unknown_graph and type_mismatch where an
// External does not fit the forward graph.
Graph link(const Graph& forward, const Graph& gradient);

}  // namespace asg
