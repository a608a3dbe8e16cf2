#include "autograd/by_body.h"

#include "asg/autograd/gradients.h"
#include "asg/graph/body.h"
#include "asg/graph/expand.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

// The body as nodes of the graph, over the given tensors; returns its outputs. Nodes draw the random numbers that they
// would draw after an expansion.
std::vector<Tensor> copied_body(const Node& node, Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<const OutputInfo*> infos;
  std::vector<Value> arguments;
  for (const Tensor& input : inputs) {
    infos.push_back(input.valid() ? &graph.info(input.value()) : nullptr);
    if (input.valid()) arguments.push_back(input.value());
  }
  const Body body = make_body(*node.op, node.attrs, node.body, infos, Mode::train);
  internal_check(body.graph.variable_ids().empty(), "a plain op with variables");
  Remap values;
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    values.set({body.graph.inputs()[index], 0}, arguments[index]);
  }
  for (const NodeId id : topological_order(body.graph)) {
    const Node& inner = body.graph.node(id);
    if (inner.op->name == "Input") continue;
    NodeSpec spec{.op = inner.op, .attrs = inner.attrs, .body = inner.body, .where = inner.where};
    for (const Value input : inner.inputs) spec.inputs.push_back(input ? values(input) : Value{});
    spec.stream = carries_stream(*inner.op) ? stream_inside(node.stream, inner) : 0;
    const NodeId copy = graph.add(std::move(spec));
    for (std::uint32_t port = 0; port < inner.outputs.size(); ++port) values.set({id, port}, {copy, port});
  }
  std::vector<Tensor> outputs;
  for (const Output& output : body.graph.outputs()) outputs.push_back(graph.tensor(values(output.value)));
  return outputs;
}

}  // namespace

void differentiate_by_body(const Node& node, GradientContext& context) {
  // The body reads copies of the inputs, which depend on nothing else that it reads.
  std::vector<Tensor> inputs = context.inputs;
  std::vector<Tensor> targets;
  for (int index = 0; index < context.input_count(); ++index) {
    if (!context.needs(index)) continue;
    Tensor& input = inputs[static_cast<std::size_t>(index)];
    input = add_op("Identity", {input});
    targets.push_back(input);
  }
  std::vector<Tensor> outputs;
  std::vector<Tensor> output_gradients;
  const std::vector<Tensor> all = copied_body(node, context.graph(), inputs);
  for (int index = 0; index < static_cast<int>(all.size()); ++index) {
    if (!context.has_grad(index)) continue;
    outputs.push_back(all[static_cast<std::size_t>(index)]);
    output_gradients.push_back(context.grad(index));
  }
  const GradientResult found = add_vjp(outputs, output_gradients, targets);
  std::size_t next = 0;
  for (int index = 0; index < context.input_count(); ++index) {
    if (context.needs(index)) context.set(index, found.gradients[next++]);
  }
}

}  // namespace asg
