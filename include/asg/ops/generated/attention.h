// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct AttentionOptions {
  // whether a query sees only keys up to its own position; both are counted from the start
  bool is_causal = false;
  // what scores are multiplied by; 0 means 1 / √width
  double scale = 0.0;
  // the probability with which a weight is dropped; those that stay are scaled up
  double dropout = 0.0;
};

// Compares each query with all keys; softmax turns the scores into weights that sum to 1, and the result is the mean of
// the values under these weights. A mask of bools forbids places, one of floats is added to the scores, where minus
// infinity forbids too. A query that may look nowhere gets zeros.
//   Y = softmax(Q Kᵀ / √d + M) V
inline Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& attn_mask = {},
                        const Tensor& seed = {}, const Tensor& step = {}, const AttentionOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("is_causal", options.is_causal);
  call.attrs.set("scale", options.scale);
  call.attrs.set("dropout", options.dropout);
  return add_node("Attention", {q, k, v, attn_mask, seed, step}, std::move(call))[0];
}

struct AttentionGradOptions {
  // whether a query sees only keys up to its own position; both are counted from the start
  bool is_causal = false;
  // what scores are multiplied by; 0 means 1 / √width
  double scale = 0.0;
  // the probability with which a weight is dropped; those that stay are scaled up
  double dropout = 0.0;
};

struct AttentionGradOutputs {
  // the gradient of the queries
  Tensor d_q;
  // the gradient of the keys
  Tensor d_k;
  // the gradient of the values
  Tensor d_v;
};

// Tells how the loss changes with each query, key and value of an attention. It needs nothing of the forward pass but
// its operands: the weights P are computed again, with the same random numbers where there is dropout.
//   ∂L / ∂S = P(d P − ∑ P d P),  d P = d Y Vᵀ
inline AttentionGradOutputs attention_grad(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_y,
                                           const Tensor& attn_mask = {}, const Tensor& seed = {},
                                           const Tensor& step = {}, const AttentionGradOptions& options = {},
                                           SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("is_causal", options.is_causal);
  call.attrs.set("scale", options.scale);
  call.attrs.set("dropout", options.dropout);
  const std::vector<Tensor> outputs = add_node("AttentionGrad", {q, k, v, d_y, attn_mask, seed, step}, std::move(call));
  return {outputs[0], outputs[1], outputs[2]};
}

}  // namespace asg
