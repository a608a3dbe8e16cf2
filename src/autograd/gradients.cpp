#include "asg/autograd/gradients.h"

#include <unordered_map>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "autograd/by_body.h"
#include "autograd/control_flow.h"
#include "autograd/zeros.h"

namespace asg {
namespace {

bool is_differentiable(const OpCard& op, std::size_t input) {
  return op.inputs[std::min(input, op.inputs.size() - 1)].differentiable;
}

std::shared_ptr<const Origin> gradient_origin(const Node& node) {
  if (node.origin == nullptr) return std::make_shared<const Origin>(Origin{node.id, "", Role::gradient});
  return std::make_shared<const Origin>(Origin{node.origin->node, node.origin->path, Role::gradient});
}

// One reverse sweep over a graph. Contributions to a value are kept until all its users have been visited, then added
// up in the order in which they arose, so that the same graph gives the same sum.
class ReverseSweep {
 public:
  ReverseSweep(Graph& graph, std::span<const Tensor> targets)
      : graph_(graph), order_(topological_order(graph)), leads_to_target_(graph.next_node_id().number, false) {
    for (const Tensor& target : targets) is_target_[target.value()] = true;
    mark_nodes_that_lead_to_targets();
  }

  void seed(Value value, const Tensor& gradient) { contributions_[value].push_back(gradient); }

  void run() {
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
      if (leads_to_target_[id->number]) visit(*id);
    }
  }

  // The sum of what reached the value; no tensor when nothing did.
  Tensor gradient(Value value) {
    const auto entry = contributions_.find(value);
    if (entry == contributions_.end() || entry->second.empty()) return {};
    Tensor sum = entry->second.front();
    for (std::size_t index = 1; index < entry->second.size(); ++index) {
      sum = add_op("Add", {sum, entry->second[index]});
    }
    entry->second = {sum};
    return sum;
  }

 private:
  bool wanted(const Node& node, std::size_t input) const {
    const Value value = node.inputs[input];
    if (!value || !is_differentiable(*node.op, input) || !is_float(graph_.type(value).dtype)) return false;
    return leads_to_target_[value.node.number] || is_target_.contains(value);
  }

  void mark_nodes_that_lead_to_targets() {
    for (NodeId id : order_) {
      const Node& node = graph_.node(id);
      if (node.op->gradient_kind == GradientKind::zero) continue;  // nothing flows through it, by definition
      for (std::size_t input = 0; input < node.inputs.size() && !leads_to_target_[id.number]; ++input) {
        leads_to_target_[id.number] = wanted(node, input);
      }
    }
  }

  void visit(NodeId id) {
    const NodePtr node = graph_.node_ptr(id);  // kept alive while the graph grows
    GradientContext context(*node->op, node->attrs, graph_);
    bool reached = false;
    const Graph::OriginGuard origin(graph_, gradient_origin(*node));
    const Graph::ScopeGuard scope(graph_, node->scope);
    for (std::uint32_t port = 0; port < node->outputs.size(); ++port) {
      context.outputs.push_back(graph_.tensor({id, port}));
      context.output_grads.push_back(gradient({id, port}));
      reached = reached || context.output_grads.back().valid();
    }
    if (!reached) return;
    for (std::size_t input = 0; input < node->inputs.size(); ++input) {
      context.inputs.push_back(node->inputs[input] ? graph_.tensor(node->inputs[input]) : Tensor{});
      context.wanted.push_back(wanted(*node, input));
    }
    context.results.resize(node->inputs.size());
    context.stream = node->stream;
    apply_rule(*node, context);
    for (std::size_t input = 0; input < node->inputs.size(); ++input) {
      if (context.wanted[input] && context.results[input].valid()) seed(node->inputs[input], context.results[input]);
    }
  }

