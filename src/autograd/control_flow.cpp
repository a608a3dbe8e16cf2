#include "autograd/control_flow.h"

#include "asg/autograd/gradients.h"
#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/registry.h"

namespace asg {
namespace {

// A closed graph: captures and gradients of the outputs in, gradients of the wanted captures out.
GraphPtr gradient_branch(const Graph& branch, const std::vector<bool>& wanted, const std::vector<TensorType>& types) {
  Graph graph =
      expand(branch, Mode::train, [](const Node& node) { return node.op->gradient_kind == GradientKind::body; }).graph;
  std::vector<Tensor> outputs;
  std::vector<Tensor> output_gradients;
  for (std::size_t index = 0; index < types.size(); ++index) {
    const Tensor gradient = graph.input(graph.free_name("", "gradient"), types[index]);
    if (!is_float(types[index].dtype)) continue;
    outputs.push_back(graph.tensor(graph.outputs()[index].value));
    output_gradients.push_back(gradient);
  }
  std::vector<Tensor> targets;
  for (std::size_t capture = 0; capture < wanted.size(); ++capture) {
    if (wanted[capture]) targets.push_back(graph.tensor({graph.inputs()[capture], 0}));
  }
  const GradientResult result = add_vjp(outputs, output_gradients, targets);
  graph.set_outputs({});
  for (std::size_t index = 0; index < targets.size(); ++index) {
    graph.set_output("gradient_" + std::to_string(index), result.gradients[index]);
  }
  return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

void differentiate_if(const Node& node, GradientContext& context) {
  const std::vector<bool> wanted(context.wanted.begin() + 1, context.wanted.end());
  std::vector<TensorType> types;
  NodeSpec spec;
  spec.op = node.op;
  spec.inputs = node.inputs;
  for (std::size_t index = 0; index < context.outputs.size(); ++index) {
    types.push_back(context.outputs[index].type());
    spec.inputs.push_back(context.grad(static_cast<int>(index)).value());
  }
  // Branches may have been written for other symbols than those of the values passed to them here.
  std::vector<OutputInfo> captures;
  for (int index = 1; index < context.input_count(); ++index) {
    captures.push_back(context.graph().info(context.in(index).value()));
  }
  for (const char* branch : {"then_branch", "else_branch"}) {
    const Graph typed = retype(*context.attr(branch).as_graph(), captures);
    spec.attrs.set(branch, gradient_branch(typed, wanted, types));
  }
  spec.where = node.where;
  const std::vector<Tensor> gradients = context.graph().add_outputs(std::move(spec));
  std::size_t next = 0;
  for (std::size_t capture = 0; capture < wanted.size(); ++capture) {
    if (wanted[capture]) context.set(static_cast<int>(capture) + 1, gradients[next++]);
  }
}

}  // namespace asg
