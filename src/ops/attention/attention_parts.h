#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/tensor.h"

// What attention and its gradient share.
namespace asg::ops {

// The operands of attention, and what its attributes say. Mask, seed and step may be absent.
struct AttentionOperands {
  Tensor query;
  Tensor key;
  Tensor value;
  Tensor mask;
  Tensor seed;
  Tensor step;
  double scale = 0;  // 0: 1 / √width
  bool causal = false;
  double dropout = 0;
};
AttentionOperands attention_operands(const AttrReader& attributes, std::vector<Tensor> inputs);

// Adds a Dropout of the weights to a graph, named or with a stream, and returns what it gives.
using DropWeights = std::function<Tensor(const std::vector<Tensor>& inputs, const Attrs& attrs)>;

// Y, in smaller ops.
Tensor attention_by_parts(const AttentionOperands& operands, const DropWeights& drop);

struct AttentionGradients {
  Tensor query;
  Tensor key;
  Tensor value;
  Tensor scores;  // [batch, heads, length, other length]: that of a mask of numbers before it was broadcast
};
// The gradients of Σ gradient · Y, in smaller ops.
AttentionGradients attention_gradients_by_parts(const AttentionOperands& operands, const Tensor& gradient,
                                                const DropWeights& drop);

// Ports and attributes, the same for both.
std::vector<Port> attention_operand_ports();   // Q, K, V
std::vector<Port> attention_optional_ports();  // attn_mask, seed, step
std::vector<AttrSpec> attention_attributes();

}  // namespace asg::ops
