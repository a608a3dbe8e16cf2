#include "ops/control_flow/subgraph_cases.h"

#include "ops/support/cards.h"

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

namespace {

// For the samples: (a + b, a * b).
GraphPtr sum_and_product(const Sizes& a, const Sizes& b) {
  SampleGraph graph({a, b});
  const Value sum = graph.plus(graph.in(0), graph.in(1));
  graph.output(sum).output(graph.times(graph.in(0), graph.in(1)));
  return graph.finish();
}

}  // namespace

std::vector<Sample> called_samples() {
  const auto given = [](std::vector<double> values) { return in_exact(Array::of<double>({2}, values)); };
  return {
      {.name = "equal_shapes",
       .inputs = {in({2, 3, 4}), in({2, 3, 4})},
       .attrs = {{"body", sum_and_product({2, 3, 4}, {2, 3, 4})}}},
      {.name = "other_shapes", .inputs = {in({4, 3}), in({3})}, .attrs = {{"body", sum_and_product({2, 3}, {3})}}},
      {.name = "exact",
       .inputs = {given({2, 3}), given({5, 7})},
       .attrs = {{"body", sum_and_product({2}, {2})}},
       .expected = {Array::of<double>({2}, {7, 10}), Array::of<double>({2}, {10, 21})}},
      {.name = "empty",
       .inputs = {in({0, 3}), in({3})},
       .attrs = {{"body", sum_and_product({2, 3}, {3})}},
       .gradient = false},
  };
}

std::vector<BadSample> bad_called_samples() {
  return {
      {.name = "too_few_values",
       .inputs = {in({2})},
       .attrs = {{"body", sum_and_product({2}, {2})}},
       .code = ErrorCode::capture_mismatch,
       .contains = "1 values"},
      {.name = "no_outputs",
       .inputs = {},
       .attrs = {{"body", std::make_shared<const Graph>("nothing")}},
       .code = ErrorCode::wrong_input_count,
       .contains = "at least one output"},
      {.name = "no_body", .inputs = {in({2})}, .code = ErrorCode::missing_attribute, .contains = "body"},
  };
}

}  // namespace asg::ops
