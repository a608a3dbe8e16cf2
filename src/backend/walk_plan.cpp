#include "backend/walk_plan.h"

#include "asg/graph/card.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

bool exists(const Graph& graph, Value value) {
  return graph.has(value.node) && value.port < graph.node(value.node).outputs.size();
}

void check_root(const Graph& graph, const std::string& what, Value value) {
  if (exists(graph, value)) return;
  const std::string path = graph.has(value.node) ? graph.node(value.node).path() : "";
  throw UserError({ErrorCode::missing_output,
                   what + " of graph '" + graph.name() + "' is " + to_string(value) + ", which no node produces",
                   "a value that a node of the graph produces", "set the output to another value, or remove it", path,
                   ""});
}

std::vector<Value> roots_of(const Graph& graph) {
  std::vector<Value> roots;
  for (const Output& output : graph.outputs()) {
    check_root(graph, "output '" + output.name + "'", output.value);
    roots.push_back(output.value);
  }
  for (const Update& update : graph.updates()) {
    check_root(graph, "the update of variable '" + graph.variable(update.variable).name + "'", update.value);
    roots.push_back(update.value);
  }
  return roots;
}

}  // namespace

WalkPlan::WalkPlan(const Graph& graph, std::span<const NodeId> schedule)
    : order_(schedule.begin(), schedule.end()),
      first_slot_(graph.next_node_id().number, 0),
      needed_(graph.next_node_id().number, false) {
  std::size_t slots = 0;
  for (NodeId id : graph.node_ids()) {
    first_slot_[id.number] = slots;
    slots += graph.node(id).outputs.size();
  }
  uses_.resize(slots, 0);
  check_edges(graph);
  if (schedule.empty()) {
    order_ = topological_order(graph);
  } else {
    check_schedule(graph);
  }
  mark_needed(graph);
}

void WalkPlan::check_edges(const Graph& graph) const {
  for (NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    for (Value input : node.inputs) {
      if (!input || exists(graph, input)) continue;
      const bool no_node = !graph.has(input.node);
      throw UserError({no_node ? ErrorCode::unknown_node : ErrorCode::dangling_value,
                       "input " + to_string(input) + " of op '" + node.op->name + "'",
                       no_node ? "the value of a node that the graph holds" : "an output that the node has",
                       "connect the input to a value of the graph", node.path(), node.where.to_string()});
    }
  }
}

void WalkPlan::check_schedule(const Graph& graph) const {
  std::vector<bool> seen(needed_.size(), false);
  for (NodeId id : order_) {
    const Node& node = graph.node(id);  // throws unknown_node
    if (seen[id.number]) {
      throw UserError({ErrorCode::not_in_order, "a schedule that holds " + node.path() + " twice",
                       "a schedule that holds each node once", "remove one of them", node.path(), ""});
    }
    seen[id.number] = true;
  }
}

void WalkPlan::mark_needed(const Graph& graph) {
  std::vector<NodeId> stack;
  auto use = [&](Value value) {
    if (!value) return;
    ++uses_[slot(value)];
    if (needed_[value.node.number]) return;
    needed_[value.node.number] = true;
    stack.push_back(value.node);
  };
  for (Value root : roots_of(graph)) use(root);
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    for (Value input : graph.node(id).inputs) use(input);
  }
}

}  // namespace asg
