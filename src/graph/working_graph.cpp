#include "working_graph.h"

#include <algorithm>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/reinfer.h"

namespace asg {

WorkingGraph::WorkingGraph(const Graph& before) : graph_(before), unused_before_(used_variables()) {
  unused_before_.flip();
}

std::vector<bool> WorkingGraph::used_variables() const {
  std::vector<bool> used(graph_.next_variable_id().number, false);
  for (const NodeId id : graph_.node_ids()) {
    for (const Binding& binding : graph_.node(id).bindings) used[binding.variable.number] = true;
  }
  for (const Update& update : graph_.updates()) used[update.variable.number] = true;
  return used;
}

Graph& WorkingGraph::settled() {
  if (!dirty_.empty()) reinfer(graph_, std::exchange(dirty_, {}));
  return graph_;
}

void WorkingGraph::put(Node node) {
  mark(node.id);
  graph_.put(std::move(node));
}

int WorkingGraph::move_uses(Value from, Value to, NodeId except) {
  int moved = 0;
  const UseMap uses(graph_);
  for (const Use& use : uses.uses(graph_, from)) {
    if (use.user == except) continue;
    Node user = graph_.node(use.user);
    user.inputs[use.input] = to;
    put(std::move(user));
    ++moved;
  }
  std::vector<Output> outputs(graph_.outputs().begin(), graph_.outputs().end());
  std::vector<Update> updates(graph_.updates().begin(), graph_.updates().end());
  auto move_in = [&](auto& places) {
    for (auto& place : places) {
      if (place.value != from) continue;
      place.value = to;
      ++moved;
    }
  };
  move_in(outputs);
  move_in(updates);
  graph_.set_outputs(std::move(outputs));
  graph_.set_updates(std::move(updates));
  return moved;
}

bool WorkingGraph::is_used(Value value) const {
  auto holds = [&](const auto& places) {
    return std::any_of(places.begin(), places.end(), [&](const auto& place) { return place.value == value; });
  };
  return !UseMap(graph_).uses(graph_, value).empty() || holds(graph_.outputs()) || holds(graph_.updates());
}

void WorkingGraph::remove(NodeId id) { remove(std::span(&id, 1)); }

void WorkingGraph::remove(std::span<const NodeId> ids) {
  std::vector<NodeId> leaves;
  for (const NodeId id : ids) {
    for (const Value input : graph_.node(id).inputs) {
      if (!input || !graph_.has(input.node)) continue;
      const OpCard& op = *graph_.node(input.node).op;
      if (op.traits.leaf && op.name != "Input") leaves.push_back(input.node);
    }
  }
  auto erase = [&](NodeId id) {
    std::vector<NodeId> inputs(graph_.inputs().begin(), graph_.inputs().end());
    if (std::erase(inputs, id) > 0) graph_.set_inputs(std::move(inputs));
    graph_.erase(id);
  };
  for (const NodeId id : ids) {
    if (graph_.has(id)) erase(id);
  }
  const UseMap uses(graph_);
  for (const NodeId leaf : leaves) {
    auto is_leaf = [leaf](const auto& place) { return place.value.node == leaf; };
    const bool used = !uses.uses(leaf).empty() ||
                      std::any_of(graph_.outputs().begin(), graph_.outputs().end(), is_leaf) ||
                      std::any_of(graph_.updates().begin(), graph_.updates().end(), is_leaf);
    if (!used && graph_.has(leaf)) erase(leaf);
  }
}

Graph WorkingGraph::finish() && {
  settled();
  std::vector<VarId> candidates;
  for (const VarId id : graph_.variable_ids()) {
    if (id.number >= unused_before_.size() || !unused_before_[id.number]) candidates.push_back(id);
  }
  drop_unused_variables(graph_, candidates);
  return std::move(graph_);
}

}  // namespace asg
