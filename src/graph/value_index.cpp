#include "value_index.h"

#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

bool is_known(const Graph& graph, Value value) { return value && graph.info(value).known != nullptr; }

// Whether an operand is the same: the contents of integers, else nothing that the key does not say.
bool same_operand(const Graph& graph, Value a, Value b) {
  if (!is_known(graph, a) || !is_known(graph, b)) return is_known(graph, a) == is_known(graph, b);
  return graph.type(a) == graph.type(b) && *graph.info(a).known == *graph.info(b).known;
}

}  // namespace

bool is_same_operation(const Node& a, const Node& b) {
  return a.op == b.op && a.attrs == b.attrs && a.stream == b.stream && a.body == b.body && a.bindings == b.bindings;
}

ValueIndex::ValueIndex(const Graph& graph) : graph_(graph) {
  for (const NodeId id : topological_order(graph)) add(graph.node(id));
}

Value ValueIndex::first_like(Value value) const {
  const auto found = first_.find(value);
  return found == first_.end() ? value : found->second;
}

std::span<const NodeId> ValueIndex::candidates(const OpCard& op, std::span<const Value> inputs) const {
  const auto found = nodes_.find(key_of(op, inputs));
  return found == nodes_.end() ? std::span<const NodeId>{} : std::span<const NodeId>(found->second);
}

ValueIndex::Key ValueIndex::key_of(const OpCard& op, std::span<const Value> inputs) {
  Key key = {reinterpret_cast<std::uintptr_t>(&op)};
  for (const Value input : inputs) key.push_back(std::uint64_t{input.node.number} << 32U | input.port);
  return key;
}

void ValueIndex::add(const Node& node) {
  if (node.op->name == "Identity" && !is_known(graph_, node.inputs[0])) {
    first_[{node.id, 0}] = first_like(node.inputs[0]);
    return;
  }
  std::vector<Value> inputs;
  for (const Value input : node.inputs) inputs.push_back(is_known(graph_, input) ? Value{} : first_like(input));
  std::vector<NodeId>& alike = nodes_[key_of(*node.op, inputs)];
  const auto is_alike = [&](NodeId id) {
    const Node& other = graph_.node(id);
    if (!is_same_operation(node, other)) return false;
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      if (!same_operand(graph_, node.inputs[input], other.inputs[input])) return false;
    }
    return true;
  };
  // Two inputs of a graph are two values, whatever their types.
  const bool is_leaf = node.op->traits.leaf && node.op->name != "Constant";
  const auto first = is_leaf ? alike.end() : std::find_if(alike.begin(), alike.end(), is_alike);
  if (first == alike.end()) {
    alike.push_back(node.id);
    return;
  }
  for (std::uint32_t port = 0; port < node.outputs.size(); ++port) first_[{node.id, port}] = {*first, port};
}

}  // namespace asg
