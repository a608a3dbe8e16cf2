// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg::loss {

struct CrossEntropyOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Turns scores into probabilities by softmax and takes minus the logarithm of the probability of the right class. It is
// computed from the scores directly, so that large ones do not overflow.
//   L = −log (exp(z_y) / (∑_k exp(z_k)))
inline Tensor cross_entropy(const Tensor& logits, const Tensor& labels, const CrossEntropyOptions& options = {},
                            SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.CrossEntropy", {logits, labels}, std::move(call))[0];
}

struct MeanSquaredErrorOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// The squared difference between prediction and target, averaged over all elements. Large errors weigh far more than
// small ones.
//   L = (1 / n) ∑_i (p_i − t_i)²
inline Tensor mean_squared_error(const Tensor& prediction, const Tensor& target,
                                 const MeanSquaredErrorOptions& options = {},
                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.MeanSquaredError", {prediction, target}, std::move(call))[0];
}

}  // namespace asg::loss
