#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "asg/core/array.h"
#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg {

using SymbolLengthsByName = std::map<std::string, std::int64_t, std::less<>>;  // "batch" → 32
using SizesByName = std::map<std::string, Sizes, std::less<>>;                 // "x" → {32, 784}

// The lengths that the symbols of a graph have when its inputs have these sizes. Inputs without symbols may be left
// out. Throws bad_shape, naming the input, where sizes contradict its type, each other or the bound of a symbol;
// missing_value where an input with symbols has no sizes; unknown_node where there is no such input.
SymbolLengthsByName symbol_lengths(const Graph& graph, const SizesByName& input_sizes);

struct Specialised {
  Graph graph;
  Remap remap;
};

// The same graph for one length of each symbol.
//   expects:    a graph that validates, with a length for each symbol of its inputs and variables, but for bounded ones
//               that shall stay
//   guarantees: the same function for inputs of these sizes; nodes and variables keep their ids; all dims are integers
//               but for those that only data decide, and symbols that stay. Subgraphs are typed by whoever runs them
//               and stay as they are.
//   example:    x: f32[batch, 8] → Exp : f32[batch, 8], with batch = 3 → x: f32[3, 8] → Exp : f32[3, 8]
// Throws missing_value and bad_shape, naming the input or variable, and what inference finds wrong with the lengths.
Specialised specialise(const Graph& graph, const SymbolLengthsByName& lengths);

}  // namespace asg
