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
void GraphReader::read_graphs(const OpCard& card, const NodeDef& node, Attrs& attrs, std::vector<Value>& inputs) {
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
  std::int64_t captured = 0;
  for (const std::string& name : captures) {
    if (constant_value(name)) continue;
    inputs.push_back(value_of(name).value());
    ++captured;
  }
  // Where states and captures stand in one list, the card asks how many are captures.
  if (card.find_attribute("num_captures") != nullptr) attrs.set("num_captures", captured);
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
    inner.define(name, graph->input(inner.input_name(name), types[index], {}));
  }
  for (const std::string& name : captures) {
    if (const auto constant = constant_value(name)) {
      inner.define(name, graph->constant(*constant, {}));
    } else {
      inner.define(name, graph->input(inner.input_name(name), value_of(name).type(), {}));
    }
  }
  inner.read_nodes(def.nodes);
  for (const ValueDef& output : def.outputs) inner.believe(output);
  inner.set_outputs(def);
  return graph;
}

// A length that only the data decide, where the file says that it is always the same: the states of a loop need to
// know.
void GraphReader::believe(const ValueDef& def) {
  if (!def.type.shape) return;
  const Shape shape = value_of(def.name).shape();
  std::vector<std::int64_t> lengths;
  for (const DimDef& dim : *def.type.shape) {
    if (!dim.length) return;
    lengths.push_back(*dim.length);
  }
  if (shape.is_known() || shape.rank() != static_cast<int>(lengths.size())) return;
  for (const std::int64_t length : lengths) {
    if (length == 0) return;  // a Reshape takes it as "the same as before"
  }
  const std::string sure = emit("Reshape", {def.name, constant(Array::ints(lengths))}, {});
  values_.insert_or_assign(def.name, value_of(sure));
}

// The types of a body's own inputs. They follow from what the node passes in, where the file often leaves them open.
std::vector<TensorType> GraphReader::body_types(const NodeDef& node, const GraphDef& def) {
  const AttrDef* scanned = node.find("num_scan_inputs");
  const std::int64_t states =
      static_cast<std::int64_t>(node.inputs.size()) - (scanned == nullptr ? 0 : scanned->integer);
  std::vector<TensorType> types;
  for (const ValueDef& input : def.inputs) {
    if (!input.type.refused.empty()) fail_onnx(input.type.refused + " as input '" + input.name + "'", "a tensor");
    const std::size_t index = types.size();
    if (node.op == "Loop" && index < 2) {
      types.push_back({index == 0 ? DType::i64 : DType::boolean, {}});
    } else if ((node.op == "Loop" || node.op == "Scan") && node.has_input(index)) {
      const bool walked = node.op == "Scan" && static_cast<std::int64_t>(index) >= states;
      types.push_back(walked ? element_type(node, index, states) : type_of(node.inputs[index]));
    } else {
      types.push_back(declared(input));
    }
  }
  return types;
}

// The type of what one iteration of a Scan sees of a tensor that it walks along.
TensorType GraphReader::element_type(const NodeDef& node, std::size_t index, std::int64_t states) {
  const TensorType whole = type_of(node.inputs[index]);
  const AttrDef* axes = node.find("scan_input_axes");
  const auto position = index - static_cast<std::size_t>(states);
  const std::int64_t said = axes != nullptr && position < axes->integers.size() ? axes->integers[position] : 0;
  const int axis = normalize_axis(said, whole.shape.rank());
  std::vector<Dim> dims = whole.shape.dims();
  dims.erase(dims.begin() + axis);
  return {whole.dtype, Shape(std::move(dims))};
}

}  // namespace asg::io
