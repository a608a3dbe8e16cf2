#include "check/problem.h"

#include <algorithm>

#include "asg/core/random.h"

namespace asg {
namespace {

constexpr std::uint64_t kSeed = 7;

void add_inputs(Problem& problem, const OpCard& op, const Sample& sample, NodeSpec& spec) {
  for (std::size_t index = 0; index < sample.inputs.size(); ++index) {
    if (sample.inputs[index].absent) {
      spec.inputs.emplace_back();
      continue;
    }
    const Array value = sample_value(sample.inputs[index], op.name, sample.name, index);
    // Integers and conditions are constants: shapes and axes must be known while building.
    if (!is_target(op, index, value)) {
      spec.inputs.push_back(problem.graph.constant(value).value());
      continue;
    }
    const std::string name = "input_" + std::to_string(index);
    const Tensor input = problem.graph.input(name, {value.dtype(), Shape::of(value.sizes())});
    spec.inputs.push_back(input.value());
    problem.targets.push_back(input.value());
    problem.target_names.push_back(name);
    problem.values[name] = value;
  }
}

void add_variables(Problem& problem) {
  for (VarId id : problem.graph.variable_ids()) {
    const Variable& variable = problem.graph.variable(id);
    if (variable.kind == VarKind::parameter && variable.type.dtype == DType::f64) {
      problem.targets.push_back(problem.graph.read(id).value());
      problem.target_names.push_back(variable.name);
    }
    problem.values[variable.name] = value_for_check(variable);
  }
}

}  // namespace

bool is_target(const OpCard& op, std::size_t input, const Array& value) {
  const Port& port = op.inputs[std::min(input, op.inputs.size() - 1)];
  return port.differentiable && value.dtype() == DType::f64 && value.count() > 0;
}

Array random_numbers(const Sizes& sizes, std::uint64_t stream, double low, double high) {
  const RandomStream random(kSeed, stream);
  Array numbers(DType::f64, sizes);
  auto elements = numbers.mutable_data<double>();
  for (std::size_t at = 0; at < elements.size(); ++at) elements[at] = low + (high - low) * random.uniform(at);
  return numbers;
}

Array value_for_check(const Variable& variable) {
  Array value = initial_value(variable, kSeed).copy();
  if (variable.kind != VarKind::parameter || variable.type.dtype != DType::f64) return value;
  const Array moves = random_numbers(value.sizes(), combine(StreamKey{1}, variable.id.number), -0.2, 0.2);
  auto elements = value.mutable_data<double>();
  for (std::size_t at = 0; at < elements.size(); ++at) elements[at] += moves.data<double>()[at];
  return value;
}

Tensor weighted_sum(Graph& graph, const std::vector<Value>& values, std::uint64_t stream) {
  Tensor sum = graph.scalar(DType::f64, 0);
  for (Value value : values) {
    const Tensor tensor = graph.tensor(value);
    // Where only the data decide the length, one weight serves all elements.
    const Sizes sizes = tensor.shape().is_known() ? tensor.shape().sizes() : Sizes{};
    const Array weights = random_numbers(sizes, combine(stream, value.node.number), 1, 3);
    const Tensor product = tensor * graph.constant(weights);
    sum = sum + add_op("ReduceSum", {product}, {{"keepdims", false}});
  }
  return sum;
}

Problem make_problem(const OpCard& op, const Sample& sample) {
  Problem problem;
  NodeSpec spec;
  spec.op = &op;
  spec.attrs = sample.attrs;
  add_inputs(problem, op, sample, spec);
  problem.node = problem.graph.add(std::move(spec));
  const std::vector<OutputInfo> outputs = problem.graph.node(problem.node).outputs;
  for (std::uint32_t port = 0; port < outputs.size(); ++port) {
    if (outputs[port].type.dtype == DType::f64) problem.outputs.push_back({problem.node, port});
  }
  add_variables(problem);
  return problem;
}

}  // namespace asg
