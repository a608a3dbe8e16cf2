#pragma once

#include <string>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::test {

// Ops with which the tests of files and of validation build what they need, whatever ops the libraries hold:
//   json.Dense      a layer with the slots weight and bias; `units`, `bias`
//   json.Pair       a layer of two json.Dense, "first" and "second"
//   json.Block      any inputs and outputs, all from a body of the node's own
//   json.Choose     subgraphs `then_branch` and `else_branch`; inputs: condition, captures
//   json.Noise      a random op
//   json.Everything attributes of every kind, two outputs
//   json.Maybe      inputs a, b (optional), c (optional)
void register_json_ops();

struct NamedGraph {
  std::string name;
  Graph graph;
};

// Small graphs that together hold every feature of a file.
std::vector<NamedGraph> graphs_of_every_feature();

}  // namespace asg::test
