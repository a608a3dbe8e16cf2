#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/source_location.h"
#include "asg/graph/attributes.h"
#include "asg/graph/node.h"
#include "asg/graph/tensor.h"

// What the generated builders are made of. People use those (asg/ops/ops.h, asg/nn/nn.h) or `add_op`.
namespace asg {

// An input of a node to be: a tensor, an absent one, or integers that become a constant.
struct NodeInput {
  NodeInput(const Tensor& tensor) : ints(tensor) {}    // NOLINT: implicit by design
  NodeInput(const Ints& integers) : ints(integers) {}  // NOLINT

  Ints ints;
};

// What a builder says of a node beyond its op and inputs.
struct NodeCall {
  SourceLocation where = {};
  Graph* graph = nullptr;  // needed where no input can tell it
  Attrs attrs = {};
  std::string name = {};
  std::vector<Binding> bindings = {};  // slots of a layer that share a variable which exists already
};

// Adds an op or layer to the graph that all its inputs belong to, and returns its outputs. Throws missing_input where
// nothing tells the graph, foreign_tensor where inputs belong to several. A refused call
// changes nothing.
std::vector<Tensor> add_node(std::string_view op, const std::vector<NodeInput>& inputs, NodeCall call);

// Inputs in order, the variadic ones last.
std::vector<NodeInput> node_inputs(std::initializer_list<NodeInput> first, const std::vector<Tensor>& rest);

// An op's name in snake_case, without the prefix: "nn.MultiHeadAttention" → "multi_head_attention", "IsNaN" → "is_nan".
std::string snake_case(std::string_view op);

}  // namespace asg
