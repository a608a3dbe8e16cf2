#include "decode/axes_of_ops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"

namespace asg::decode {
namespace {

// Along which axes of its first input an op goes from one element to another.
enum class Along : std::uint8_t {
  shown,       // along the length it would change that size, so the types tell: a reduction, a transpose
  axis,        // the attribute `axis`
  from_axis,   // that axis and all after it
  axes,        // the attribute `axes`
  axis_input,  // input 1
  axes_input,  // input 3; all where it is absent
  slice,       // as the one before, but where the length stays whole
  channels,    // axis 1
  order,       // elements keep their order in memory
  inner,       // the columns of the left matrix and the rows of the right one
  one_tensor,  // shown by the types, where only one operand comes from the tokens
};

const std::map<std::string_view, Along>& rules() {
  static const std::map<std::string_view, Along> rules = {
      {"ArgMax", Along::shown},
      {"ArgMin", Along::shown},
      {"BatchNormalization", Along::channels},
      {"Concat", Along::axis},
      {"CumSum", Along::axis_input},
      {"Einsum", Along::one_tensor},
      {"Expand", Along::shown},
      {"Flatten", Along::order},
      {"Gather", Along::axis},
      {"Gemm", Along::inner},
      {"Glu", Along::axis},
      {"Hardmax", Along::axis},
      {"LayerNormalization", Along::from_axis},
      {"LogSoftmax", Along::axis},
      {"LpNormalization", Along::axis},
      {"MatMul", Along::inner},
      {"MeanVarianceNormalization", Along::axes},
      {"OneHot", Along::shown},
      {"Pad", Along::axes_input},
      {"Print", Along::shown},
      {"RMSNormalization", Along::from_axis},
      {"ReduceL1", Along::shown},
      {"ReduceL2", Along::shown},
      {"ReduceLogSum", Along::shown},
      {"ReduceLogSumExp", Along::shown},
      {"ReduceMax", Along::shown},
      {"ReduceMean", Along::shown},
      {"ReduceMin", Along::shown},
      {"ReduceProd", Along::shown},
      {"ReduceSum", Along::shown},
      {"ReduceSumSquare", Along::shown},
      {"ReduceVariance", Along::shown},
      {"Reshape", Along::order},
      {"Slice", Along::slice},
      {"Softmax", Along::axis},
      {"Sort", Along::axis},
      {"Split", Along::axis},
      {"Squeeze", Along::shown},
      {"Stack", Along::shown},
      {"Tile", Along::shown},
      {"TopK", Along::axis},
      {"Transpose", Along::shown},
      {"Unsqueeze", Along::shown},
  };
  return rules;
}

// How many of the inputs are data that may come from the tokens; the others say how.
std::size_t data_inputs(std::string_view op) {
  if (op == "Concat" || op == "Stack" || op == "Einsum") return static_cast<std::size_t>(-1);
  if (op == "Gemm") return 3;
  return op == "MatMul" || op == "Gather" ? 2 : 1;
}

class ApartCheck {
 public:
  ApartCheck(const Graph& graph, const Node& node, const std::vector<bool>& from_tokens, const std::string& length)
      : graph_(graph), node_(node), attrs_(*node.op, node.attrs), from_tokens_(from_tokens), length_(length) {}

  bool holds() const {
    const auto rule = rules().find(node_.op->name);
    if (rule == rules().end()) return false;
    for (std::size_t place = data_inputs(node_.op->name); place < from_tokens_.size(); ++place) {
      if (from_tokens_[place]) return false;
    }
    switch (rule->second) {
      case Along::shown:
        return true;
      case Along::axis:
        return not_along_in_any({attrs_.integer("axis")});
      case Along::from_axis:
        return length_axis(0) < normalize_axis(attrs_.integer("axis"), shape(0).rank());
      case Along::axes:
        return not_along(0, attrs_.integers("axes"));
      case Along::axis_input: {
        const auto axis = numbers(1);
        return axis && not_along(0, *axis);
      }
      case Along::axes_input: {
        const auto axes = numbers(3);
        return axes && not_along(0, *axes);
      }
      case Along::slice:
        return slice_is_apart();
      case Along::channels:
        return !attrs_.boolean("training_mode") && not_along(0, {1});
      case Along::order:
        return count_before(shape(0)) == count_before(node_.outputs.front().type.shape);
      case Along::inner:
        return !has_length(inner(0), length_) && !has_length(inner(1), length_);
      case Along::one_tensor:
        return std::count(from_tokens_.begin(), from_tokens_.end(), true) == 1;
    }
    return false;
  }

