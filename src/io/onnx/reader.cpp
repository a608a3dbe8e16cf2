#include "io/onnx/reader.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/core/platform.h"
#include "asg/graph/body.h"
#include "asg/graph/registry.h"
#include "asg/nn/nn.h"
#include "io/onnx/survey.h"

namespace asg::io {
namespace {

// The last part of a name such as "/encoder/block_0/MatMul", and the parts before it.
struct Path {
  std::string scope;
  std::string name;
};

Path path_of(const std::string& name) {
  Path path;
  std::string part;
  for (const char letter : name + "/") {
    if (letter != '/') {
      part += static_cast<unsigned char>(letter) < 0x20 ? '_' : letter;
      continue;
    }
    if (part.empty()) continue;
    if (!path.name.empty()) path.scope += (path.scope.empty() ? "" : "/") + path.name;
    path.name = std::move(part);
    part.clear();
  }
  return path;
}

std::string joined(const Path& path) { return path.scope.empty() ? path.name : path.scope + "/" + path.name; }

const FunctionDef* find_function(const ReadState& state, const NodeDef& node) {
  const auto found = state.functions.find({node.domain, node.op});
  return found == state.functions.end() ? nullptr : found->second;
}

}  // namespace

// ---- Values.

std::string GraphReader::made_name() { return "\x01" + std::to_string(++state_.made_names); }

Tensor GraphReader::value_of(const std::string& name) {
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  const auto waiting = initializers_.find(name);
  if (waiting == initializers_.end()) {
    fail(ErrorCode::dangling_value, "the value '" + name + "'",
         "the output of an earlier node, an input or an initialiser", "nodes stand after those whose outputs they use");
  }
  const Tensor made = initial(*waiting->second);
  initializers_.erase(waiting);
  return values_.emplace(name, made).first->second;
}

void GraphReader::define(const std::string& name, const Tensor& value) {
  if (initializers_.contains(name) || !values_.emplace(name, value).second) {
    fail(ErrorCode::duplicate_name, "a second value named '" + name + "'", "a name for each value");
  }
}

std::optional<Array> GraphReader::constant_value(const std::string& name) {
  const Tensor tensor = value_of(name);
  const Node& node = graph_.node(tensor.node());
  if (const Attr* value = node.op->name == "Constant" ? node.attrs.find("value") : nullptr) return value->as_tensor();
  const OutputInfo& info = graph_.info(tensor.value());
  if (info.known == nullptr) return std::nullopt;
  Array result(DType::i64,
               Sizes(info.type.shape.rank() == 0 ? Sizes{} : Sizes{static_cast<std::int64_t>(info.known->size())}));
  for (std::size_t index = 0; index < info.known->size(); ++index) {
    const auto element = (*info.known)[index].known();
    if (!element) return std::nullopt;
    result.set_i64(static_cast<std::int64_t>(index), *element);
  }
  return result.cast(info.type.dtype);
}

std::string GraphReader::constant(Array value) {
  const std::string name = made_name();
  define(name, graph_.constant(std::move(value), {}));
  return name;
}

std::string GraphReader::emit(std::string op, std::vector<std::string> inputs, std::vector<AttrDef> attributes) {
  NodeDef node;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.outputs = {made_name()};
  node.attributes = std::move(attributes);
  add_node(node);
  return node.outputs.front();
}

void GraphReader::alias(const std::string& name, const std::string& value) { define(name, value_of(value)); }

// ---- Nodes.

void GraphReader::read_nodes(const std::vector<NodeDef>& nodes) {
  for (const NodeDef& node : nodes) read_node(node, 0);
}

void GraphReader::read_node(NodeDef node, int depth) {
  const std::string label = node.label();
  try {
    if (depth > kDeepestNesting) {
      fail(ErrorCode::limit_exceeded, "functions that call functions without end",
           "at most " + std::to_string(kDeepestNesting) + " calls inside each other",
           "a function must not call itself");
    }
    if (++state_.nodes > state_.options.limits.max_nodes) {
      const std::int64_t most = state_.options.limits.max_nodes;
      fail_limit(Limit::nodes, "more than " + std::to_string(most) + " nodes, once functions stand for their calls",
                 most);
    }
    if (const FunctionDef* function = find_function(state_, node)) {
      for (NodeDef& inner : inlined(*function, node, made_name())) read_node(std::move(inner), depth + 1);
      return;
    }
    lift(*this, node);
    add_node(node);
  } catch (const UserError& error) {
    throw error.with_where(label);
  }
}

void GraphReader::add_node(const NodeDef& node) {
  const OpCard* card = state_.ops.find(node.domain, node.op, node.opset);
  if (card == nullptr) {
    fail(ErrorCode::unknown_op,
         "the ONNX op '" + node.op + "'" + (node.domain.empty() ? "" : " of domain '" + node.domain + "'"),
         "an op that is here; `asg ops` lists them");
  }
  NodeSpec spec;
  spec.op = card;
  spec.inputs = operands(*card, node);
  spec.attrs = attributes_of(*card, node);
  read_graphs(*card, node, spec.attrs, spec.inputs);
  if (const Path path = path_of(node.name); !path.name.empty()) {
    const auto taken = [&](const std::string& name) { return static_cast<bool>(graph_.find_node(name)); };
    const Path free = path_of(node_names_.free(joined(path), taken));
    spec.scope = free.scope;
    spec.name = free.name;
  }
  const std::vector<Tensor> outputs = graph_.add_outputs(std::move(spec));
  for (std::size_t index = 0; index < node.outputs.size(); ++index) {
    if (node.outputs[index].empty()) continue;
    if (index >= outputs.size()) {
      fail(ErrorCode::wrong_input_count, std::to_string(node.outputs.size()) + " outputs of op '" + card->name + "'",
           "at most " + std::to_string(outputs.size()));
    }
    define(node.outputs[index], outputs[index]);
  }
}

// The operands by the ports of the card. Random ops take the seed and the step of the graph, which ONNX does not have.
std::vector<Value> GraphReader::operands(const OpCard& card, const NodeDef& node) {
  std::vector<Value> result;
  const auto add_random_ports = [&] {
    while (card.traits.random && result.size() < card.inputs.size()) {
      const std::string_view port = card.inputs[result.size()].name;
      if (port != "seed" && port != "step") break;
      result.push_back(random_variable(port == "seed" ? kSeedVariable : kStepVariable).value());
    }
  };
  for (const std::string& name : node.inputs) {
    add_random_ports();
    result.push_back(name.empty() ? Value{} : value_of(name).value());
  }
  add_random_ports();
  return result;
}

Tensor GraphReader::random_variable(std::string_view name) {
  if (const VarId found = graph_.find_variable(name)) return graph_.read(found, {});
  Variable variable;
  variable.name = std::string(name);
  variable.type = {DType::u64, {}};
  variable.kind = name == kSeedVariable ? VarKind::random : VarKind::counter;
  variable.trainable = false;
  return graph_.read(graph_.add_variable(std::move(variable)), {});
}

void GraphReader::set_outputs(const GraphDef& def) {
  std::set<std::string_view> names;
  std::vector<Output> outputs;
  for (const ValueDef& output : def.outputs) {
    if (!output.type.refused.empty()) fail_onnx(output.type.refused + " as output '" + output.name + "'", "a tensor");
    if (!names.insert(output.name).second) {
      fail(ErrorCode::duplicate_name, "a second output named '" + output.name + "'", "a name for each output");
    }
    if (output.name.empty())
      fail(ErrorCode::bad_name, "an output without a name", "a name by which the result is found");
    outputs.push_back({output.name, value_of(output.name).value()});
  }
  graph_.set_outputs(std::move(outputs));
}

// ---- The whole.

OnnxModel read_model(const ModelDef& def, const OnnxOptions& options) {
  register_layers();
  OnnxModel result{Graph(def.graph.name.empty() ? "model" : def.graph.name), {}};
  ReadState state{options, def};
  for (const FunctionDef& function : def.functions) {
    state.functions.try_emplace({function.domain, function.name}, &function);
  }
  result.inputs = GraphReader(state, result.graph).read_model(def.graph);
  return result;
}

OnnxModel read_onnx(std::string_view bytes, const OnnxOptions& options) {
  try {
    return read_model(parse_model(bytes, options), options);
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::out_of_memory, "a model of " + std::to_string(bytes.size()) + " bytes",
         "more memory than there is");
  }
}

OnnxModel read_onnx_file(const std::string& path, OnnxOptions options) {
  if (options.folder.empty()) {
    const auto folder = std::filesystem::path(path).parent_path();
    options.folder = folder.empty() ? "." : folder.string();
  }
  return read_onnx(platform::read_file(path), options);
}

}  // namespace asg::io
