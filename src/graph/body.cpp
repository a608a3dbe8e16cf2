#include "asg/graph/body.h"

#include <algorithm>

#include "asg/graph/reinfer.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

// A layer that contains itself would never end.
thread_local int nesting = 0;

class NestingGuard {
 public:
  explicit NestingGuard(const OpCard& op) {
    if (nesting >= kDeepestNesting) {
      fail(ErrorCode::limit_exceeded, "layers nested " + std::to_string(nesting) + " deep at op '" + op.name + "'",
           "at most " + std::to_string(kDeepestNesting) + " levels", "a layer must not contain itself");
    }
    ++nesting;
  }
  ~NestingGuard() { --nesting; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;
};

std::string port_name(const std::vector<Port>& ports, std::size_t index) {
  const bool variadic = !ports.empty() && ports.back().kind == PortKind::variadic;
  internal_check(index < ports.size() || variadic, "a body has more inputs or outputs than the card has ports");
  if (index + 1 < ports.size() || !variadic) return std::string(ports[index].name);
  return std::string(ports.back().name) + "_" + std::to_string(index + 1 - ports.size());
}

void set_known(Graph& graph, NodeId input, const std::shared_ptr<const std::vector<Dim>>& known) {
  if (!known) return;
  Node node = graph.node(input);
  node.outputs.front().known = known;
  graph.put(std::move(node));
}

}  // namespace

int nesting_of(const Graph& graph) {
  struct Level {
    const Graph* graph;
    int depth;
  };
  int deepest = 0;
  std::vector<Level> open = {{&graph, 0}};
  while (!open.empty()) {
    const Level level = open.back();
    open.pop_back();
    deepest = std::max(deepest, level.depth);
    for (const NodeId id : level.graph->node_ids()) {
      const GraphPtr& body = level.graph->node(id).body;
      if (body != nullptr) open.push_back({body.get(), level.depth + 1});
    }
  }
  return deepest;
}

bool has_body(const OpCard& op, const GraphPtr& own_body) { return own_body != nullptr || static_cast<bool>(op.body); }

Body make_body(const OpCard& op, const Attrs& attrs, const GraphPtr& own_body,
               std::span<const OutputInfo* const> inputs, Mode mode) {
  const NestingGuard guard(op);
  if (own_body != nullptr) {
    std::vector<OutputInfo> types;
    for (const OutputInfo* input : inputs) {
      if (input != nullptr) types.push_back(*input);
    }
    return {retype(*own_body, types), {}};
  }
  if (!op.body) {
    fail(ErrorCode::not_expandable, "op '" + op.name + "'", "an op with a body in smaller ops",
         "give its card a `body`, or run it on a backend that has a kernel for it");
  }
  Body body{Graph(op.name), {}};
  BodyContext context(op, attrs, body.graph, mode);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index] == nullptr) {
      context.inputs.emplace_back();
      continue;
    }
    context.inputs.push_back(body.graph.input(port_name(op.inputs, index), inputs[index]->type));
    set_known(body.graph, context.inputs.back().node(), inputs[index]->known);
  }
  op.body(context);
  for (std::size_t index = 0; index < context.outputs.size(); ++index) {
    body.graph.set_output(port_name(op.outputs, index), context.outputs[index]);
  }
  body.governed = std::move(context.governed_by);
  return body;
}

Body make_body(const Graph& graph, const Node& node, Mode mode) {
  std::vector<const OutputInfo*> inputs;
  for (Value input : node.inputs) inputs.push_back(input ? &graph.info(input) : nullptr);
  try {
    return make_body(*node.op, node.attrs, node.body, inputs, mode);
  } catch (const UserError& error) {
    throw error.with_node(node.path()).with_where(node.where.to_string());
  }
}

Graph retype(const Graph& graph, std::span<const OutputInfo> input_types) {
  if (graph.inputs().size() != input_types.size()) {
    fail(ErrorCode::capture_mismatch, std::to_string(input_types.size()) + " values for graph '" + graph.name() + "'",
         std::to_string(graph.inputs().size()) + ", one for each of its inputs");
  }
  Graph result = graph;
  const UseMap users(result);
  std::vector<NodeId> dirty;
  for (std::size_t index = 0; index < input_types.size(); ++index) {
    const NodeId id = result.inputs()[index];
    if (result.node(id).outputs.front() == input_types[index]) continue;
    Node input = result.node(id);
    input.attrs.set("type", input_types[index].type);
    input.outputs.front() = input_types[index];
    result.put(std::move(input));
    for (const Use& use : users.uses(id)) dirty.push_back(use.user);
  }
  if (!dirty.empty()) reinfer(result, dirty);
  return result;
}

}  // namespace asg
