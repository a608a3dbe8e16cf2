#include "io/onnx/survey.h"

#include <algorithm>
#include <set>

#include "asg/nn/nn.h"
#include "io/onnx/lift.h"
#include "io/onnx/table.h"

namespace asg::io {
namespace {

class Surveyor {
 public:
  explicit Surveyor(const ModelDef& model) {
    for (const FunctionDef& function : model.functions) functions_.insert({function.domain, function.name});
    for (const FunctionDef& function : model.functions) nodes(function.nodes);
    graph(model.graph);
    result_.missing_ops.assign(missing_.begin(), missing_.end());
  }

  Survey take() { return std::move(result_); }

 private:
  // The depth is that of messages in messages, which the parser limits.
  void graph(const GraphDef& def) {
    for (const ValueDef& input : def.inputs) refused(input.type.refused);
    for (const ValueDef& output : def.outputs) refused(output.type.refused);
    for (const TensorDef& tensor : def.initializers) refused(tensor.refused);
    nodes(def.nodes);
  }

  void nodes(const std::vector<NodeDef>& list) {
    for (const NodeDef& node : list) {
      find_op(node);
      for (const AttrDef& attribute : node.attributes) {
        if (attribute.graph != nullptr) graph(*attribute.graph);
        refused(attribute.tensor.refused);
        if (attribute.name.starts_with("value_string")) refused("strings");
        if (attribute.name == "to") refused(words_of_onnx_dtype(attribute.integer));
      }
    }
  }

  void find_op(const NodeDef& node) {
    if (functions_.contains({node.domain, node.op})) return;
    const std::string_view op = node.domain.empty() ? newest_name(node.op) : node.op;
    const OpCard* card = ops_.find(node.domain, op, node.opset);
    if (card == nullptr) {
      missing_.insert(node.op);
    } else if (draws(*card) && op != "Dropout") {
      result_.random = true;  // a Dropout draws only in training
    }
  }

  // Of what is refused, the kinds of values that this engine does not have.
  void refused(const std::string& words) {
    for (const char* kind : {"strings", "a sequence", "an optional"}) {
      if (words.find(kind) != std::string::npos) result_.values = kind;
    }
  }

  OpTable ops_;
  std::set<std::pair<std::string, std::string>> functions_;
  std::set<std::string> missing_;
  Survey result_;
};

}  // namespace

Survey survey(const ModelDef& model) {
  register_layers();
  return Surveyor(model).take();
}

}  // namespace asg::io
