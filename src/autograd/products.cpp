#include "asg/autograd/products.h"

#include "asg/graph/card.h"
#include "autograd/zeros.h"

namespace asg {
namespace {

JacobianProduct expanded(const Graph& graph, Mode mode) {
  Expansion expansion =
      expand(graph, mode, [](const Node& node) { return node.op->gradient_kind == GradientKind::body; });
  return {std::move(expansion.graph), std::move(expansion.remap), {}, {}};
}

std::vector<Tensor> tensors_of(JacobianProduct& result, std::span<const Value> values) {
  std::vector<Tensor> tensors;
  for (Value value : values) tensors.push_back(result.graph.tensor(result.remap(value)));
  return tensors;
}

// The vectors that `sides` are multiplied with: values of the given graph, or new inputs where none is named.
std::vector<Tensor> vectors_for(JacobianProduct& result, const std::vector<Tensor>& sides, std::span<const Value> given,
                                const std::string& name) {
  if (!given.empty() && given.size() != sides.size()) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(given.size()) + " " + name + "s for " + std::to_string(sides.size()) + " values",
         "one for each, or none at all to have inputs made");
  }
  std::vector<Tensor> vectors;
  for (std::size_t index = 0; index < sides.size(); ++index) {
    const bool named = index < given.size() && given[index];
    vectors.push_back(named ? result.graph.tensor(result.remap(given[index]))
                            : result.graph.input(name + ":" + std::to_string(index), sides[index].type()));
  }
  return vectors;
}

void add_products(JacobianProduct& result, GradientResult found, const std::string& name) {
  for (std::size_t index = 0; index < found.gradients.size(); ++index) {
    result.products.push_back(found.gradients[index].value());
    result.graph.set_output(name + ":" + std::to_string(index), found.gradients[index]);
  }
  result.warnings = std::move(found.warnings);
}

}  // namespace

JacobianProduct vjp(const Graph& graph, std::span<const Value> outputs, std::span<const Value> cotangents,
                    std::span<const Value> wrt, Mode mode) {
  JacobianProduct result = expanded(graph, mode);
  const std::vector<Tensor> sides = tensors_of(result, outputs);
  const std::vector<Tensor> vectors = vectors_for(result, sides, cotangents, "cotangent");
  add_products(result, add_vjp(sides, vectors, tensors_of(result, wrt)), "vjp");
  return result;
}

JacobianProduct jvp(const Graph& graph, std::span<const Value> outputs, std::span<const Value> wrt,
                    std::span<const Value> tangents, Mode mode) {
  JacobianProduct result = expanded(graph, mode);
  const std::vector<Tensor> targets = tensors_of(result, wrt);
  const std::vector<Tensor> vectors = vectors_for(result, targets, tangents, "tangent");
  add_products(result, add_jvp(tensors_of(result, outputs), targets, vectors), "jvp");
  return result;
}

GradientResult add_jvp(std::span<const Tensor> outputs, std::span<const Tensor> targets,
                       std::span<const Tensor> tangents) {
  if (targets.empty()) fail(ErrorCode::wrong_input_count, "no value to move", "at least one target with its tangent");
  std::vector<Tensor> cotangents;
  for (const Tensor& output : outputs) cotangents.push_back(zeros_like(output));
  const GradientResult pulled = add_vjp(outputs, cotangents, targets);
  GradientResult result = add_vjp(pulled.gradients, tangents, cotangents);
  // The words of the second sweep speak of the vector that nobody sees.
  if (!result.warnings.empty()) {
    result.warnings = {std::to_string(result.warnings.size()) + " of " + std::to_string(outputs.size()) +
                       " outputs do not depend on what is moved; they stay where they are"};
  }
  return result;
}

}  // namespace asg
