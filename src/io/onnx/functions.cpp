// Functions that a model brings along are put in place of their calls.
#include <algorithm>
#include <map>

#include "io/onnx/reader.h"

namespace asg::io {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

class Inliner {
 public:
  Inliner(const NodeDef& call, Names names, std::string prefix)
      : call_(call), names_(std::move(names)), prefix_(std::move(prefix)) {}

  NodeDef node(NodeDef node) {
    if (!call_.name.empty()) node.name = call_.name + "/" + (node.name.empty() ? node.op : node.name);
    for (std::string& input : node.inputs) rename(input);
    for (std::string& output : node.outputs) rename(output);
    std::vector<AttrDef> attributes;
    for (AttrDef& attribute : node.attributes) {
      if (attribute.graph != nullptr) attribute.graph = std::make_shared<const GraphDef>(graph(*attribute.graph));
      if (attribute.parameter.empty()) {
        attributes.push_back(std::move(attribute));
      } else if (const AttrDef* given = call_.find(attribute.parameter)) {
        // One that the call leaves out has the default of the op inside.
        AttrDef value = *given;
        value.name = attribute.name;
        attributes.push_back(std::move(value));
      }
    }
    node.attributes = std::move(attributes);
    return node;
  }

 private:
  void rename(std::string& name) {
    if (name.empty()) return;
    const auto known = names_.find(name);
    name = known != names_.end() ? known->second : prefix_ + name;
  }

  // The depth is that of messages in messages, which the parser limits.
  GraphDef graph(GraphDef graph) {
    for (ValueDef& input : graph.inputs) rename(input.name);
    for (ValueDef& output : graph.outputs) rename(output.name);
    for (TensorDef& tensor : graph.initializers) rename(tensor.name);
    for (NodeDef& inner : graph.nodes) inner = node(std::move(inner));
    return graph;
  }

  const NodeDef& call_;
  Names names_;
  std::string prefix_;
};

}  // namespace

std::vector<NodeDef> inlined(const FunctionDef& function, const NodeDef& call, const std::string& prefix) {
  Names names;
  for (std::size_t index = 0; index < function.inputs.size(); ++index) {
    names[function.inputs[index]] = index < call.inputs.size() ? call.inputs[index] : "";
  }
  for (std::size_t index = 0; index < function.outputs.size(); ++index) {
    const bool wanted = index < call.outputs.size() && !call.outputs[index].empty();
    if (wanted) names[function.outputs[index]] = call.outputs[index];
  }
  Inliner inliner(call, std::move(names), prefix);
  std::vector<NodeDef> nodes;
  nodes.reserve(function.nodes.size());
  for (const NodeDef& node : function.nodes) nodes.push_back(inliner.node(node));
  return nodes;
}

}  // namespace asg::io