 private:
  const Shape& shape(std::size_t place) const { return graph_.type(node_.inputs[place]).shape; }
  int length_axis(std::size_t place) const { return only_length_axis(graph_.type(node_.inputs[place]), length_); }
  bool has_input(std::size_t place) const { return place < node_.inputs.size() && node_.inputs[place]; }

  // Contents of an input of integers; nothing where they are not known, or the input is absent.
  std::optional<std::vector<std::int64_t>> numbers(std::size_t place) const {
    if (!has_input(place)) return std::nullopt;
    const auto& known = graph_.info(node_.inputs[place]).known;
    if (known == nullptr) return std::nullopt;
    std::vector<std::int64_t> result;
    for (const Dim& dim : *known) {
      if (!dim.is_known()) return std::nullopt;
      result.push_back(dim.value());
    }
    return result;
  }

  bool not_along(std::size_t place, const std::vector<std::int64_t>& axes) const {
    const int rank = shape(place).rank();
    return std::none_of(axes.begin(), axes.end(),
                        [&](std::int64_t axis) { return normalize_axis(axis, rank) == length_axis(place); });
  }

  // What is joined has the length on the same axis everywhere; what is looked up may be numbers of rows only.
  bool not_along_in_any(const std::vector<std::int64_t>& axes) const {
    const std::size_t count = node_.op->name == "Gather" ? 1 : node_.inputs.size();
    for (std::size_t place = 0; place < count; ++place) {
      if (place < from_tokens_.size() && from_tokens_[place] && !not_along(place, axes)) return false;
    }
    return true;
  }

  // From the first element in steps of 1, the length can only stay what it is if all of it is taken.
  bool slice_is_apart() const {
    const auto starts = numbers(1);
    if (!starts) return false;
    std::vector<std::int64_t> axes;
    for (std::size_t k = 0; k < starts->size(); ++k) axes.push_back(static_cast<std::int64_t>(k));
    if (has_input(3)) {
      const auto given = numbers(3);
      if (!given || given->size() != starts->size()) return false;
      axes = *given;
    }
    const auto steps = numbers(4);
    if (has_input(4) && (!steps || steps->size() != starts->size())) return false;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const bool is_whole = (*starts)[k] == 0 && (!steps || (*steps)[k] == 1);
      if (!is_whole && !not_along(0, {axes[k]})) return false;
    }
    return true;
  }

  // Elements of one position, seen from the outer axes: they stay together as long as this count does.
  Dim count_before(const Shape& of) const {
    Dim count = 1;
    for (const Dim& dim : of) {
      if (has_length(dim, length_)) return count;
      count = count * dim;
    }
    return count;
  }

  // The size that is summed over, of the left matrix (0) or the right one (1).
  Dim inner(std::size_t place) const {
    const Shape& of = shape(place);
    if (of.rank() < 2) return of[0];
    const bool is_turned = node_.op->name == "Gemm" && attrs_.boolean(place == 0 ? "transA" : "transB");
    return of[of.rank() - ((place == 0) != is_turned ? 1 : 2)];
  }

  const Graph& graph_;
  const Node& node_;
  AttrReader attrs_;
  const std::vector<bool>& from_tokens_;
  const std::string& length_;
};

}  // namespace

bool has_length(const Dim& dim, const std::string& length) {
  const auto symbols = dim.symbols();
  return std::find(symbols.begin(), symbols.end(), length) != symbols.end();
}

bool has_length(const TensorType& type, const std::string& length) {
  return std::any_of(type.shape.begin(), type.shape.end(), [&](const Dim& dim) { return has_length(dim, length); });
}

int only_length_axis(const TensorType& type, const std::string& length) {
  int found = -1;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    if (!has_length(type.shape[axis], length)) continue;
    if (found >= 0 || !type.shape[axis].is_symbol()) return -1;
    found = axis;
  }
  return found;
}

bool keeps_positions_apart(const Graph& graph, const Node& node, const std::vector<bool>& from_tokens,
                           const std::string& length) {
  return ApartCheck(graph, node, from_tokens, length).holds();
}

bool takes_lengths(const Node& node, std::size_t place) {
  const std::string_view op = node.op->name;
  return place > 0 && (op == "Reshape" || op == "Expand" || op == "Tile" || op == "Slice");
}

}  // namespace asg::decode
