#include "asg/train/taps.h"

#include <limits>

#include "asg/graph/card.h"

namespace asg::train {
namespace {

constexpr std::size_t kOutputs = 7;  // of each watched value

Tensor sum_of(const Tensor& x) { return add_op("ReduceSum", {x}, {{"keepdims", false}}); }

Tensor choose(const Tensor& condition, const Tensor& then, const Tensor& otherwise) {
  return add_op("Where", {condition, then, otherwise});
}

// Numbers in which sums can be made.
Tensor as_numbers(const Tensor& x) {
  if (x.dtype() == DType::f32 || x.dtype() == DType::f64) return x;
  return add_op("Cast", {x}, {{"to", is_float(x.dtype()) ? DType::f32 : DType::f64}});
}

// The statistics as ops of the graph, so that they end up in the kernel that computes the value.
void add_statistics(Graph& graph, const Tensor& given, const std::string& name, std::int64_t preview) {
  const Tensor x = as_numbers(given);
  const auto number = [&](double value) { return graph.scalar(x.dtype(), value); };
  const Tensor is_finite = add_op("Equal", {x - x, number(0)});  // infinities and NaN give NaN
  const auto flag = [&](std::int64_t value) { return graph.constant(Array::scalar_i64(value)); };
  const Tensor finite = sum_of(choose(is_finite, flag(1), flag(0)));
  const Tensor divisor = add_op("Max", {add_op("Cast", {finite}, {{"to", x.dtype()}}), number(1)});
  const Tensor mean = sum_of(choose(is_finite, x, number(0))) / divisor;
  const Tensor distance = x - mean;
  const Tensor square = sum_of(choose(is_finite, distance * distance, number(0))) / divisor;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto extreme = [&](const char* op, double nothing) {
    return add_op(op, {choose(is_finite, x, number(nothing))}, {{"keepdims", false}});
  };
  const Tensor flat = add_op("Reshape", {given, graph.constant(Array::ints({-1}))});
  const Tensor first =
      add_op("Slice", {flat, graph.constant(Array::ints({0})), graph.constant(Array::ints({preview}))});
  graph.set_output(name + "/count", add_op("Size", {x}));
  graph.set_output(name + "/finite", finite);
  graph.set_output(name + "/mean", mean);
  graph.set_output(name + "/deviation", add_op("Sqrt", {square}));
  graph.set_output(name + "/least", extreme("ReduceMin", infinity));
  graph.set_output(name + "/greatest", extreme("ReduceMax", -infinity));
  graph.set_output(name + "/preview", first);
}

[[noreturn]] void fail_unknown(Value value) {
  fail(ErrorCode::unknown_node, "value " + to_string(value) + " to be watched",
       "a value that a step of training computes", "watch an output of a node of the model that the loss depends on");
}

}  // namespace

Taps::Taps(const StepGraph& step, Backend& backend, Executable& training, std::vector<Value> watched,
           std::int64_t preview)
    : training_(training) {
  Graph graph = step.graph;
  graph.set_outputs({});
  graph.set_updates({});
  {
    const Graph::ScopeGuard scope(graph, "taps");
    for (std::size_t k = 0; k < watched.size(); ++k) {
      const Value value = step.remap(watched[k]);
      if (!value || !graph.has(value.node)) fail_unknown(watched[k]);
      add_statistics(graph, graph.tensor(value), "tap_" + std::to_string(k), preview);
    }
  }
  twin_ = backend.compile(graph, {.mode = Mode::train});
  shares_variables_ = twin_->share_variables(training);
  for (const Value value : watched) readings_.push_back({.value = value});
  outputs_.resize(watched.size() * kOutputs);
}

const std::vector<TapReading>& Taps::read(std::span<const Array> batch) {
  if (!shares_variables_) {
    for (const VarId id : twin_->graph().variable_ids()) twin_->write(id, training_.read(id));
  }
  for (std::size_t k = 0; k < readings_.size(); ++k) outputs_[(k + 1) * kOutputs - 1] = Array();  // was handed out
  twin_->run_into(batch, outputs_);
  for (std::size_t k = 0; k < readings_.size(); ++k) {
    const Array* outputs = &outputs_[k * kOutputs];
    TapReading& reading = readings_[k];
    reading.count = outputs[0].get_i64(0);
    reading.not_finite = reading.count - outputs[1].get_i64(0);
    reading.mean = outputs[2].get(0);
    reading.deviation = outputs[3].get(0);
    reading.least = outputs[4].get(0);
    reading.greatest = outputs[5].get(0);
    reading.preview = outputs[6];
  }
  return readings_;
}

}  // namespace asg::train
