#include "backend/node_run.h"

#include "asg/backend/attribute_codec.h"
#include "asg/backend/walk.h"
#include "backend/lowered_run.h"

namespace asg {
namespace {

const Variable& variable_of(const Graph& graph, const Node& node) {
  if (node.bindings.size() != 1) {
    fail(ErrorCode::binding_mismatch, std::to_string(node.bindings.size()) + " bindings of a Variable node",
         "one, the variable that it reads", "make such nodes with Graph::read");
  }
  return graph.variable(node.bindings.front().variable);
}

[[noreturn]] void fail_missing_input(const std::string& name, const TensorType& type, const NamedDeviceArrays& inputs) {
  std::vector<std::string> names;
  std::string given;
  for (const auto& [other, value] : inputs) {
    names.push_back(other);
    given += (given.empty() ? "" : ", ") + other;
  }
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::missing_value, "no value for input '" + name + "'" + (given.empty() ? "" : "; given are: " + given),
       "a value of type " + type.to_string(),
       nearest.empty() ? "give the input a value under its name" : "did you mean '" + name + "' by '" + nearest + "'?");
}

// What came out of a node is what the graph declares.
void check_results(const Node& node, const DeviceArrays& outputs) {
  const std::string op = "op '" + node.op->name + "'";
  if (outputs.size() != node.outputs.size()) {
    fail(ErrorCode::wrong_input_count, std::to_string(outputs.size()) + " outputs of " + op,
         std::to_string(node.outputs.size()) + ", as the graph declares",
         "let the backend give each output, and the graph declare no others");
  }
  for (std::size_t port = 0; port < outputs.size(); ++port) {
    const std::string what = "output " + std::to_string(port) + " of " + op;
    if (!outputs[port]) {
      fail(ErrorCode::missing_output, "no value for " + what, "a value for every output that the graph declares",
           "let the backend give each output of the op");
    }
    check_type(node.outputs[port].type, outputs[port], what);
  }
}

[[noreturn]] void fail_external(const Node& node) {
  fail(
      ErrorCode::unknown_graph,
      "a value of graph " + std::to_string(decode_attribute<std::int64_t>(node, "graph")) + " in a run without a cache",
      "a cache with the values of that graph",
      "run the other graph first and pass its cache to `run`, or join the graphs with link");
}

}  // namespace

bool is_given(const Node& node) {
  return node.op->traits.leaf && (node.op->name == "Input" || node.op->name == "Variable");
}

std::string given_name(const Graph& graph, const Node& node) {
  return node.op->name == "Input" ? node.path() : variable_of(graph, node).name;
}

DeviceArray given_value(const Graph& graph, const Node& node, const NamedDeviceArrays& inputs, SymbolLengths& lengths) {
  const bool is_input = node.op->name == "Input";
  const std::string name = given_name(graph, node);
  const TensorType type = is_input ? decode_attribute<TensorType>(node, "type") : variable_of(graph, node).type;
  const auto value = inputs.find(name);
  if (value == inputs.end() || !value->second) {
    if (is_input) fail_missing_input(name, type, inputs);
    fail_missing_variable(variable_of(graph, node));
  }
  lengths.check(type, value->second, (is_input ? "input '" : "variable '") + name + "'");
  return value->second;
}

DeviceArrays NodeRunner::run(const Node& node, std::span<const DeviceArray> inputs) {
  if (node.op->traits.leaf && node.op->name == "External") fail_external(node);
  DeviceArrays outputs;
  if (node.op->name == "Carrier") {
    outputs = run_carrier(backend_, node, inputs);
  } else if (node.op->composite || !capabilities_.supports(*node.op)) {
    outputs = run_lowered(backend_, node, inputs);
  } else {
    outputs = run_node(backend_, node, inputs);
  }
  check_results(node, outputs);
  return outputs;
}

}  // namespace asg
