#include "asg/graph/reinfer.h"

#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/infer.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

// Walks the dirty part of a graph in topological order.
class Reinference {
 public:
  Reinference(Graph& graph, std::span<const NodeId> dirty) : graph_(graph), dirty_(graph.next_node_id().number, false) {
    for (NodeId id : dirty) dirty_[id.number] = graph.has(id);
  }

  void run() {
    const UseMap users(graph_);
    const std::vector<NodeId> order = topological_order(graph_);
    // One walk is enough unless a layer resizes a variable that is also read before it.
    for (int walks = 0; std::find(dirty_.begin(), dirty_.end(), true) != dirty_.end(); ++walks) {
      if (walks == kMostWalks) refuse_circle();
      for (NodeId id : order) {
        if (!dirty_[id.number]) continue;
        dirty_[id.number] = false;
        if (!update(id)) continue;
        for (const Use& use : users.uses(id)) dirty_[use.user.number] = true;
      }
    }
    check_shared_slots();
  }

 private:
  static constexpr int kMostWalks = 16;

  [[noreturn]] void refuse_circle() const {
    const VarId last = resized_.back();
    fail(ErrorCode::binding_mismatch,
         "the variable '" + graph_.variable(last).name + "', whose new size asks for another new size of itself",
         "a variable whose readers do not decide its size", "unshare the variable first");
  }

  // Returns whether the types of the outputs changed.
  bool update(NodeId id) {
    const Node& old = graph_.node(id);
    Inferred inferred = infer_node(graph_, old);
    const bool changed = inferred.outputs != old.outputs;
    std::vector<Binding> bindings = old.op->traits.leaf ? old.bindings : reconcile(old, inferred.slots);
    if (!changed && bindings == old.bindings) return false;
    Node node = old;
    node.outputs = std::move(inferred.outputs);
    node.bindings = std::move(bindings);
    graph_.put(std::move(node));
    return changed;
  }

  std::vector<Binding> reconcile(const Node& node, const std::vector<Variable>& slots) {
    std::vector<Binding> bindings;
    for (const Variable& slot : slots) {
      const auto bound = std::find_if(node.bindings.begin(), node.bindings.end(),
                                      [&](const Binding& binding) { return binding.slot == slot.name; });
      if (bound == node.bindings.end()) {
        bindings.push_back({slot.name, make_variable(node, slot)});
        continue;
      }
      bindings.push_back(*bound);
      Variable variable = graph_.variable(bound->variable);
      if (variable.type != slot.type) {
        variable.type = slot.type;
        variable.init = slot.init;
        resized_.push_back(variable.id);
        graph_.put(std::move(variable));
        if (const NodeId reader = graph_.reader_of(bound->variable)) dirty_[reader.number] = true;
      }
    }
    return bindings;
  }

  VarId make_variable(const Node& node, const Variable& slot) {
    const bool shared = slot.kind == VarKind::random || slot.kind == VarKind::counter;
    if (shared) {
      if (const VarId existing = graph_.find_variable(slot.name)) return existing;
    }
    Variable made = slot;
    made.id = {};
    if (!shared) {
      const std::string stem = node.path() + "." + slot.name;
      // A slot that an earlier command took away gets its variable back, with what it has learnt.
      const VarId old = graph_.find_variable(stem);
      if (old && is_unbound(old) && graph_.variable(old).type == slot.type) return old;
      made.name = stem;
      // Else the plain name may be taken by a variable that the layer once owned and that others share now.
      for (int number = 2; graph_.find_variable(made.name); ++number) made.name = stem + "_" + std::to_string(number);
    }
    return graph_.add_variable(std::move(made));
  }

  bool is_unbound(VarId variable) const {
    const std::vector<NodeId> ids = graph_.node_ids();
    return std::none_of(ids.begin(), ids.end(), [&](NodeId id) {
      const auto& bindings = graph_.node(id).bindings;
      return std::any_of(bindings.begin(), bindings.end(), [&](const Binding& b) { return b.variable == variable; });
    });
  }

  // A variable that was resized for one slot must fit all others that are bound to it.
  void check_shared_slots() {
    if (resized_.empty()) return;
    for (NodeId id : graph_.node_ids()) {
      const Node& node = graph_.node(id);
      if (node.bindings.empty()) continue;
      const bool concerned = std::any_of(node.bindings.begin(), node.bindings.end(), [&](const Binding& binding) {
        return std::find(resized_.begin(), resized_.end(), binding.variable) != resized_.end();
      });
      if (!concerned) continue;
      if (node.op->traits.leaf) {
        if (graph_.type({id, 0}) != graph_.variable(node.bindings.front().variable).type)
          refuse(node, node.bindings[0]);
        continue;
      }
      const Inferred inferred = infer_node(graph_, node);
      for (std::size_t slot = 0; slot < inferred.slots.size(); ++slot) {
        const Binding& binding = node.bindings[slot];
        if (graph_.variable(binding.variable).type != inferred.slots[slot].type) refuse(node, binding);
      }
    }
  }

  [[noreturn]] void refuse(const Node& node, const Binding& binding) const {
    const Variable& variable = graph_.variable(binding.variable);
    throw UserError(
        {.code = ErrorCode::binding_mismatch,
         .given = "a new type " + variable.type.to_string() + " of the shared variable '" + variable.name + "'",
         .needed = "the type that slot '" + binding.slot + "' of " + node.path() + " has",
         .mend = "resize both layers in one edit, or unshare the variable first",
         .node = node.path(),
         .where = node.where.to_string()});
  }

  Graph& graph_;
  std::vector<bool> dirty_;
  std::vector<VarId> resized_;
};

}  // namespace

void reinfer(Graph& graph, std::span<const NodeId> dirty) { Reinference(graph, dirty).run(); }

std::vector<VarId> drop_unused_variables(Graph& graph, std::span<const VarId> candidates) {
  std::vector<bool> used(graph.next_variable_id().number, false);
  for (NodeId id : graph.node_ids()) {
    for (const Binding& binding : graph.node(id).bindings) used[binding.variable.number] = true;
  }
  for (const Update& update : graph.updates()) used[update.variable.number] = true;
  std::vector<VarId> dropped;
  for (VarId id : candidates) {
    if (!graph.has(id) || used[id.number]) continue;
    graph.erase(id);
    dropped.push_back(id);
  }
  return dropped;
}

}  // namespace asg
