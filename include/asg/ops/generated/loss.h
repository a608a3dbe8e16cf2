// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct NegativeLogLikelihoodLossOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  // labels with this number take no part: padding, unknown pixels
  std::int64_t ignore_index = -100;
};

// Reads off the log-probability of the right class for each example and turns its sign, so that certainty costs 0 and
// doubt costs more. The mean divides by the total weight of the labels that count; where all are ignored it is NaN.
//   L = −∑_n w_(t_n) x_(n,t_n) / (∑_n w_(t_n))
inline Tensor negative_log_likelihood_loss(const Tensor& log_probabilities, const Tensor& labels,
                                           const Tensor& weight = {},
                                           const NegativeLogLikelihoodLossOptions& options = {},
                                           SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.attrs.set("ignore_index", options.ignore_index);
  return add_node("NegativeLogLikelihoodLoss", {log_probabilities, labels, weight}, std::move(call))[0];
}

struct SoftmaxCrossEntropyLossOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  // labels with this number take no part: padding, unknown pixels
  std::int64_t ignore_index = -100;
};

struct SoftmaxCrossEntropyLossOutputs {
  // one number, or one for each element that is judged
  Tensor loss;
  // LogSoftmax of the scores along the classes
  Tensor log_probabilities;
};

// LogSoftmax along the class axis and NegativeLogLikelihoodLoss in one op; the log-probabilities are its second output.
// Scores of any size are safe, because no probability is ever formed.
//   L = ∑_n w_(t_n)(ln ∑_k e^(x_nk) − x_(n,t_n)) / (∑_n w_(t_n))
inline SoftmaxCrossEntropyLossOutputs softmax_cross_entropy_loss(const Tensor& scores, const Tensor& labels,
                                                                 const Tensor& weight = {},
                                                                 const SoftmaxCrossEntropyLossOptions& options = {},
                                                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.attrs.set("ignore_index", options.ignore_index);
  const std::vector<Tensor> outputs = add_node("SoftmaxCrossEntropyLoss", {scores, labels, weight}, std::move(call));
  return {outputs[0], outputs[1]};
}

}  // namespace asg