  static void apply_rule(const Node& node, GradientContext& context) {
    if (holds_subgraphs(*node.op)) return differentiate_subgraphs(node, context);
    if (node.op->gradient_kind == GradientKind::rule && node.op->gradient) return node.op->gradient(context);
    const bool expandable = node.op->composite;
    if (node.op->gradient_kind == GradientKind::body && !expandable) return differentiate_by_body(node, context);
    throw UserError(
        {.code = ErrorCode::no_gradient,
         .given = "a gradient through op '" + node.op->name + "'",
         .needed = "an op with a gradient rule",
         .mend = expandable ? "expand the graph first; `differentiate` does so" : std::string(node.op->gradient_reason),
         .node = node.path(),
         .where = node.where.to_string()});
  }

  Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<bool> leads_to_target_;
  std::unordered_map<Value, bool> is_target_;
  std::unordered_map<Value, std::vector<Tensor>> contributions_;
};

void check_targets(Graph& graph, std::span<const Tensor> tensors) {
  for (const Tensor& tensor : tensors) {
    if (&tensor.graph() != &graph) {
      fail(ErrorCode::foreign_tensor, "a tensor of graph '" + tensor.graph().name() + "'",
           "tensors of the graph that is differentiated");
    }
    if (!is_float(tensor.dtype())) {
      fail(ErrorCode::bad_dtype, "a gradient by a tensor of type " + tensor.type().to_string(), "a tensor of floats");
    }
  }
}

}  // namespace

GradientResult add_vjp(std::span<const Tensor> outputs, std::span<const Tensor> output_gradients,
                       std::span<const Tensor> targets) {
  if (outputs.empty() || outputs.size() != output_gradients.size()) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(output_gradients.size()) + " gradients for " + std::to_string(outputs.size()) + " outputs",
         "at least one output, and a gradient for each");
  }
  Graph& graph = outputs.front().graph();
  check_targets(graph, outputs);
  check_targets(graph, targets);
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    if (output_gradients[index].type() != outputs[index].type()) {
      fail(ErrorCode::type_mismatch, "a gradient of type " + output_gradients[index].type().to_string(),
           outputs[index].type().to_string() + ", the type of the output");
    }
  }
  const Graph::ScopeGuard scope(graph, "gradient");
  ReverseSweep sweep(graph, targets);
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    sweep.seed(outputs[index].value(), output_gradients[index]);
  }
  sweep.run();
  GradientResult result;
  for (const Tensor& target : targets) {
    const Graph::OriginGuard origin(graph, gradient_origin(graph.node(target.node())));
    Tensor gradient = sweep.gradient(target.value());
    if (!gradient.valid()) {
      result.warnings.push_back("the loss does not depend on " + graph.node(target.node()).path() +
                                "; its gradient is zero");
      gradient = zeros_like(target);
    }
    result.gradients.push_back(gradient);
  }
  return result;
}

GradientResult add_gradients(const Tensor& loss, std::span<const Tensor> targets) {
  if (!is_float(loss.dtype()) || loss.rank() != 0) {
    fail(ErrorCode::not_scalar, "a loss of type " + loss.type().to_string(), "a float of rank 0",
         "reduce it with reduce_sum or reduce_mean (keepdims = false), or use add_vjp");
  }
  Graph& graph = loss.graph();
  const Graph::OriginGuard origin(graph, gradient_origin(graph.node(loss.node())));
  const Tensor one = [&] {
    const Graph::ScopeGuard scope(graph, "gradient");
    return graph.scalar(loss.dtype(), 1);
  }();
  return add_vjp(std::span(&loss, 1), std::span(&one, 1), targets);
}

namespace {

template <class MakeTarget, class Target>
Differentiated differentiate_expanded(const Graph& model, Value loss, std::span<const Target> targets, Mode mode,
                                      const MakeTarget& make_target) {
  Expansion expansion =
      expand(model, mode, [](const Node& node) { return node.op->gradient_kind == GradientKind::body; });
  Differentiated result{std::move(expansion.graph), std::move(expansion.remap), {}, {}};
  std::vector<Tensor> tensors;
  for (const Target& target : targets) tensors.push_back(make_target(result, target));
  GradientResult found = add_gradients(result.graph.tensor(result.remap(loss)), tensors);
  for (std::size_t index = 0; index < tensors.size(); ++index) {
    result.gradients.push_back(found.gradients[index].value());
    result.graph.set_output("gradient:" + std::to_string(index), found.gradients[index]);
  }
  result.warnings = std::move(found.warnings);
  return result;
}

}  // namespace

Differentiated differentiate(const Graph& model, Value loss, std::span<const Value> targets, Mode mode) {
  return differentiate_expanded(model, loss, targets, mode, [](Differentiated& joint, Value target) {
    return joint.graph.tensor(joint.remap(target));
  });
}

Differentiated differentiate(const Graph& model, Value loss, std::span<const VarId> targets, Mode mode) {
  return differentiate_expanded(model, loss, targets, mode,
                                [](Differentiated& joint, VarId target) { return joint.graph.read(target); });
}

}  // namespace asg
