#include "train/tap_gradients.h"

#include <algorithm>
#include <unordered_set>

#include "asg/autograd/gradients.h"

namespace asg::train {
namespace {

// The values that `loss` is computed from, itself included.
std::unordered_set<Value> sources_of(const Graph& graph, Value loss) {
  std::unordered_set<Value> seen = {loss};
  std::unordered_set<NodeId> nodes;
  std::vector<NodeId> pending = {loss.node};
  while (!pending.empty()) {
    const Node& node = graph.node(pending.back());
    pending.pop_back();
    if (!nodes.insert(node.id).second) continue;
    for (const Value input : node.inputs) {
      if (input && seen.insert(input).second) pending.push_back(input.node);
    }
  }
  return seen;
}

// The targets by which the loss can be differentiated, each tried by itself.
std::vector<Value> differentiable(const Graph& graph, Value loss, const std::vector<Value>& targets) {
  std::vector<Value> result;
  for (const Value target : targets) {
    Graph copy = graph;
    const Tensor tensor = copy.tensor(target);
    try {
      add_gradients(copy.tensor(loss), std::span(&tensor, 1));
      result.push_back(target);
    } catch (const UserError& error) {
      if (error.code() != ErrorCode::no_gradient) throw;
    }
  }
  return result;
}

std::vector<Value> gradients_of(Graph& graph, Value loss, const std::vector<Value>& targets) {
  std::vector<Tensor> tensors;
  for (const Value target : targets) tensors.push_back(graph.tensor(target));
  std::vector<Value> result;
  for (const Tensor& gradient : add_gradients(graph.tensor(loss), tensors).gradients)
    result.push_back(gradient.value());
  return result;
}

}  // namespace

std::vector<Value> add_tap_gradients(Graph& graph, Value loss, std::span<const Value> values) {
  const std::unordered_set<Value> sources = sources_of(graph, loss);
  std::vector<Value> targets;
  for (const Value value : values) {
    if (sources.contains(value) && is_float(graph.type(value).dtype)) targets.push_back(value);
  }
  std::vector<Value> gradients;
  try {
    Graph copy = graph;  // a refusal leaves nodes behind
    gradients = gradients_of(copy, loss, targets);
    graph = std::move(copy);
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::no_gradient) throw;
    targets = differentiable(graph, loss, targets);
    gradients = gradients_of(graph, loss, targets);
  }
  std::vector<Value> result;
  for (const Value value : values) {
    const auto found = std::find(targets.begin(), targets.end(), value);
    result.push_back(found == targets.end() ? Value{} : gradients[static_cast<std::size_t>(found - targets.begin())]);
  }
  return result;
}

}  // namespace asg::train
