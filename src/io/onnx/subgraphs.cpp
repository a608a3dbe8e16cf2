// Graphs that nodes carry. In ONNX they see all values of the graphs around them; here they are closed, and what they
// use from outside is passed to them: their captures.
#include <algorithm>
#include <set>

#include "asg/core/error.h"
#include "io/onnx/reader.h"

namespace asg::io {
namespace {

// Adds the names that `def` takes from outside. The depth is that of messages in messages, which the parser limits.
void collect_free(const GraphDef& def, std::set<std::string> defined, std::set<std::string>& seen,
                  std::vector<std::string>& names) {
  const auto use = [&](const std::string& name) {
    if (!name.empty() && !defined.contains(name) && seen.insert(name).second) names.push_back(name);
  };
  for (const ValueDef& input : def.inputs) defined.insert(input.name);
  for (const TensorDef& tensor : def.initializers) defined.insert(tensor.name);
  for (const NodeDef& node : def.nodes) {
    for (const std::string& input : node.inputs) use(input);
    for (const AttrDef& attribute : node.attributes) {
      if (attribute.graph != nullptr) collect_free(*attribute.graph, defined, seen, names);
    }
    defined.insert(node.outputs.begin(), node.outputs.end());
  }
  for (const ValueDef& output : def.outputs) use(output.name);
}

}  // namespace

std::vector<std::string> free_names(const GraphDef& def) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  collect_free(def, {}, seen, names);
  return names;
}

// The graphs of one node share their captures. Constants are not captured: each graph holds its own, so that shapes and
// axes are known inside.
void GraphReader::read_graphs(const NodeDef& node, Attrs& attrs, std::vector<Value>& inputs) {
  Captures captures;
  for (const AttrDef& attribute : node.attributes) {
    if (attribute.graph == nullptr) continue;
    for (std::string& name : free_names(*attribute.graph)) {
      if (std::find(captures.begin(), captures.end(), name) == captures.end()) captures.push_back(std::move(name));
    }
  }
  for (const AttrDef& attribute : node.attributes) {
    if (attribute.graph != nullptr) attrs.set(attribute.name, read_graph(node, *attribute.graph, captures));
  }
  for (const std::string& name : captures) {
    if (!constant_value(name)) inputs.push_back(value_of(name).value());
  }
}

GraphPtr GraphReader::read_graph(const NodeDef& node, const GraphDef& def, const Captures& captures) {
  auto graph = std::make_shared<Graph>(def.name.empty() ? "body" : def.name);
  GraphReader inner(state_, *graph);
  for (const TensorDef& tensor : def.initializers) {
    if (!tensor.refused.empty())
      fail_onnx(tensor.refused + " as initialiser '" + tensor.name + "'", "numbers or bools");
    inner.define(tensor.name, graph->constant(tensor.value, {}));
  }
  const std::vector<TensorType> types = body_types(node, def);
  for (std::size_t index = 0; index < def.inputs.size(); ++index) {
    const std::string& name = def.inputs[index].name;
    inner.define(name, graph->input(inner.free_path(name), types[index], {}));
  }
  for (const std::string& name : captures) {
    if (const auto constant = constant_value(name)) {
      inner.define(name, graph->constant(*constant, {}));
    } else {
      inner.define(name, graph->input(inner.free_path(name), value_of(name).type(), {}));
    }
  }
  inner.read_nodes(def.nodes);
  inner.set_outputs(def);
  return graph;
}

// The types of a body's own inputs. They follow from what the node passes in, where the file often leaves them open.
std::vector<TensorType> GraphReader::body_types(const NodeDef& node, const GraphDef& def) {
  std::vector<TensorType> types;
  for (const ValueDef& input : def.inputs) {
    if (!input.type.refused.empty()) fail_onnx(input.type.refused + " as input '" + input.name + "'", "a tensor");
    const std::size_t index = types.size();
    if (node.op == "Loop" && index < 2) {
      types.push_back({index == 0 ? DType::i64 : DType::boolean, {}});
    } else if (node.op == "Loop" && node.has_input(index)) {
      types.push_back(type_of(node.inputs[index]));
    } else {
      types.push_back(declared(input));
    }
  }
  return types;
}

}  // namespace asg::io
