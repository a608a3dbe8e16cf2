#pragma once

#include <functional>

#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg {

struct Collapsed {
  Graph graph;
  Remap remap;  // values of the given graph → values of the collapsed one; none for values inside a region
};

// Collapses each region of claimed nodes into one Carrier node, whose attribute `body` is the region as a graph.
//   expects:    a graph of plain ops that validates
//   guarantees: the same function; every region can be computed in one go (no value leaves it and comes back); a region
//               of a single node stays as it is, as do leaves
//   example:    MatMul → Add → Relu, all claimed → Carrier(a, b, c; body = the three)
Collapsed collapse(const Graph& graph, const std::function<bool(const Node&)>& claimed);

}  // namespace asg
