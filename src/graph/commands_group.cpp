// Grouping nodes into a block of the user. No value, no variable and no random number changes by it.
#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "checks.h"
#include "edit_commands.h"
#include "edit_places.h"
#include "scopes.h"

namespace asg {
namespace {

class Grouping {
 public:
  Grouping(WorkingGraph& working, const std::vector<NodeId>& nodes, std::string name)
      : working_(working), graph_(working.settled()), body_(name.empty() ? "block" : name), name_(std::move(name)) {
    inside_.resize(graph_.next_node_id().number, false);
    for (const NodeId id : nodes) inside_[id.number] = true;
    for (const NodeId id : topological_order(graph_)) {
      if (inside_[id.number]) order_.push_back(id);
    }
    scope_ = common_scope();
  }

  void run() {
    check_convex();
    capture_inputs();
    for (const NodeId id : order_) copy(graph_.node(id));
    check_depth();
    const std::vector<Value> results = used_outside();
    for (const Value result : results) {
      body_.set_output("out_" + std::to_string(body_.outputs().size() + 1), body_.tensor(values_.at(result)));
    }
    const NodeId block = add_block();
    for (std::uint32_t port = 0; port < results.size(); ++port) working_.move_uses(results[port], {block, port}, block);
    working_.remove(order_);
  }

 private:
  bool is_inside(NodeId id) const { return inside_[id.number]; }

  std::string common_scope() const {
    std::string scope = graph_.node(order_.front()).scope;
    for (const NodeId id : order_) scope = shared_scope(scope, graph_.node(id).scope);
    return scope;
  }

  // No path may leave the block and come back: then the block would have to run before and after what lies on it.
  void check_convex() const {
    const UseMap uses(graph_);
    std::vector<bool> seen(inside_.size(), false);
    std::vector<NodeId> stack = order_;
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      for (const Use& use : uses.uses(id)) {
        if (is_inside(use.user)) {
          if (!is_inside(id)) refuse_path(id, use.user);
        } else if (!seen[use.user.number]) {
          seen[use.user.number] = true;
          stack.push_back(use.user);
        }
      }
    }
  }

  [[noreturn]] void refuse_path(NodeId outside, NodeId back) const {
    fail(ErrorCode::edit_refused,
         "a group that a path leaves and comes back to: by " + graph_.node(outside).path() + " to " +
             graph_.node(back).path(),
         "nodes with no other node on a path between them", "add the nodes on the path to the group");
  }

  void check_depth() const {
    const int depth = nesting_of(body_) + 1;
    if (depth <= kDeepestNesting) return;
    fail(ErrorCode::limit_exceeded, "blocks in blocks " + std::to_string(depth) + " deep",
         "at most " + std::to_string(kDeepestNesting) + " levels", "ungroup some of the inner ones first");
  }

  void capture_inputs() {
    for (const NodeId id : order_) {
      for (const Value input : graph_.node(id).inputs) {
        if (!input || is_inside(input.node) || values_.contains(input)) continue;
        const OutputInfo& info = graph_.info(input);
        const Tensor inner = body_.input(body_.free_name("", "in"), info.type, {});
        Node node = body_.node(inner.node());
        node.outputs.front() = info;  // with the contents of small integers
        body_.put(std::move(node));
        values_.emplace(input, inner.value());
        captures_.push_back(input);
      }
    }
  }

  void copy(const Node& node) {
    Node copy = node;
    copy.id = body_.reserve_node_id();
    copy.scope = scope_below(scope_, node.scope);
    if (!copy.name.empty() && body_.find_node(copy.path())) copy.name = body_.free_name(copy.scope, copy.name);
    for (Value& input : copy.inputs) {
      if (input) input = values_.at(input);
    }
    for (Binding& binding : copy.bindings) binding.variable = slot_for(copy, binding);
    const auto ports = static_cast<std::uint32_t>(node.outputs.size());
    for (std::uint32_t port = 0; port < ports; ++port) values_.emplace(Value{node.id, port}, Value{copy.id, port});
    body_.put(std::move(copy));
  }

  // The body's variable for a variable of the model: one slot, however many nodes inside are bound to it.
  VarId slot_for(const Node& node, const Binding& binding) {
    const auto known = slots_.find(binding.variable);
    if (known != slots_.end()) return known->second;
    Variable slot = graph_.variable(binding.variable);
    const bool of_all = slot.kind == VarKind::random || slot.kind == VarKind::counter;
    if (!of_all) {
      const std::string stem = node.op->traits.leaf ? slot.name : node.path() + "." + binding.slot;
      slot.name = stem;
      for (int number = 2; body_.find_variable(slot.name); ++number) slot.name = stem + "_" + std::to_string(number);
    }
    slot.id = {};
    bindings_.push_back({slot.name, binding.variable});
    const VarId id = body_.add_variable(std::move(slot));
    slots_.emplace(binding.variable, id);
    return id;
  }

  std::vector<Value> used_outside() const {
    const UseMap uses(graph_);
    std::vector<Value> results;
    for (const NodeId id : order_) {
      const auto ports = static_cast<std::uint32_t>(graph_.node(id).outputs.size());
      for (std::uint32_t port = 0; port < ports; ++port) {
        const Value value = {id, port};
        const std::vector<Use> users = uses.uses(graph_, value);
        auto stands_at = [&](const auto& place) { return place.value == value; };
        const bool used = std::any_of(users.begin(), users.end(), [&](const Use& u) { return !is_inside(u.user); }) ||
                          std::any_of(graph_.outputs().begin(), graph_.outputs().end(), stands_at) ||
                          std::any_of(graph_.updates().begin(), graph_.updates().end(), stands_at);
        if (used) results.push_back(value);
      }
    }
    if (results.empty()) {
      fail(ErrorCode::edit_refused, "a group of nodes whose values nobody outside uses", "at least one result",
           "delete the nodes, or set one of them as an output");
    }
    return results;
  }

  NodeId add_block() {
    NodeSpec spec;
    spec.op = &Registry::global().get("Block");
    spec.inputs = captures_;
    spec.name = name_;
    spec.scope = scope_;
    spec.bindings = bindings_;
    spec.body = std::make_shared<const Graph>(std::move(body_));
    return graph_.add(std::move(spec));
  }

  WorkingGraph& working_;
  Graph& graph_;
  Graph body_;
  std::string name_;
  std::string scope_;                        // of the block: what the scopes of its nodes have in common
  std::vector<bool> inside_;                 // by node: whether it goes into the block
  std::vector<NodeId> order_;                // the nodes of the block, inputs first
  std::unordered_map<Value, Value> values_;  // of the model → of the body
  std::unordered_map<VarId, VarId> slots_;
  std::vector<Binding> bindings_;  // of the block, in the order of its slots
  std::vector<Value> captures_;
};

}  // namespace

void carry_out(WorkingGraph& working, const edits::Group& command) {
  const Graph& graph = working.settled();
  std::vector<NodeId> nodes;
  for (const NodeRef& ref : command.nodes) {
    nodes.push_back(node_in(graph, ref));
    const Node& node = graph.node(nodes.back());
    if (is_input(node)) {
      fail(ErrorCode::edit_refused, "the input '" + node.name + "' of the model in a group",
           "nodes that compute; inputs stay outside and are passed in");
    }
  }
  if (nodes.empty()) fail(ErrorCode::edit_refused, "a group of no nodes", "at least one node");
  Grouping(working, nodes, command.name).run();
}

}  // namespace asg
