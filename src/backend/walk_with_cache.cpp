#include "asg/backend/attribute_codec.h"
#include "asg/backend/walk.h"
#include "backend/at_node.h"
#include "backend/guard.h"
#include "backend/node_run.h"
#include "backend/walk_plan.h"

namespace asg {
namespace {

class CachedWalk {
 public:
  CachedWalk(Backend& backend, const Graph& graph, Cache cache)
      : graph_(graph), plan_(graph), nodes_(backend), run_{{}, std::move(cache)} {
    find_missing();
  }

  CachedRun run() {
    for (NodeId id : plan_.order()) {
      if (missing_[id.number]) step(graph_.node(id));
    }
    for (const Output& output : graph_.outputs()) run_.outputs.push_back(run_.cache.at(key(output.value)));
    return std::move(run_);
  }

 private:
  CacheKey key(Value value) const { return {graph_.id(), value}; }
  bool has(Value value) const { return run_.cache.contains(key(value)); }

  // The nodes to be computed: those that outputs, updates or nobody (a gradient graph may want them) use, and what
  // these need, as far as values are not present.
  void find_missing() {
    missing_.assign(graph_.next_node_id().number, false);
    std::vector<Value> stack;
    std::vector<bool> used(graph_.next_node_id().number, false);
    for (NodeId id : graph_.node_ids()) {
      for (Value input : graph_.node(id).inputs) used[input.node.number] = true;
    }
    auto want = [&](Value value) {
      if (!value || has(value) || missing_[value.node.number]) return;
      missing_[value.node.number] = true;
      stack.push_back(value);
    };
    for (const Output& output : graph_.outputs()) want(output.value);
    for (const Update& update : graph_.updates()) want(update.value);
    for (NodeId id : graph_.node_ids()) {
      const Node& node = graph_.node(id);
      if (used[id.number] || node.op->traits.leaf) continue;
      for (std::uint32_t port = 0; port < node.outputs.size(); ++port) want({id, port});
    }
    while (!stack.empty()) {
      const Value value = stack.back();
      stack.pop_back();
      for (Value input : graph_.node(value.node).inputs) want(input);
    }
  }

  void step(const Node& node) {
    at_node(node, [&] {
      const DeviceArrays outputs = compute(node);
      for (std::uint32_t port = 0; port < outputs.size(); ++port) {
        run_.cache.try_emplace(key({node.id, port}), outputs[port]);
      }
    });
  }

  DeviceArrays compute(const Node& node) {
    // A value that is present stands in the cache, not in `missing_`: here the caller gave none.
    if (is_given(node)) return {given_value(graph_, node, {}, lengths_)};
    if (node.op->traits.leaf && node.op->name == "External") return {resolve(node)};
    DeviceArrays inputs;
    for (Value input : node.inputs) inputs.push_back(input ? run_.cache.at(key(input)) : DeviceArray());
    return nodes_.run(node, inputs);
  }

  DeviceArray resolve(const Node& node) const {
    const auto number = [&](const char* name) {
      return static_cast<std::uint32_t>(decode_attribute<std::int64_t>(node, name));
    };
    const GraphId graph{number("graph")};
    const Value value{NodeId{number("node")}, number("port")};
    const auto found = run_.cache.find({graph, value});
    if (found != run_.cache.end()) {
      check_type(decode_attribute<TensorType>(node, "type"), found->second, "the value of an External");
      return found->second;
    }
    const auto first = run_.cache.lower_bound({graph, Value{}});
    if (first == run_.cache.end() || first->first.graph != graph) {
      fail(ErrorCode::unknown_graph, "graph " + std::to_string(graph.number), "a graph whose values are in the cache",
           "run that graph first, and pass on the cache that it returns");
    }
    fail(ErrorCode::unknown_node, "value " + to_string(value) + " of graph " + std::to_string(graph.number),
         "a value that is in the cache", "run the graph that computes it first, and pass on the cache that it returns");
  }

  const Graph& graph_;
  WalkPlan plan_;
  NodeRunner nodes_;
  SymbolLengths lengths_;
  CachedRun run_;
  std::vector<bool> missing_;  // by node number
};

}  // namespace

CachedRun walk_with_cache(Backend& backend, const Graph& graph, Cache cache) {
  refuse_default_cycle(backend, graph);
  return CachedWalk(backend, graph, std::move(cache)).run();
}

Cache cache_of(const Graph& graph, const NamedDeviceArrays& inputs) {
  Cache cache;
  for (NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    if (!is_given(node)) continue;
    const auto value = inputs.find(given_name(graph, node));
    if (value != inputs.end()) cache[{graph.id(), {id, 0}}] = value->second;
  }
  return cache;
}

}  // namespace asg
