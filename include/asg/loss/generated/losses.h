// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg::loss {

struct BinaryCrossEntropyOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Minus the logarithm of the probability that was given to the true one of two classes. Logarithms are cut off at
// −100, so a certain and wrong answer costs 100 and not infinity; beyond the cut the gradient is 0.
//   l = −t ln p − (1 − t) ln(1 − p)
inline Tensor binary_cross_entropy(const Tensor& prediction, const Tensor& target,
                                   const BinaryCrossEntropyOptions& options = {},
                                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.BinaryCrossEntropy", {prediction, target}, std::move(call))[0];
}

struct BinaryCrossEntropyWithLogitsOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Binary cross-entropy of σ(x), computed from the score x itself. Scores of any size keep all their digits, and an
// optional weight makes the class 1 count more.
//   l = (1 − t) x + (1 + (w − 1) t) ln(1 + e^(−x))
inline Tensor binary_cross_entropy_with_logits(const Tensor& prediction, const Tensor& target,
                                               const Tensor& pos_weight = {},
                                               const BinaryCrossEntropyWithLogitsOptions& options = {},
                                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.BinaryCrossEntropyWithLogits", {prediction, target, pos_weight}, std::move(call))[0];
}

struct CTCOptions {
  // the number of the blank: the class that adds nothing to the label
  std::int64_t blank = 0;
  // a label that does not fit into its sequence costs 0 instead of infinity
  bool zero_infinity = false;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Scores a label against a longer sequence without being told where each class stands: it adds up the probabilities of
// all ways to read the label off, with repeats and blanks left out. The mean divides each loss by the length of its
// label first. A label that cannot fit costs infinity and gives no gradient.
//   L = −ln ∑_(π∈B⁻¹(l)) ∏_t p_(t,π_t)
inline Tensor ctc(const Tensor& logits, const Tensor& labels, const Tensor& logit_lengths, const Tensor& label_lengths,
                  const CTCOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("blank", options.blank);
  call.attrs.set("zero_infinity", options.zero_infinity);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.CTC", {logits, labels, logit_lengths, label_lengths}, std::move(call))[0];
}

struct CosineEmbeddingOptions {
  // the cosine up to which a pair with label −1 costs nothing
  double margin = 0.0;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Compares two vectors by the cosine of the angle between them. Pairs that belong together lose what is missing to a
// cosine of 1, the others lose what exceeds `margin`; lengths do not matter, and a label that is neither 1 nor −1
// costs nothing.
//   l = { 1 − cos(a, b), t = 1; max(0, cos(a, b) − m), t = −1 }
inline Tensor cosine_embedding(const Tensor& first, const Tensor& second, const Tensor& labels,
                               const CosineEmbeddingOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("margin", options.margin);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.CosineEmbedding", {first, second, labels}, std::move(call))[0];
}

struct CrossEntropyOptions {
  // the axis of the classes; −1 is the last, images have them on 1
  std::int64_t axis = -1;
  // the share of the target that is spread evenly over all classes
  double label_smoothing = 0.0;
  // labels with this number take no part: padding, unknown pixels
  std::int64_t ignore_index = -100;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Turns scores into probabilities by softmax and takes minus the logarithm of the probability of the right class. It is
// computed from the scores directly, so that large ones do not overflow; labels that are ignored count neither in the
// sum nor in the mean, and with none left the mean is NaN.
//   L = −log (exp(z_y) / (∑_k exp(z_k)))
inline Tensor cross_entropy(const Tensor& logits, const Tensor& labels, const Tensor& weight = {},
                            const CrossEntropyOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("label_smoothing", options.label_smoothing);
  call.attrs.set("ignore_index", options.ignore_index);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.CrossEntropy", {logits, labels, weight}, std::move(call))[0];
}

struct FocalOptions {
  // weight of the class 1, from 0 to 1; the class 0 has the rest. −1: no weights
  double alpha = 0.25;
  // how strongly easy examples are discounted; 0 is plain cross-entropy
  double gamma = 2.0;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Binary cross-entropy from scores, multiplied by the missing probability to the power `gamma`. An example that is
// already classified with confidence hardly counts any more, a missed one counts almost fully; on top of that `alpha`
// gives the class 1 a quarter of the weight by default.
//   l = −α_t(1 − p_t)^γ ln p_t
inline Tensor focal(const Tensor& prediction, const Tensor& target, const FocalOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  call.attrs.set("gamma", options.gamma);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.Focal", {prediction, target}, std::move(call))[0];
}

struct HingeOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Costs nothing once the score lies on the right side of 0 by at least 1, and grows linearly with the shortfall
// otherwise. At the corner the gradient is 0.
//   l = max(0, 1 − t p)
inline Tensor hinge(const Tensor& prediction, const Tensor& target, const HingeOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.Hinge", {prediction, target}, std::move(call))[0];
}

struct HuberOptions {
  // the error from which the loss grows linearly; above 0
  double delta = 1.0;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Half the squared error for errors below `delta`, and a line that continues it with slope `delta` beyond. It is
// `delta` times loss.SmoothL1 with the same bend.
//   l(d) = { (1 / 2) d², |d| < δ; δ(|d| − δ / 2), |d| ≥ δ }
inline Tensor huber(const Tensor& prediction, const Tensor& target, const HuberOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("delta", options.delta);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.Huber", {prediction, target}, std::move(call))[0];
}

struct KLDivergenceOptions {
  // mean over all elements, mean over examples (batchmean: the divergence itself), sum, or none
  std::string reduction = "mean";
  // the target holds logarithms too
  bool log_target = false;
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// How much longer messages become if they are coded for the predicted distribution while the target distribution is the
// true one. Single terms may be negative; their sum over the classes is 0 only where both distributions agree. A target
// of 0 costs nothing, but with `log_target` a logarithm of −∞ gives NaN.
//   l = t(ln t − x)
inline Tensor kl_divergence(const Tensor& prediction, const Tensor& target, const KLDivergenceOptions& options = {},
                            SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.attrs.set("log_target", options.log_target);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.KLDivergence", {prediction, target}, std::move(call))[0];
}

struct L1Options {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// The absolute difference between prediction and target. Every error counts in proportion to its size; where both are
// equal the gradient is 0.
//   L = (1 / n) ∑_i |p_i − t_i|
inline Tensor l1(const Tensor& prediction, const Tensor& target, const L1Options& options = {},
                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.L1", {prediction, target}, std::move(call))[0];
}

struct MarginRankingOptions {
  // by how much the right one must lead
  double margin = 0.0;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Looks at pairs of scores: nothing is lost while the one that should rank higher leads by `margin`, otherwise what it
// lacks of that lead. Only the difference of the two matters, not their values.
//   l = max(0, m − t(a − b))
inline Tensor margin_ranking(const Tensor& first, const Tensor& second, const Tensor& target,
                             const MarginRankingOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("margin", options.margin);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.MarginRanking", {first, second, target}, std::move(call))[0];
}

struct MeanSquaredErrorOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// The squared difference between prediction and target, averaged over all elements unless `reduction` says otherwise.
// An error twice as large costs four times as much.
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

struct NLLOptions {
  // the axis of the classes; −1 is the last, images have them on 1
  std::int64_t axis = -1;
  // labels with this number take no part: padding, unknown pixels
  std::int64_t ignore_index = -100;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Minus the log-probability of the right class, weighted by class where weights are given. The mean divides by the
// weights of the labels that count, so padding does not dilute it; with no label left it is NaN.
//   L = −∑_n w_(t_n) ln p_(n,t_n) / (∑_n w_(t_n))
inline Tensor nll(const Tensor& log_probabilities, const Tensor& labels, const Tensor& weight = {},
                  const NLLOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("ignore_index", options.ignore_index);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.NLL", {log_probabilities, labels, weight}, std::move(call))[0];
}

struct SmoothL1Options {
  // where the parabola becomes a line; 0 gives loss.L1
  double beta = 1.0;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// The absolute difference with its corner rounded off: below `beta` it is a parabola, above it a line of slope 1. So
// the gradient fades as the error vanishes, yet never exceeds 1.
//   l(d) = { d² / (2β), |d| < β; |d| − β / 2, |d| ≥ β }
inline Tensor smooth_l1(const Tensor& prediction, const Tensor& target, const SmoothL1Options& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("beta", options.beta);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.SmoothL1", {prediction, target}, std::move(call))[0];
}

struct SquaredHingeOptions {
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// The square of loss.Hinge: still nothing beyond the margin of 1, but the slope starts from 0 there and rises with the
// shortfall. So it has no corner.
//   l = max(0, 1 − t p)²
inline Tensor squared_hinge(const Tensor& prediction, const Tensor& target, const SquaredHingeOptions& options = {},
                            SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.SquaredHinge", {prediction, target}, std::move(call))[0];
}

struct TripletMarginOptions {
  // the norm: 2 is the usual distance
  double p = 2.0;
  // by how much farther the negative must lie
  double margin = 1.0;
  // how the losses of all elements become one number; none keeps them
  std::string reduction = "mean";
  std::string name = {};
  // Slots that use a variable which exists already; the others get their own.
  std::vector<Binding> bindings = {};
};

// Takes three points: an anchor, one that belongs to it and one that does not. Nothing is lost while the stranger lies
// farther away by `margin`, otherwise what is missing; once all are that far apart, nothing more is learned.
//   l = max(0, ‖a − b‖_p − ‖a − c‖_p + m)
inline Tensor triplet_margin(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                             const TripletMarginOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("p", options.p);
  call.attrs.set("margin", options.margin);
  call.attrs.set("reduction", options.reduction);
  call.name = options.name;
  call.bindings = options.bindings;
  return add_node("loss.TripletMargin", {anchor, positive, negative}, std::move(call))[0];
}

}  // namespace asg::loss
