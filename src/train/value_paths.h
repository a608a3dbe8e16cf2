#pragma once

#include <string_view>

#include "asg/graph/contexts.h"
#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg::train {

// A model, and a graph that was made by expanding it: a step, or what infers.
struct Derived {
  const Graph& model;
  const Graph& graph;
  const Remap& remap;
  Mode mode;  // of the expansion
};

// What a person calls a value, as a value of the derived graph:
//   "head.weight"                    a variable by name
//   "block", "block:1"               an output of a node of the model; the first where no number is given
//   "block/feed_forward/activation"  the same of a node inside a layer, however deep
//   "gradient/head/MatMul#71"        a node of the derived graph itself
// None where there is nothing of that name, or where the derived graph does not compute it.
Value find_value(const Derived& derived, std::string_view path);

}  // namespace asg::train
