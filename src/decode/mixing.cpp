#include "decode/mixing.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "asg/core/error.h"
#include "asg/graph/contexts.h"
#include "asg/graph/walk.h"
#include "decode/opened.h"

namespace asg::decode {
namespace {

[[noreturn]] void refuse_mixing(const Node& node, const std::string& why) {
  throw UserError(ErrorDetail{.code = ErrorCode::not_implemented,
                              .given = why,
                              .needed = "a model whose positions meet in causal attention only, so that it can go on "
                                        "with a text token by token",
                              .mend = "use nn.TransformerBlock or nn.MultiHeadAttention with `causal`, and layers of "
                                      "positions such as nn.LearnedPosition",
                              .node = node.path(),
                              .where = node.where.to_string()});
}

bool has_symbol(const TensorType& type, const std::string& symbol) {
  const auto& dims = type.shape.dims();
  return std::any_of(dims.begin(), dims.end(), [&](const Dim& dim) {
    const auto symbols = dim.symbols();
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  });
}

// Ops that look at neighbours along an axis, or count along it.
bool looks_aside(std::string_view op) {
  static const std::set<std::string_view> ops = {"Conv", "ConvTranspose", "MaxPool", "AveragePool", "LSTM",  "GRU",
                                                 "RNN",  "Scan",          "Loop",    "CumSum",      "Range", "Reverse",
                                                 "TopK", "Resize",        "Trilu",   "Pad"};
  return ops.contains(op);
}

class MixingCheck {
 public:
  MixingCheck(const Graph& plain, std::string length)
      : plain_(plain), length_(std::move(length)), depends_(plain.next_node_id().number, 0) {
    for (const NodeId id : descendants(plain, plain.inputs())) depends_[id.number] = 1;
  }

  void run() const {
    for (const NodeId id : plain_.node_ids()) {
      const Node& node = plain_.node(id);
      if (depends(id) && !counts_positions(node) && !is_about_shapes(node)) check_node(node);
    }
  }

 private:
  bool depends(NodeId id) const { return depends_[id.number] != 0; }

  // Integers that tell lengths.
  bool is_about_shapes(const Node& node) const {
    if (node.op->name == "Shape" || node.op->traits.leaf) return true;
    return std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](Value input) { return !input || plain_.info(input).known != nullptr; });
  }

  void check_node(const Node& node) const {
    const std::string_view op = node.op->name;
    if (op == "Attention") return check_attention(node);
    if (looks_aside(op)) refuse_mixing(node, "op '" + node.op->name + "' between the tokens and the logits");
    if (op == "MatMul" || op == "Einsum" || op == "Gemm") check_product(node);
    const bool from_length = std::any_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
      return input && depends(input.node) && has_symbol(plain_.type(input), length_);
    });
    const bool to_length = std::any_of(node.outputs.begin(), node.outputs.end(),
                                       [&](const OutputInfo& output) { return has_symbol(output.type, length_); });
    if (from_length && !to_length) {
      refuse_mixing(node, "op '" + node.op->name + "', which makes one thing of all positions");
    }
  }

  // A product of two things that both come from the tokens compares positions.
  void check_product(const Node& node) const {
    const auto from_tokens = std::count_if(node.inputs.begin(), node.inputs.end(),
                                           [&](Value input) { return input && depends(input.node); });
    if (from_tokens > 1) {
      refuse_mixing(node, "op '" + node.op->name + "' of two values that both depend on the tokens");
    }
  }

  void check_attention(const Node& node) const {
    if (!AttrReader(*node.op, node.attrs).boolean("is_causal")) {
      refuse_mixing(node, "attention that also looks at the tokens to come");
    }
    for (const std::size_t operand : {std::size_t{1}, std::size_t{2}}) {
      const Value value = node.inputs[operand];
      if (!depends(value.node) || !has_symbol(plain_.type(value), length_)) {
        refuse_mixing(node, "attention to something else than the text");
      }
    }
  }

  const Graph& plain_;
  std::string length_;
  std::vector<char> depends_;  // on the tokens, by node
};

}  // namespace

void check_positions_apart(const Graph& plain, const std::string& length) { MixingCheck(plain, length).run(); }

}  // namespace asg::decode
