#pragma once

#include <map>
#include <optional>
#include <vector>

#include "asg/check/random_graph.h"

namespace asg {

// What stands in place of a value: a new input or a constant with these numbers, or another value.
struct Substitute {
  enum class Kind : std::uint8_t { input, constant, value };
  Kind kind = Kind::input;
  Array numbers = {};
  Value other = {};
};

struct Surgery {
  std::map<Value, Substitute> replaced = {};
  std::vector<Value> losses = {};  // the loss becomes a weighted sum of these; empty: outputs stay
  // What the outputs and updates become; empty optionals: they stay, the updates of a loss aside, which go.
  std::optional<std::vector<Output>> outputs = {};
  std::optional<std::vector<Update>> updates = {};
};

// The case built anew, with what nobody needs any more left out. None where that gives no valid graph.
std::optional<GraphCase> operate(const GraphCase& made, const Surgery& surgery);

// The same case with all layers, and the ops whose gradient is that of their body, replaced by their bodies, and with
// the values of variables as inputs.
GraphCase flattened(const GraphCase& made);

// The numbers of all values of the graph that the loss needs.
std::map<Value, Array> values_of(const GraphCase& made);

}  // namespace asg
