#include "backend/lowered_run.h"

#include <algorithm>
#include <optional>

#include "asg/backend/attribute_codec.h"
#include "asg/backend/single_op.h"
#include "asg/backend/walk.h"
#include "asg/compile/lower.h"
#include "asg/compile/reference.h"
#include "asg/graph/body.h"
#include "asg/graph/registry.h"
#include "backend/guard.h"

namespace asg {
namespace {

bool has_layers(const Graph& graph) {
  const auto ids = graph.node_ids();
  return std::any_of(ids.begin(), ids.end(), [&](NodeId id) { return graph.node(id).op->composite; });
}

// Outputs by name, in the order of the graph.
DeviceArrays in_order(const Graph& graph, const NamedDeviceArrays& values) {
  DeviceArrays outputs;
  for (const Output& output : graph.outputs()) {
    const auto value = values.find(output.name);
    if (value == values.end() || !value->second) {
      fail(ErrorCode::missing_output, "no value for output '" + output.name + "' of graph '" + graph.name() + "'",
           "a value for every output of the graph", "let execute return each output under its name");
    }
    outputs.push_back(value->second);
  }
  return outputs;
}

// A closed graph is typed anew by whoever uses it, so the stored one may have been made for other lengths.
bool fits(const Graph& graph, std::span<const DeviceArray> inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Shape& shape = graph.type({graph.inputs()[index], 0}).shape;
    const Sizes& sizes = inputs[index].sizes();
    const bool same = std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end(),
                                 [](const Dim& dim, std::int64_t size) { return !dim.is_known() || dim == Dim(size); });
    if (!same) return false;
  }
  return true;
}

Graph typed_by(const Graph& graph, std::span<const DeviceArray> inputs) {
  std::vector<OutputInfo> types;
  for (const DeviceArray& input : inputs) types.push_back({{input.dtype(), Shape::of(input.sizes())}, nullptr});
  return retype(graph, types);
}

DeviceArrays run_closed(Backend& backend, const Graph& given, std::span<const DeviceArray> inputs) {
  if (given.inputs().size() != inputs.size()) {
    fail(ErrorCode::capture_mismatch, std::to_string(inputs.size()) + " values for graph '" + given.name() + "'",
         std::to_string(given.inputs().size()) + ", one for each of its inputs", "pass one value for each input");
  }
  std::optional<Graph> typed;
  if (!fits(given, inputs)) typed = typed_by(given, inputs);
  const Graph& graph = typed ? *typed : given;
  NamedDeviceArrays named;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    named[graph.node(graph.inputs()[index]).path()] = inputs[index];
  }
  // A closed graph holds no state, so train and eval are the same.
  if (has_layers(graph)) {
    const Expansion plain = expand(graph, Mode::train);
    return in_order(plain.graph, backend.execute(plain.graph, named));
  }
  return in_order(graph, backend.execute(graph, named));
}

DeviceArrays run_on_host(Backend& backend, const Node& node, std::span<const DeviceArray> inputs) {
  std::vector<Array> values;
  values.reserve(inputs.size());
  std::vector<const Array*> pointers;
  for (const DeviceArray& input : inputs) {
    pointers.push_back(input ? &values.emplace_back(backend.download(input)) : nullptr);
  }
  const RunGraph run_graph = [&backend](const Graph& graph, std::span<const Array> arguments) {
    return run_subgraph(backend, graph, arguments);
  };
  DeviceArrays outputs;
  for (const Array& output : run_reference(*node.op, node.attrs, node.stream, pointers, run_graph)) {
    outputs.push_back(backend.upload(output));
  }
  return outputs;
}

}  // namespace

DeviceArrays run_lowered(Backend& backend, const Node& node, std::span<const DeviceArray> inputs) {
  if (has_body(*node.op, node.body) && node.bindings.empty()) {
    const SingleOp single = single_op(backend, node, inputs);
    const Expansion body = expand(single.graph, Mode::train, [&](const Node& inner) { return inner.op == node.op; });
    return in_order(body.graph, walk_graph(backend, body.graph, single.inputs));
  }
  if (node.op->composite) {
    fail(ErrorCode::not_implemented, "layer '" + node.op->name + "' in a graph to be run", "a graph of plain ops",
         "replace layers by their bodies with expand(graph, mode), or use compile, which does it");
  }
  if (node.op->kernel && backend.capabilities().allow_host_fallback) return run_on_host(backend, node, inputs);
  if (Registry::global().find(node.op->name) == nullptr) {
    fail(ErrorCode::unknown_op, "op '" + node.op->name + "', which has neither kernel nor body",
         "an op that is registered", "add its card, with a kernel or a body, to the registry");
  }
  fail_not_implemented(backend, *node.op);
}

DeviceArrays run_carrier(Backend& backend, const Node& node, std::span<const DeviceArray> inputs) {
  const auto body = decode_attribute<GraphPtr>(node, "body");
  if (body == nullptr) {
    fail(ErrorCode::bad_attribute, "no graph for attribute 'body' of op 'Carrier'", "the graph that it carries",
         "make carriers with collapse");
  }
  return run_closed(backend, *body, inputs);
}

std::vector<Array> run_subgraph(Backend& backend, const Graph& graph, std::span<const Array> inputs) {
  DeviceArrays values;
  for (const Array& input : inputs) values.push_back(backend.upload(input));
  std::vector<Array> outputs;
  for (const DeviceArray& output : run_closed(backend, graph, values)) outputs.push_back(backend.download(output));
  return outputs;
}

}  // namespace asg
