#include "autograd/control_flow.h"

#include "asg/autograd/gradients.h"
#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/registry.h"

namespace asg {

bool holds_subgraphs(const OpCard& op) {
  return op.category == Category::control_flow && op.gradient_kind == GradientKind::rule && !op.gradient;
}

void differentiate_subgraphs(const Node& node, GradientContext& context) {
  if (node.op->name == "If") return differentiate_if(node, context);
  if (node.op->name == "Scan") return differentiate_scan(node, context);
  if (node.op->name == "Loop") return differentiate_loop(node, context);
  fail_internal("no rule for the subgraphs of op " + node.op->name);
}

std::vector<OutputInfo> infos_of(GradientContext& context, int first) {
  std::vector<OutputInfo> infos;
  for (int index = first; index < context.input_count(); ++index) {
    infos.push_back(context.graph().info(context.in(index).value()));
  }
  return infos;
}

Graph made_differentiable(const Graph& subgraph) {
  return expand(subgraph, Mode::train, [](const Node& node) { return node.op->gradient_kind == GradientKind::body; })
      .graph;
}

namespace {

// A closed graph: captures and gradients of the outputs in, gradients of the wanted captures out.
GraphPtr gradient_branch(const Graph& branch, const std::vector<bool>& wanted, const std::vector<TensorType>& types) {
  Graph graph = made_differentiable(branch);
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
  const std::vector<OutputInfo> captures = infos_of(context, 1);
  for (const char* branch : {"then_branch", "else_branch"}) {
    const Graph typed = retype(*context.attr(branch).as_graph(), captures);
    spec.attrs.set(branch, gradient_branch(typed, wanted, types));
  }
  spec.stream = node.stream;  // the branches draw again what they drew
  spec.where = node.where;
  const std::vector<Tensor> gradients = context.graph().add_outputs(std::move(spec));
  std::size_t next = 0;
  for (std::size_t capture = 0; capture < wanted.size(); ++capture) {
    if (wanted[capture]) context.set(static_cast<int>(capture) + 1, gradients[next++]);
  }
}

}  // namespace asg
