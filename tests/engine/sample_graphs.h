#pragma once

#include <string>
#include <vector>

#include "asg/compile/executable.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

// Whole graphs around the samples of the cards, for comparing engines.
namespace asg::test {

struct SampleGraph {
  Graph graph{"sample"};
  NamedArrays inputs;
  std::vector<std::pair<VarId, Array>> variables;
};

// The op on the inputs of a sample, its outputs as "output_0" …, and where it has a gradient those of a weighted sum
// of its float outputs by all float inputs and parameters as "gradient_0" …. Floats are of `dtype`.
SampleGraph graph_of_sample(const OpCard& op, const Sample& sample, DType dtype);

}  // namespace asg::test
