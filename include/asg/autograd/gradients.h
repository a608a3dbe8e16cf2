#pragma once

#include <span>
#include <string>
#include <vector>

#include "asg/graph/expand.h"
#include "asg/graph/graph.h"

namespace asg {

// What differentiation found worth saying.
struct GradientResult {
  std::vector<Tensor> gradients;      // one for each tensor asked for, of the same type
  std::vector<std::string> warnings;  // targets that the loss does not depend on: their gradients are explicit zeros
};

// Appends to the graph of `loss` the nodes that compute d(loss)/d(target) for each target. The graph holds plain
// ops only (see `differentiate` for models with layers). New nodes carry the origin of the node they differentiate with
// Role::gradient, and stand in the scope "gradient". Applying it to a gradient gives higher orders.
// Throws not_scalar, and no_gradient with the reason where an op on the way has none.
GradientResult add_gradients(const Tensor& loss, std::span<const Tensor> targets);

// The product of a vector with the Jacobian: as above for outputs of any shape, with their gradients given.
GradientResult add_vjp(std::span<const Tensor> outputs, std::span<const Tensor> output_gradients,
                       std::span<const Tensor> targets);

// The joint graph of a model and its gradient.
struct Differentiated {
  Graph graph;                   // expanded model, then gradient
  Remap remap;                   // values of the model → values of the joint graph
  std::vector<Value> gradients;  // of the targets, in order
  std::vector<std::string> warnings;
};

// Expands the model (layers, and ops whose gradient is that of their body) and differentiates it.
//   expects:    a graph that validates; `loss` is one float
//   guarantees: outputs and updates of the model stay; gradients become the outputs "gradient:<n>" for each target n
//   example:    y = x·x → MatMul … with gradients of x
Differentiated differentiate(const Graph& model, Value loss, std::span<const Value> targets, Mode mode);
// The same for variables: the gradient of each variable's value in this step.
Differentiated differentiate(const Graph& model, Value loss, std::span<const VarId> targets, Mode mode);

}  // namespace asg
