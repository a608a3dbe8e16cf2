#include "decode/mixing.h"

#include <algorithm>
#include <string_view>

#include "asg/core/error.h"
#include "asg/graph/contexts.h"
#include "asg/graph/walk.h"
#include "decode/axes_of_ops.h"
#include "decode/opened.h"

namespace asg::decode {
namespace {

// What a value has to do with the positions of the text.
enum class Flow : std::uint8_t {
  none,     // nothing: it is the same for every text
  lengths,  // numbers that tell how long the text is
  even,     // some of its axes are the length, and it is the same all along them
  rows,     // one axis is the length, and what lies at a position comes from there, or from before by attention
  pairs,    // the last two axes are the length: how far apart each two positions are
};

// Follows the tokens through the graph. An op must be known to keep positions apart; whatever else meets them is
// refused, since it would silently give another text.
class MixingCheck {
 public:
  MixingCheck(const Graph& plain, std::string length)
      : plain_(plain), length_(std::move(length)), flows_(plain.next_node_id().number, Flow::none) {}

  void run() {
    for (const NodeId id : topological_order(plain_)) flows_[id.number] = flow_of(plain_.node(id));
  }

 private:
  Flow flow(Value value) const { return value ? flows_[value.node.number] : Flow::none; }
  Flow flow(const Node& node, std::size_t input) const {
    return input < node.inputs.size() ? flow(node.inputs[input]) : Flow::none;
  }
  bool has(const Node& node, Flow wanted) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](Value input) { return flow(input) == wanted; });
  }

  Flow flow_of(const Node& node) const {
    const std::string_view op = node.op->name;
    if (op == "Input") return Flow::rows;
    if (counts_positions(node)) return flow_of_positions(node);
    if (op == "Shape" || op == "Size") return tells_length(node) ? Flow::lengths : Flow::none;
    if (op == "CastLike") return flow(node, 0);  // of the other only the type matters
    if (has(node, Flow::rows) || has(node, Flow::even) || has(node, Flow::pairs)) return flow_of_text(node);
    return has(node, Flow::lengths) ? flow_of_lengths(node) : Flow::none;
  }

  // Sizes that are known to be others, such as the features, are like any numbers.
  bool tells_length(const Node& node) const {
    return std::any_of(node.outputs.begin(), node.outputs.end(), [&](const OutputInfo& output) {
      return output.known == nullptr || std::any_of(output.known->begin(), output.known->end(),
                                                    [&](const Dim& dim) { return has_length(dim, length_); });
    });
  }

  Flow flow_of_lengths(const Node& node) const {
    if (!has_length_out(node)) return tells_length(node) ? Flow::lengths : Flow::none;
    const bool repeats = node.op->name == "Expand" && flow(node, 0) == Flow::none;
    if (repeats || node.op->name == "ConstantOfShape") return Flow::even;
    refuse(node, "op '" + node.op->name + "', which counts the positions itself");
  }

  Flow flow_of_text(const Node& node) const {
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      if (flow(node, k) != Flow::lengths || takes_lengths(node, k)) continue;
      refuse(node, "op '" + node.op->name + "' with a number that tells how long the text is");
    }
    if (node.op->name == "Attention") return flow_of_attention(node);
    if (node.op->traits.elementwise && !has(node, Flow::rows)) {
      if (!has(node, Flow::pairs)) return Flow::even;
      if (is_of_pairs(node.outputs.front().type)) return Flow::pairs;
    }
    check_apart(node);
    return Flow::rows;
  }

  void check_apart(const Node& node) const {
    if (!has_length_out(node)) {
      refuse(node, "op '" + node.op->name + "', which makes one thing of all positions");
    }
    std::vector<bool> from_tokens;
    bool holds = true;
    for (const Value input : node.inputs) {
      from_tokens.push_back(flow(input) != Flow::none && flow(input) != Flow::lengths);
      if (from_tokens.back()) holds = holds && only_length_axis(plain_.type(input), length_) >= 0;
    }
    for (const OutputInfo& output : node.outputs) holds = holds && only_length_axis(output.type, length_) >= 0;
    holds = holds && (node.op->traits.elementwise || keeps_positions_apart(plain_, node, from_tokens, length_));
    if (!holds)
      refuse(node, "op '" + node.op->name + "', which lets positions meet, between the tokens and the logits");
  }

  // The offset that they are given counts along the last axis but one, and for scores along their rows.
  Flow flow_of_positions(const Node& node) const {
    const TensorType& type = plain_.type(node.inputs.front());
    const Flow from = flow(node, 0);
    const bool is_scores = node.op->name == "nn.AlibiBias" && (from == Flow::even || from == Flow::pairs);
    if (flow(node, 1) == Flow::none) {
      if (is_scores && is_of_pairs(type)) return Flow::pairs;
      const bool is_text = from == Flow::rows || from == Flow::even;
      if (is_text && only_length_axis(type, length_) == type.shape.rank() - 2) return Flow::rows;
    }
    refuse(node, "layer '" + node.op->name + "', which counts something else than the positions of the text");
  }

  Flow flow_of_attention(const Node& node) const {
    if (!AttrReader(*node.op, node.attrs).boolean("is_causal")) {
      refuse(node, "attention that also looks at the tokens to come");
    }
    for (const std::size_t operand : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
      if (only_length_axis(plain_.type(node.inputs[operand]), length_) == 2) continue;
      refuse(node, "attention to something else than the text");
    }
    if (!is_mask(node)) refuse(node, "attention with a mask that depends on the tokens or has a length of its own");
    return Flow::rows;
  }

  // The same for all positions, or told by how far apart they are.
  bool is_mask(const Node& node) const {
    constexpr std::size_t kMask = 3;
    if (node.inputs.size() <= kMask || !node.inputs[kMask]) return true;
    const TensorType& type = plain_.type(node.inputs[kMask]);
    const Flow from = flow(node, kMask);
    if (from == Flow::pairs || from == Flow::even) return is_of_pairs(type);
    const auto& dims = type.shape.dims();
    const auto columns_and_rows = std::min<std::ptrdiff_t>(2, type.shape.rank());
    return from == Flow::none &&
           std::all_of(dims.end() - columns_and_rows, dims.end(), [](const Dim& dim) { return dim == Dim(1); });
  }

  bool has_length_out(const Node& node) const {
    return std::any_of(node.outputs.begin(), node.outputs.end(),
                       [&](const OutputInfo& output) { return has_length(output.type, length_); });
  }

  // The last two axes, and no others.
  bool is_of_pairs(const TensorType& type) const {
    const int rank = type.shape.rank();
    for (int axis = 0; axis < rank; ++axis) {
      const Dim& dim = type.shape[axis];
      if (axis < rank - 2 ? has_length(dim, length_) : dim != Dim::symbol(length_)) return false;
    }
    return rank >= 2;
  }

  [[noreturn]] static void refuse(const Node& node, const std::string& why) {
    throw UserError(ErrorDetail{.code = ErrorCode::not_implemented,
                                .given = why,
                                .needed = "a model whose positions meet in causal attention only, so that it can go on "
                                          "with a text token by token",
                                .mend = "use nn.TransformerBlock or nn.MultiHeadAttention with `causal`, and layers of "
                                        "positions such as nn.LearnedPosition",
                                .node = node.path(),
                                .where = node.where.to_string()});
  }

  const Graph& plain_;
  std::string length_;
  std::vector<Flow> flows_;  // by node
};

}  // namespace

void check_positions_apart(const Graph& plain, const std::string& length) { MixingCheck(plain, length).run(); }

}  // namespace asg::decode
