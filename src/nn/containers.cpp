#include "asg/nn/containers.h"

#include "asg/core/error.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"

namespace asg::nn {
namespace {

// The value as an input of the body, with the contents of small integers.
Tensor passed_in(Graph& body, const Tensor& value) {
  const OutputInfo& info = value.graph().info(value.value());
  const Tensor inner = body.input(body.free_name("", "in"), info.type);
  Node node = body.node(inner.node());
  node.outputs.front() = info;
  body.put(std::move(node));
  return inner;
}

// Streams are made from ids, which begin anew in every body. Two blocks must not draw the same numbers.
void make_streams_unique(Graph& body, StreamKey key) {
  for (const NodeId id : body.node_ids()) {
    if (body.node(id).stream == 0) continue;
    Node node = body.node(id);
    node.stream = combine(key, node.stream);
    body.put(std::move(node));
  }
}

}  // namespace

Tensor sequential(const Tensor& x, const std::vector<Module>& modules) {
  Tensor y = x;
  for (const Module& module : modules) y = module(y);
  return y;
}

Tensor residual(const Tensor& x, const Module& module, SourceLocation where) {
  return add_op("Add", {x, module(x)}, {}, where);
}

std::vector<Tensor> block(std::string name, const std::vector<Tensor>& inputs, const BlockBuilder& build,
                          SourceLocation where) {
  if (inputs.empty()) {
    fail(ErrorCode::missing_input, "the block '" + name + "' without inputs", "at least one tensor");
  }
  Graph& graph = inputs.front().graph();
  Graph body(name);
  NodeSpec spec;
  std::vector<Tensor> inner;
  for (const Tensor& input : inputs) {
    inner.push_back(passed_in(body, input));
    spec.inputs.push_back(input.value());
  }
  for (const Tensor& output : build(inner)) {
    body.set_output("out_" + std::to_string(body.outputs().size() + 1), output);
  }
  make_streams_unique(body, stream_of_new(graph.next_node_id()));
  spec.op = &Registry::global().get("Block");
  spec.name = std::move(name);
  spec.body = std::make_shared<const Graph>(std::move(body));
  spec.where = where;
  return graph.add_outputs(std::move(spec));
}

Tensor block(std::string name, const Tensor& x, const Module& build, SourceLocation where) {
  const auto build_one = [&](const std::vector<Tensor>& inputs) { return std::vector<Tensor>{build(inputs.front())}; };
  return block(std::move(name), std::vector<Tensor>{x}, build_one, where).front();
}

}  // namespace asg::nn
