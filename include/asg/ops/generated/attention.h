// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>

#include "asg/graph/builder.h"

namespace asg {

struct AttentionOptions {
  // whether a position sees only itself and earlier ones
  bool is_causal = false;
  // what scores are multiplied by; 0: 1 / √width
  double scale = 0.0;
  // the probability with which a weight is dropped
  double dropout = 0.0;
};

// Each query is compared with all keys; softmax turns the scores into weights that sum to 1, and the result is the mean
// of the values under these weights. Masks forbid places; a query that may look nowhere gets zeros.
//   Y = softmax(Q Kᵀ / √d + M) V
inline Tensor attention(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& attn_mask = {},
                        const Tensor& seed = {}, const Tensor& step = {}, const AttentionOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("is_causal", options.is_causal);
  call.attrs.set("scale", options.scale);
  call.attrs.set("dropout", options.dropout);
  return add_node("Attention", {Q, K, V, attn_mask, seed, step}, std::move(call))[0];
}

}  // namespace asg
