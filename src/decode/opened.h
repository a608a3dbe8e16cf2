#pragma once

#include <string_view>

#include "asg/graph/card.h"
#include "asg/graph/open.h"

namespace asg::decode {

inline constexpr std::string_view kLearnedPosition = "nn.LearnedPosition";

// Layers that count positions from an offset, their second input.
inline bool counts_positions(const Node& node) {
  const std::string_view op = node.op->name;
  return op == kLearnedPosition || op == "nn.RotaryPosition" || op == "nn.SinusoidalPosition" || op == "nn.AlibiBias";
}

// Plain ops, but for these layers.
inline Graph opened(const Graph& model) { return open_layers(model, Mode::eval, counts_positions).graph; }

}  // namespace asg::decode
