#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

// Graphs for the samples of ops that hold graphs.
namespace asg::ops {

// While cards are being made, the registry does not hold all of them yet, so the nodes are given their cards here.
class SampleGraph {
 public:
  explicit SampleGraph(const std::vector<Sizes>& floats = {});

  Value input(TensorType type);
  Value in(std::size_t index) const { return inputs_[index]; }
  Value add(const OpCard& op, std::vector<Value> inputs, Attrs attrs = {});
  Value plus(Value a, Value b);
  Value times(Value a, Value b);
  Value tanh(Value x);
  SampleGraph& output(Value value);
  GraphPtr finish() const { return std::make_shared<const Graph>(graph_); }

 private:
  Graph graph_{"sample"};
  std::vector<Value> inputs_;
};

// Samples of ops that run the graph `body` once on all their inputs.
std::vector<Sample> called_samples();
std::vector<BadSample> bad_called_samples();

}  // namespace asg::ops
