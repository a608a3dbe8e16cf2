#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asg/compile/explain.h"
#include "asg/graph/graph.h"
#include "asg/train/step_graph.h"

namespace asg::lab::test {

// Small members of every family of the zoo, with known sizes so that they can be compiled.
struct SmallModel {
  std::string name;
  Graph graph;
};
std::vector<SmallModel> small_models();
Graph small_gpt(std::int64_t layers = 4);

train::StepGraph step_of(const Graph& model);
std::shared_ptr<const Explanation> explained(const Graph& model);  // its training step on the processor

}  // namespace asg::lab::test
