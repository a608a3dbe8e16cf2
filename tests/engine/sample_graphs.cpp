#include "engine/sample_graphs.h"

#include "asg/autograd/gradients.h"
#include "asg/graph/samples.h"
#include "asg/graph/variable.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

Tensor weighted_sum(Graph& graph, const Tensor& output) {
  std::vector<double> weights;
  const Sizes sizes = output.shape().sizes();
  for (std::int64_t k = 0; k < element_count(sizes); ++k) weights.push_back(0.5 + static_cast<double>(k % 7) / 4);
  const Array numbers = Array::of<double>(sizes, weights).cast(output.dtype());
  return add_op("ReduceSum", {output * graph.constant(numbers)}, {{"keepdims", false}});
}

}  // namespace

SampleGraph graph_of_sample(const OpCard& op, const Sample& sample, DType dtype) {
  SampleGraph made;
  Graph& graph = made.graph;
  NodeSpec spec{.op = &op, .attrs = sample.attrs};
  std::vector<Value> targets;
  const Inputs values = sample_inputs(op, sample.name, sample.inputs);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!values[k]) {
      spec.inputs.emplace_back();
      continue;
    }
    const bool real = is_float(values[k]->dtype());
    const Array value = real ? values[k]->cast(dtype) : *values[k];
    const Port& port = op.inputs[std::min(k, op.inputs.size() - 1)];
    if (!port.differentiable || !real) {
      spec.inputs.push_back(graph.constant(value).value());
      continue;
    }
    const std::string name = "x" + std::to_string(k);
    spec.inputs.push_back(graph.input(name, {dtype, Shape::of(value.sizes())}).value());
    targets.push_back(spec.inputs.back());
    made.inputs[name] = value;
  }
  const NodeId id = graph.add(std::move(spec));
  Tensor loss;
  for (std::uint32_t port = 0; port < graph.node(id).outputs.size(); ++port) {
    const Tensor output = graph.tensor({id, port});
    graph.set_output("output_" + std::to_string(port), output);
    const bool known = output.shape().element_count().is_known();
    if (output.dtype() != dtype || !known) continue;
    const Tensor sum = weighted_sum(graph, output);
    loss = loss.valid() ? loss + sum : sum;
  }
  for (const VarId variable : graph.variable_ids()) {
    if (graph.variable(variable).type.dtype == dtype) targets.push_back(graph.read(variable).value());
  }
  const bool differentiable = op.gradient_kind == GradientKind::rule || op.gradient_kind == GradientKind::body;
  if (sample.gradient && differentiable && loss.valid() && !targets.empty()) {
    Differentiated joint = differentiate(graph, loss.value(), targets, Mode::train);
    std::vector<Output> outputs;
    for (const Output& output : graph.outputs()) outputs.push_back({output.name, joint.remap(output.value)});
    joint.graph.set_outputs(std::move(outputs));
    for (std::size_t k = 0; k < joint.gradients.size(); ++k) {
      joint.graph.set_output("gradient_" + std::to_string(k), joint.graph.tensor(joint.gradients[k]));
    }
    graph = std::move(joint.graph);
  }
  for (const VarId variable : graph.variable_ids()) {
    made.variables.emplace_back(variable, initial_value(graph.variable(variable), kSeed));
  }
  return made;
}

}  // namespace asg::test
