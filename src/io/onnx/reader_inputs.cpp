// Inputs and initialisers of the graph of a model.
#include <algorithm>
#include <cctype>

#include "asg/core/error.h"
#include "io/onnx/reader.h"

namespace asg::io {
namespace {

// Contents of longer arrays are no business of types.
constexpr std::int64_t kMostKnown = 64;

// A name that Dim::symbol accepts.
std::string symbol_name(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  std::string name;
  for (const char letter : text.substr(0, kLongest)) {
    const bool fine = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
    name += fine ? letter : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 || name.front() == '.') {
    name.insert(0, "_");
  }
  return name;
}

}  // namespace

std::map<std::string, std::string, std::less<>> GraphReader::read_model(const GraphDef& def) {
  for (const TensorDef& tensor : def.initializers) {
    if (!initializers_.emplace(tensor.name, &tensor).second) {
      fail(ErrorCode::duplicate_name, "a second initialiser named '" + tensor.name + "'", "a name for each value");
    }
  }
  find_uses(def);
  std::map<std::string, std::string, std::less<>> names;
  for (const ValueDef& input : def.inputs) {
    // Files before version 4 of the format list initialisers among the inputs.
    if (initializers_.contains(input.name)) continue;
    read_input(input);
    const Node& node = graph_.node(value_of(input.name).node());
    if (node.op->name == "Input") names.emplace(input.name, node.path());
  }
  read_nodes(def.nodes);
  set_outputs(def);
  return names;
}

void GraphReader::read_input(const ValueDef& def) {
  if (def.name.empty()) fail(ErrorCode::bad_name, "an input without a name", "a name for each input");
  if (!def.type.refused.empty()) fail_onnx(def.type.refused + " as input '" + def.name + "'", "a tensor");
  const auto given = state_.options.given.find(def.name);
  if (given == state_.options.given.end()) {
    define(def.name, graph_.input(input_name(def.name), declared(def), {}));
  } else if (becomes_constant(def.name, given->second)) {
    define(def.name, graph_.constant(given->second, {}));
  } else {
    const TensorType type{given->second.dtype(), Shape::of(given->second.sizes())};
    define(def.name, graph_.input(input_name(def.name), type, {}));
  }
}

std::string GraphReader::input_name(const std::string& name) {
  std::string path = name;
  for (char& letter : path) {
    if (letter == '/') letter = '.';
    if (static_cast<unsigned char>(letter) < 0x20) letter = '_';
  }
  return node_names_.free(path, [&](const std::string& taken) { return static_cast<bool>(graph_.find_node(taken)); });
}

TensorType GraphReader::declared(const ValueDef& def) {
  if (!def.type.dtype || !def.type.shape) {
    fail_onnx("input '" + def.name + "' without a " + (def.type.dtype ? "shape" : "dtype"),
              "a type with as many dims as the tensor has", "run shape inference before the export, or give its value");
  }
  std::vector<Dim> dims;
  for (const DimDef& dim : *def.type.shape) {
    if (dim.length) {
      dims.emplace_back(*dim.length);
      continue;
    }
    const std::string said = dim.symbol.empty() ? def.name + "." + std::to_string(dims.size()) : dim.symbol;
    auto known = state_.symbols.find(said);
    if (known == state_.symbols.end()) {
      // Two names may differ only in letters that symbols do not have.
      const auto taken = [&](const std::string& name) { return !state_.symbols_taken.insert(name).second; };
      const Dim symbol = Dim::symbol(state_.symbol_names.free(symbol_name(said), taken));
      known = state_.symbols.emplace(said, symbol).first;
    }
    dims.push_back(known->second);
  }
  return {*def.type.dtype, Shape(std::move(dims))};
}

bool GraphReader::becomes_constant(const std::string& name, const Array& given) const {
  if (given.rank() > 1 || given.count() > kMostKnown) return false;
  return !is_float(given.dtype()) || (indifferent_.contains(name) && !differentiable_.contains(name));
}

// A float initialiser is what training changes, unless it is a bare number (the epsilon of a norm that was taken apart)
// or only serves operands without a gradient (the scales of a Resize).
Tensor GraphReader::initial(const TensorDef& def) {
  if (!def.refused.empty()) fail_onnx(def.refused + " as initialiser '" + def.name + "'", "numbers or bools");
  const bool trained = state_.options.trainable && is_float(def.value.dtype()) && def.value.rank() > 0 &&
                       differentiable_.contains(def.name);
  if (!trained) return graph_.constant(def.value, {});
  const TensorType type{def.value.dtype(), Shape::of(def.value.sizes())};
  std::string name = def.name;
  for (char& letter : name) {
    if (static_cast<unsigned char>(letter) < 0x20) letter = '_';
  }
  if (name.empty()) name = "weight";
  name = variable_names_.free(name,
                              [&](const std::string& taken) { return static_cast<bool>(graph_.find_variable(taken)); });
  return graph_.parameter(name, type, Initializer::given(def.value), {});
}

// What a subgraph uses counts as having a gradient: who knows where it ends.
void GraphReader::find_uses(const GraphDef& def) {
  for (const NodeDef& node : def.nodes) {
    const OpCard* card = state_.ops.find(node.domain, node.op, node.opset);
    for (std::size_t index = 0; index < node.inputs.size(); ++index) {
      const bool known = card != nullptr && !card->inputs.empty();
      const bool has_gradient = !known || card->inputs[std::min(index, card->inputs.size() - 1)].differentiable;
      (has_gradient ? differentiable_ : indifferent_).insert(node.inputs[index]);
    }
    for (const AttrDef& attribute : node.attributes) {
      if (attribute.graph == nullptr) continue;
      for (std::string& name : free_names(*attribute.graph)) differentiable_.insert(std::move(name));
    }
  }
}

}  // namespace asg::io
