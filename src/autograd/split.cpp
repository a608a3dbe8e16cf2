#include "asg/autograd/split.h"

#include <unordered_map>

#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

bool belongs_to_gradient(const Node& node) {
  return node.origin != nullptr && (node.origin->role == Role::gradient || node.origin->role == Role::update);
}

std::int64_t integer_attribute(const Node& node, std::string_view name) {
  return AttrReader(*node.op, node.attrs).integer(name);
}

// Copies gradient nodes, and makes an External for each forward value that they use.
class GradientPart {
 public:
  GradientPart(const Graph& joint, Graph& gradient) : joint_(joint), gradient_(gradient) {
    gradient_.reserve_ids(joint.next_node_id(), joint.next_variable_id());
    for (VarId id : joint.variable_ids()) gradient_.put(joint.variable(id));
  }

  void copy(const Node& node) {
    Node copied = node;
    for (Value& input : copied.inputs) input = local(input);
    gradient_.put(std::move(copied));
  }

  Value local(Value value) {
    if (!value || belongs_to_gradient(joint_.node(value.node))) return value;
    auto [entry, added] = externals_.try_emplace(value);
    if (added) {
      NodeSpec spec;
      spec.op = &Registry::global().get("External");
      spec.attrs = {{"graph", std::int64_t{joint_.id().number}},
                    {"node", std::int64_t{value.node.number}},
                    {"port", std::int64_t{value.port}},
                    {"type", joint_.type(value)}};
      entry->second = {gradient_.add(std::move(spec)), 0};
    }
    return entry->second;
  }

 private:
  const Graph& joint_;
  Graph& gradient_;
  std::unordered_map<Value, Value> externals_;
};

}  // namespace

SplitGraphs split(const Graph& joint) {
  SplitGraphs parts{Graph(joint.name(), joint.id()), Graph(joint.name() + ".gradient", GraphId{joint.id().number + 1})};
  for (VarId id : joint.variable_ids()) parts.forward.put(joint.variable(id));
  GradientPart gradient(joint, parts.gradient);
  for (NodeId id : topological_order(joint)) {
    const NodePtr& node = joint.node_ptr(id);
    if (belongs_to_gradient(*node)) {
      gradient.copy(*node);
    } else {
      parts.forward.put(node);
    }
  }
  parts.forward.set_inputs({joint.inputs().begin(), joint.inputs().end()});
  auto in_gradient = [&](Value value) { return belongs_to_gradient(joint.node(value.node)); };
  std::vector<Output> forward_outputs;
  std::vector<Output> gradient_outputs;
  for (const Output& output : joint.outputs()) {
    (in_gradient(output.value) ? gradient_outputs : forward_outputs).push_back(output);
  }
  std::vector<Update> forward_updates;
  std::vector<Update> gradient_updates;
  for (const Update& update : joint.updates()) {
    (in_gradient(update.value) ? gradient_updates : forward_updates).push_back(update);
  }
  parts.forward.set_outputs(std::move(forward_outputs));
  parts.forward.set_updates(std::move(forward_updates));
  parts.gradient.set_outputs(std::move(gradient_outputs));
  parts.gradient.set_updates(std::move(gradient_updates));
  return parts;
}

namespace {

// The forward value that an External stands for.
Value resolve(const Graph& forward, const Node& external) {
  const std::int64_t graph = integer_attribute(external, "graph");
  if (graph != forward.id().number) {
    fail(ErrorCode::unknown_graph, "External of graph " + std::to_string(graph),
         "a value of graph " + std::to_string(forward.id().number) + ", the forward graph");
  }
  const Value value{NodeId{static_cast<std::uint32_t>(integer_attribute(external, "node"))},
                    static_cast<std::uint32_t>(integer_attribute(external, "port"))};
  if (forward.type(value) != external.outputs.front().type) {
    fail(ErrorCode::type_mismatch, "External of type " + external.outputs.front().type.to_string(),
         forward.type(value).to_string() + ", the type of " + forward.node(value.node).path());
  }
  return value;
}

template <class List>
std::vector<typename List::value_type> joined(const List& first, const List& second,
                                              const std::unordered_map<NodeId, Value>& externals) {
  std::vector<typename List::value_type> result(first.begin(), first.end());
  for (auto entry : second) {
    const auto external = externals.find(entry.value.node);
    if (external != externals.end()) entry.value = external->second;
    result.push_back(entry);
  }
  return result;
}

}  // namespace

Graph link(const Graph& forward, const Graph& gradient) {
  Graph joint = forward;
  for (VarId id : gradient.variable_ids()) {
    if (!joint.has(id)) joint.put(gradient.variable(id));
  }
  std::unordered_map<NodeId, Value> externals;
  for (NodeId id : topological_order(gradient)) {
    Node node = gradient.node(id);
    if (node.op->name == "External") {
      try {
        externals[id] = resolve(forward, node);
      } catch (const UserError& error) {
        throw error.with_node(node.path());
      }
      continue;
    }
    for (Value& input : node.inputs) {
      const auto external = externals.find(input.node);
      if (external != externals.end()) input = external->second;
    }
    if (joint.has(id)) {
      fail(ErrorCode::unknown_node, "node " + std::to_string(id.number) + " in both graphs",
           "a gradient graph whose nodes have ids of their own, as `split` gives them");
    }
    joint.put(std::move(node));
  }
  joint.set_outputs(joined(forward.outputs(), gradient.outputs(), externals));
  joint.set_updates(joined(forward.updates(), gradient.updates(), externals));
  return joint;
}

}  // namespace asg
