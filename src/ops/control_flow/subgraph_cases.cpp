#include "ops/control_flow/subgraph_cases.h"

namespace asg::cards {

OpCard card_input();
OpCard card_add();
OpCard card_mul();
OpCard card_tanh();

}  // namespace asg::cards

namespace asg::ops {

SampleGraph::SampleGraph(const std::vector<Sizes>& floats) {
  for (const Sizes& sizes : floats) input({DType::f64, Shape::of(sizes)});
}

Value SampleGraph::input(TensorType type) {
  static const OpCard kCard = cards::card_input();
  const NodeId node = graph_.add(
      {.op = &kCard, .attrs = {{"type", std::move(type)}}, .name = "input_" + std::to_string(inputs_.size())});
  inputs_.push_back({node, 0});
  return inputs_.back();
}

Value SampleGraph::add(const OpCard& op, std::vector<Value> inputs, Attrs attrs) {
  return {graph_.add({.op = &op, .inputs = std::move(inputs), .attrs = std::move(attrs)}), 0};
}

Value SampleGraph::plus(Value a, Value b) {
  static const OpCard kCard = cards::card_add();
  return add(kCard, {a, b});
}

Value SampleGraph::times(Value a, Value b) {
  static const OpCard kCard = cards::card_mul();
  return add(kCard, {a, b});
}

Value SampleGraph::tanh(Value x) {
  static const OpCard kCard = cards::card_tanh();
  return add(kCard, {x});
}

SampleGraph& SampleGraph::output(Value value) {
  graph_.set_output("output_" + std::to_string(graph_.outputs().size()), graph_.tensor(value));
  return *this;
}

}  // namespace asg::ops
