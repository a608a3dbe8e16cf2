#include "asg/graph/builder.h"

#include "asg/core/error.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"

namespace asg {
namespace {

// The graph that all tensors belong to; `graph` where it is known from elsewhere.
Graph& common_graph(std::string_view op, const std::vector<NodeInput>& inputs, Graph* graph) {
  for (const NodeInput& input : inputs) {
    if (!input.ints.tensor.valid()) continue;
    Graph& other = input.ints.tensor.graph();
    if (graph == nullptr) graph = &other;
    if (graph != &other) {
      fail(ErrorCode::foreign_tensor,
           "tensors of graphs '" + graph->name() + "' and '" + other.name() + "' for op '" + std::string(op) + "'",
           "inputs of one graph", "build both in the same graph, or pass one as an input");
    }
  }
  if (graph == nullptr) {
    fail(ErrorCode::missing_input, "no input with a value for op '" + std::string(op) + "'", "at least one tensor",
         "make a tensor with Graph::input, Graph::constant or Graph::parameter; ops without inputs are added with "
         "Graph::add");
  }
  return *graph;
}

}  // namespace

std::vector<Tensor> add_node(std::string_view op, const std::vector<NodeInput>& inputs, NodeCall call) {
  std::vector<NodeId> constants;
  Graph* graph = call.graph;
  try {
    NodeSpec spec;
    spec.op = &Registry::global().get(op);
    graph = &common_graph(op, inputs, call.graph);
    spec.inputs.reserve(inputs.size());
    for (const NodeInput& input : inputs) {
      const Tensor tensor = input.ints.in(*graph, call.where);
      if (tensor.valid() && !input.ints.tensor.valid()) constants.push_back(tensor.node());
      spec.inputs.push_back(tensor.value());
    }
    spec.attrs = std::move(call.attrs);
    spec.name = std::move(call.name);
    spec.bindings = std::move(call.bindings);
    spec.where = call.where;
    return graph->add_outputs(std::move(spec));
  } catch (const UserError& error) {
    for (NodeId constant : constants) graph->erase(constant);
    throw error.with_where(call.where.to_string());
  }
}

std::vector<NodeInput> node_inputs(std::initializer_list<NodeInput> first, const std::vector<Tensor>& rest) {
  std::vector<NodeInput> inputs(first);
  inputs.insert(inputs.end(), rest.begin(), rest.end());
  return inputs;
}

std::string snake_case(std::string_view op) {
  const auto dot = op.rfind('.');
  if (dot != std::string_view::npos) op.remove_prefix(dot + 1);
  auto upper = [&](std::size_t at) { return at < op.size() && op[at] >= 'A' && op[at] <= 'Z'; };
  auto lower = [&](std::size_t at) { return at < op.size() && op[at] >= 'a' && op[at] <= 'z'; };
  std::string name;
  for (std::size_t at = 0; at < op.size(); ++at) {
    const bool nan = at >= 2 && op.substr(at - 2, 3) == "NaN";  // one word, although it reads like two
    const bool after_word = at > 0 && !upper(at - 1);
    const bool before_word = at > 0 && lower(at + 1);  // the last capital of "LSTMCell" begins a word
    if (upper(at) && (after_word || before_word) && !nan) name += '_';
    name += upper(at) ? static_cast<char>(op[at] - 'A' + 'a') : op[at];
  }
  return name;
}

}  // namespace asg
