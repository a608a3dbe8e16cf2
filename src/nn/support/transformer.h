#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"

// What attention, transformer blocks and stacks of them have in common.
namespace asg::nn {

AttrSpec key_value_heads_attribute();
AttrSpec causal_attribute();
AttrSpec positions_attribute();  // none, rotary, alibi: what attention is told of positions
AttrSpec rotary_base_attribute();

// The configuration of a block: heads, hidden, activation, approximate, gated, norm, epsilon, norm_first, causal,
// positions, rotary_base, key_value_heads, bias, dropout. A stack passes all of it down; then the block says which
// activations there are.
std::vector<AttrSpec> block_attributes(bool with_activations, bool causal);
// Those attributes of the layer that is being built, for a block inside it.
Attrs passed_down(const BodyContext& ctx);
// Settings in which every two values meet, for a block with `features` 4. Those that a layer adds itself are `more`.
std::vector<Attrs> block_settings(const std::vector<AttrSpec>& attributes, const Attrs& more = {});

Tensor norm_layer(BodyContext& ctx, std::string name, const Tensor& x);
Tensor feed_forward_layer(BodyContext& ctx, const Tensor& x);
// Attention of `query` to itself, or to `memory` where that is given; `mask` may be absent.
Tensor attention_layer(BodyContext& ctx, std::string name, const Tensor& query, const Tensor& memory,
                       const Tensor& mask);
// x + part(norm(x)), or norm(x + part(x)), as `norm_first` says.
template <class Part>
Tensor residual_part(BodyContext& ctx, const char* norm, const Tensor& x, Part part) {
  if (!ctx.boolean("norm_first")) return norm_layer(ctx, norm, x + part(x));
  const Tensor changed = part(norm_layer(ctx, norm, x));
  return x + changed;
}

// Ports of blocks and stacks.
Port sequence_port();
Port memory_port();
Port mask_port(std::string_view name, Words words);
std::vector<Port> sequence_output();
BadSample refuse_matrix();  // an input of rank 2

}  // namespace asg::nn
