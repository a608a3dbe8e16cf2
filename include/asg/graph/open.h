#pragma once

#include <functional>

#include "asg/graph/expand.h"

namespace asg {

// As `expand`, but layers for which `kept` is true stay as they are, wherever in the bodies of others they stand. For
// steps from graph to graph that know some layers and want to see nothing else: those of positions, for instance.
//   example:    nn.MultiHeadAttention, with nn.RotaryPosition kept → MatMul, nn.RotaryPosition, Attention, MatMul …
Expansion open_layers(const Graph& graph, Mode mode, const std::function<bool(const Node&)>& kept);

}  // namespace asg
