#pragma once

#include "asg/backend/backend.h"
#include "backend/value_checks.h"

namespace asg {

// Runs nodes of a graph and checks that what comes out is what the graph says.
class NodeRunner {
 public:
  explicit NodeRunner(Backend& backend) : backend_(backend), capabilities_(backend.capabilities()) {}

  DeviceArrays run(const Node& node, std::span<const DeviceArray> inputs);

 private:
  Backend& backend_;
  Capabilities capabilities_;
};

// Whether a node's value comes from the caller: Input and Variable.
bool is_given(const Node& node);
// That value, by the name of the input or variable. Throws missing_value, type_mismatch, bad_shape.
DeviceArray given_value(const Graph& graph, const Node& node, const NamedDeviceArrays& inputs, SymbolLengths& lengths);
// The name under which the caller gives it.
std::string given_name(const Graph& graph, const Node& node);

}  // namespace asg
