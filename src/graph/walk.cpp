#include "asg/graph/walk.h"

#include <algorithm>
#include <queue>

#include "asg/graph/card.h"

namespace asg {
namespace {

// Graphs that were only ever added to stand in order already.
bool ids_are_in_order(const Graph& graph, const std::vector<NodeId>& ids) {
  return std::all_of(ids.begin(), ids.end(), [&](NodeId id) {
    const auto& inputs = graph.node(id).inputs;
    return std::all_of(inputs.begin(), inputs.end(), [&](Value input) { return !input || input.node < id; });
  });
}

[[noreturn]] void report_cycle(const Graph& graph, const std::vector<std::uint32_t>& waiting) {
  // Every node that still waits has an input that waits too: walking backwards must meet a node twice.
  NodeId at;
  for (std::uint32_t number = 1; number < waiting.size() && !at; ++number) {
    if (waiting[number] > 0) at = NodeId{number};
  }
  std::vector<bool> seen(waiting.size(), false);
  std::vector<NodeId> trail;
  while (!seen[at.number]) {
    seen[at.number] = true;
    trail.push_back(at);
    for (Value input : graph.node(at).inputs) {
      if (input && waiting[input.node.number] > 0) {
        at = input.node;
        break;
      }
    }
  }
  std::string text;
  const auto start = std::find(trail.begin(), trail.end(), at);
  constexpr std::ptrdiff_t kMostNamed = 6;
  const auto named = std::min(kMostNamed, trail.end() - start);
  for (std::ptrdiff_t step = 0; step < named; ++step) text += graph.node(start[step]).path() + " <- ";
  text += named == trail.end() - start ? graph.node(at).path() : "...";
  fail(ErrorCode::cycle, "a cycle: " + text, "a graph in which no value depends on itself", "cut one of these edges");
}

}  // namespace

std::vector<NodeId> topological_order(const Graph& graph) {
  std::vector<NodeId> ids = graph.node_ids();
  if (ids_are_in_order(graph, ids)) return ids;

  std::vector<std::uint32_t> waiting(graph.next_node_id().number, 0);  // inputs not yet placed
  for (NodeId id : ids) {
    for (Value input : graph.node(id).inputs) {
      if (!input) continue;
      static_cast<void>(graph.node(input.node));  // a dangling id is an error, not a node without users
      ++waiting[id.number];
    }
  }
  const UseMap users(graph);
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (NodeId id : ids) {
    if (waiting[id.number] == 0) ready.push(id);
  }
  std::vector<NodeId> order;
  order.reserve(ids.size());
  while (!ready.empty()) {
    const NodeId id = ready.top();
    ready.pop();
    order.push_back(id);
    for (const Use& use : users.uses(id)) {
      if (--waiting[use.user.number] == 0) ready.push(use.user);
    }
  }
  if (order.size() != ids.size()) report_cycle(graph, waiting);
  return order;
}

UseMap::UseMap(const Graph& graph) : first_(std::size_t{graph.next_node_id().number} + 1, 0) {
  const std::vector<NodeId> ids = graph.node_ids();
  auto each_use = [&](const auto& visit) {
    for (NodeId id : ids) {
      const auto& inputs = graph.node(id).inputs;
      for (std::uint32_t input = 0; input < inputs.size(); ++input) {
        if (inputs[input] && inputs[input].node < graph.next_node_id()) visit(inputs[input].node, Use{id, input});
      }
    }
  };
  each_use([&](NodeId producer, const Use&) { ++first_[std::size_t{producer.number} + 1]; });
  for (std::size_t slot = 1; slot < first_.size(); ++slot) first_[slot] += first_[slot - 1];
  uses_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each_use([&](NodeId producer, const Use& use) { uses_[next[producer.number]++] = use; });
}

std::span<const Use> UseMap::uses(NodeId node) const& {
  if (std::size_t{node.number} + 1 >= first_.size()) return {};
  return std::span(uses_).subspan(first_[node.number], first_[std::size_t{node.number} + 1] - first_[node.number]);
}

std::vector<Use> UseMap::uses(const Graph& graph, Value value) const {
  std::vector<Use> result;
  for (const Use& use : uses(value.node)) {
    if (graph.node(use.user).inputs[use.input] == value) result.push_back(use);
  }
  return result;
}

namespace {

std::vector<NodeId> marked(const std::vector<bool>& marks) {
  std::vector<NodeId> result;
  for (std::uint32_t number = 1; number < marks.size(); ++number) {
    if (marks[number]) result.push_back(NodeId{number});
  }
  return result;
}

}  // namespace

std::vector<NodeId> ancestors(const Graph& graph, std::span<const Value> roots) {
  std::vector<bool> seen(graph.next_node_id().number, false);
  std::vector<NodeId> stack;
  auto visit = [&](Value value) {
    if (!value || !graph.has(value.node) || seen[value.node.number]) return;
    seen[value.node.number] = true;
    stack.push_back(value.node);
  };
  for (Value root : roots) visit(root);
  while (!stack.empty()) {
    const Node& node = graph.node(stack.back());
    stack.pop_back();
    for (Value input : node.inputs) visit(input);
  }
  return marked(seen);
}

std::vector<NodeId> descendants(const Graph& graph, std::span<const NodeId> from) {
  const UseMap users(graph);
  std::vector<bool> seen(graph.next_node_id().number, false);
  std::vector<NodeId> stack;
  auto visit = [&](NodeId id) {
    if (!graph.has(id) || seen[id.number]) return;
    seen[id.number] = true;
    stack.push_back(id);
  };
  for (NodeId id : from) visit(id);
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    for (const Use& use : users.uses(id)) visit(use.user);
  }
  return marked(seen);
}

Remap Remap::identity(const Graph& graph) {
  Remap remap;
  remap.first_.resize(graph.next_node_id().number);
  for (std::uint32_t number = 1; number < remap.first_.size(); ++number) {
    const NodeId id{number};
    if (!graph.has(id)) continue;
    const auto ports = static_cast<std::uint32_t>(graph.node(id).outputs.size());
    for (std::uint32_t port = 0; port < ports; ++port) remap.set({id, port}, {id, port});
  }
  return remap;
}

void Remap::set(Value from, Value to) {
  if (from.port > 0) {
    others_[from] = to;
    return;
  }
  if (first_.size() <= from.node.number) first_.resize(std::size_t{from.node.number} + 1);
  first_[from.node.number] = to;
}

Value Remap::operator()(Value from) const {
  if (from.port == 0) return from.node.number < first_.size() ? first_[from.node.number] : Value{};
  const auto found = others_.find(from);
  return found != others_.end() ? found->second : Value{};
}

Remap Remap::then(const Remap& next) const {
  Remap result;
  result.first_.reserve(first_.size());
  for (const Value to : first_) result.first_.push_back(next(to));
  for (const auto& [from, to] : others_) result.others_[from] = next(to);
  return result;
}

}  // namespace asg
