#include "compile/passes/rewriter.h"

#include <utility>

#include "asg/graph/infer.h"
#include "asg/graph/registry.h"

namespace asg::passes {
namespace {

const OpCard& constant_card() {
  static const OpCard& card = Registry::global().get("Constant");
  return card;
}

// Also true where a length that only data decided has become known.
bool is_same_or_known(const TensorType& old, const TensorType& now) {
  if (old.dtype != now.dtype || old.shape.rank() != now.shape.rank()) return false;
  for (int axis = 0; axis < old.shape.rank(); ++axis) {
    if (old.shape[axis] != now.shape[axis] && old.shape[axis].is_known()) return false;
  }
  return true;
}

Attrs value_attribute(Array value) {
  Attrs attrs;
  attrs.set("value", std::move(value));
  return attrs;
}

}  // namespace

bool is_constant(const Node& node) { return node.op->traits.leaf && node.op->name == "Constant"; }

const Array* constant_of(const Graph& graph, Value value) {
  const Node& node = graph.node(value.node);
  return is_constant(node) ? &node.attrs.find("value")->as_tensor() : nullptr;
}

Rewriter::Rewriter(Graph graph)
    : graph_(std::move(graph)),
      first_new_(graph_.next_node_id()),
      order_(topological_order(graph_)),
      changed_(first_new_.number, false) {}

Value Rewriter::resolved(Value value) const {
  for (Value next = forwarded_(value); next; next = forwarded_(value)) value = next;
  return value;
}

// Type rules read constants as well as types.
bool Rewriter::must_infer(Value old, Value now) const {
  if (changed_[now.node.number]) return true;
  if (old == now) return false;
  return graph_.info(old) != graph_.info(now) || is_constant(node(old.node)) != is_constant(node(now.node));
}

void Rewriter::refresh(NodeId id) {
  const Node& old = graph_.node(id);
  bool moved = false;
  bool infer = false;
  for (Value input : old.inputs) {
    if (!input) continue;
    const Value now = resolved(input);
    moved = moved || now != input;
    infer = infer || must_infer(input, now);
  }
  if (!moved && !infer) return;
  Node node = old;
  for (Value& input : node.inputs) input = input ? resolved(input) : input;
  bool changed = false;
  if (infer) {
    std::vector<OutputInfo> outputs = infer_node(graph_, node).outputs;
    changed = outputs != node.outputs;
    node.outputs = std::move(outputs);
  }
  put(std::move(node), changed);
}

void Rewriter::put(Node node, bool changed) {
  const NodeId id = node.id;
  if (changed_.size() <= id.number) changed_.resize(std::size_t{id.number} + 1, false);
  if (changed) changed_[id.number] = true;
  graph_.put(std::move(node));
}

bool Rewriter::fits(const OutputInfo& old, const OutputInfo& now) {
  if (old.type != now.type) return false;
  return old.known == nullptr || old.known == now.known || (now.known != nullptr && *old.known == *now.known);
}

bool Rewriter::forward(Value from, Value to) {
  to = resolved(to);
  if (from == to || !fits(graph_.info(from), graph_.info(to))) return false;
  forwarded_.set(from, to);
  return true;
}

bool Rewriter::replace(NodeId id, const OpCard& op, std::vector<Value> inputs, Attrs attrs) {
  const Node& old = graph_.node(id);
  Node node = old;
  node.op = &op;
  node.inputs = std::move(inputs);
  node.stream = 0;
  try {
    node.attrs = checked_attributes(op, std::move(attrs));
    node.outputs = infer_node(graph_, node).outputs;
  } catch (const UserError&) {
    return false;
  }
  if (node.outputs.size() != old.outputs.size()) return false;
  for (std::size_t port = 0; port < node.outputs.size(); ++port) {
    if (!fits(old.outputs[port], node.outputs[port])) return false;
  }
  const bool changed = node.outputs != old.outputs;
  put(std::move(node), changed);
  return true;
}

void Rewriter::replace_by_constant(NodeId id, Array value) {
  const Node& old = graph_.node(id);
  Node node = old;
  node.op = &constant_card();
  node.inputs.clear();
  node.attrs = value_attribute(std::move(value));
  node.stream = 0;
  node.outputs = infer_node(graph_, node).outputs;
  internal_check(old.outputs.size() == 1 && is_same_or_known(old.outputs[0].type, node.outputs[0].type),
                 "a constant of another type than the node it replaces");
  // That a value is a constant is more than its type says, so what uses it is always inferred anew.
  put(std::move(node), true);
}

NodeId Rewriter::add(const Node& like, const OpCard& op, std::vector<Value> inputs, Attrs attrs) {
  Node node;
  node.id = graph_.next_node_id();
  node.op = &op;
  node.scope = like.scope;
  node.origin = like.origin;
  node.where = like.where;
  node.inputs = std::move(inputs);
  node.attrs = checked_attributes(op, std::move(attrs));
  node.outputs = infer_node(graph_, node).outputs;
  const NodeId id = node.id;
  put(std::move(node), false);
  return id;
}

Value Rewriter::add_constant(const Node& like, Array value) {
  return {add(like, constant_card(), {}, value_attribute(std::move(value))), 0};
}

Value Rewriter::add_input(std::string name, TensorType type) {
  return graph_.input(std::move(name), std::move(type)).value();
}

void Rewriter::reset(NodeId id, const OpCard& op, std::vector<Value> inputs, Attrs attrs) {
  const Node& old = graph_.node(id);
  Node node = old;
  if (node.op != &op) node.stream = 0;
  node.op = &op;
  node.inputs = std::move(inputs);
  node.attrs = checked_attributes(op, std::move(attrs));
  node.outputs = infer_node(graph_, node).outputs;
  internal_check(node.outputs.size() == old.outputs.size(), "a node was reset to one with other outputs");
  for (std::size_t port = 0; port < node.outputs.size(); ++port) {
    internal_check(node.outputs[port].type == old.outputs[port].type, "a node was reset to one of another type");
  }
  put(std::move(node), true);
}

PassResult Rewriter::finish(std::vector<std::string> notes) {
  PassResult result{std::move(graph_), {}, std::move(notes)};
  Graph& graph = result.graph;
  std::vector<Output> outputs(graph.outputs().begin(), graph.outputs().end());
  for (Output& output : outputs) output.value = resolved(output.value);
  graph.set_outputs(std::move(outputs));
  std::vector<Update> updates(graph.updates().begin(), graph.updates().end());
  for (Update& update : updates) update.value = resolved(update.value);
  graph.set_updates(std::move(updates));
  for (const NodeId id : order_) {
    const auto ports = static_cast<std::uint32_t>(graph.node(id).outputs.size());
    bool gone = ports > 0;
    for (std::uint32_t port = 0; port < ports; ++port) {
      const Value value = {id, port};
      const Value now = resolved(value);
      result.remap.set(value, now);
      gone = gone && now != value;
    }
    if (gone) graph.erase(id);
  }
  for (std::uint32_t number = first_new_.number; number < graph.next_node_id().number; ++number) {
    if (graph.has(NodeId{number}) && forwarded_({NodeId{number}, 0})) graph.erase(NodeId{number});
  }
  return result;
}

}  // namespace asg::passes
