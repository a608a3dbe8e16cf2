#include "compile/passes/value_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "compile/passes/rewriter.h"

namespace asg::passes {
namespace {

constexpr int kFarthest = 8;  // nodes to look back

bool only_moves(const OpCard& op) {
  static constexpr std::string_view kNames[] = {"Reshape",   "Flatten", "Squeeze", "Unsqueeze",
                                                "Transpose", "Expand",  "Identity"};
  return std::find(std::begin(kNames), std::end(kNames), op.name) != std::end(kNames);
}

std::optional<Array> same_everywhere(const Array& array) {
  if (array.count() == 0) return std::nullopt;
  const Array dense = array.dense();
  const auto width = static_cast<std::size_t>(bytes_of(dense.dtype()));
  const std::byte* bytes = dense.raw();
  // Every element is equal to the one before it.
  const std::size_t rest = static_cast<std::size_t>(dense.bytes()) - width;
  if (std::memcmp(bytes, bytes + width, rest) != 0) return std::nullopt;
  return dense.reshaped({dense.count()}).sliced(0, 0, 1, 1).copy().reshaped({});
}

// How an op keeps its results from being negative.
enum class Sign : std::uint8_t {
  any,
  never_negative,  // whatever its inputs are
  as_first_input,  // if its first input is not
  as_all_inputs,   // if none of its inputs are
  as_product,      // if none of its inputs are, or both are one value
};

Sign sign_of(const OpCard& op) {
  static const std::unordered_map<std::string_view, Sign> kSigns = {
      {"Abs", Sign::never_negative},
      {"Exp", Sign::never_negative},
      {"Sigmoid", Sign::never_negative},
      {"Softmax", Sign::never_negative},
      {"ReduceL1", Sign::never_negative},
      {"ReduceL2", Sign::never_negative},
      {"ReduceSumSquare", Sign::never_negative},
      {"Sqrt", Sign::as_first_input},
      {"ReduceSum", Sign::as_first_input},
      {"ReduceMean", Sign::as_first_input},
      {"ReduceMin", Sign::as_first_input},
      {"Reshape", Sign::as_first_input},
      {"Flatten", Sign::as_first_input},
      {"Squeeze", Sign::as_first_input},
      {"Unsqueeze", Sign::as_first_input},
      {"Transpose", Sign::as_first_input},
      {"Expand", Sign::as_first_input},
      {"Slice", Sign::as_first_input},
      {"Identity", Sign::as_first_input},
      {"Cast", Sign::as_first_input},
      {"Add", Sign::as_all_inputs},
      {"Div", Sign::as_all_inputs},
      {"Max", Sign::as_all_inputs},
      {"Min", Sign::as_all_inputs},
      {"Sum", Sign::as_all_inputs},
      {"Mul", Sign::as_product},
  };
  const auto entry = kSigns.find(op.name);
  return entry != kSigns.end() ? entry->second : Sign::any;
}

bool has_negative(const Array& array) {
  constexpr std::int64_t kMostElements = 64;
  if (array.count() > kMostElements) return true;
  for (std::int64_t position = 0; position < array.count(); ++position) {
    const double number = array.get(position);
    if (!std::isnan(number) && std::signbit(number)) return true;
  }
  return false;
}

}  // namespace

std::optional<Array> ValueFacts::uniform_constant(const Graph& graph, Value value) {
  const auto [entry, is_new] = constants_.try_emplace(value.node);
  if (is_new) entry->second = same_everywhere(*constant_of(graph, value));
  return entry->second;
}

std::optional<Array> ValueFacts::uniform(const Graph& graph, Value value) {
  if (graph.type(value).shape.element_count() == Dim(0)) return std::nullopt;
  for (int step = 0; step < kFarthest; ++step) {
    const Node& node = graph.node(value.node);
    if (is_constant(node)) return uniform_constant(graph, value);
    if (node.op->name == "ConstantOfShape") {
      return AttrReader(*node.op, node.attrs).attr("value").as_tensor().dense().reshaped({});
    }
    if (!only_moves(*node.op)) return std::nullopt;
    value = node.inputs.front();
  }
  return std::nullopt;
}

bool ValueFacts::is_number(const Graph& graph, Value value, double number) {
  const auto scalar = uniform(graph, value);
  if (!scalar) return false;
  if (!is_float(scalar->dtype())) return scalar->get(0) == number;
  return scalar->get(0) == number && std::signbit(scalar->get(0)) == std::signbit(number);
}

bool ValueFacts::is_at_least_zero(const Graph& graph, Value value) { return is_at_least_zero(graph, value, kFarthest); }

bool ValueFacts::is_at_least_zero(const Graph& graph, Value value, int depth) {
  const DType dtype = graph.type(value).dtype;
  if (dtype == DType::boolean || is_unsigned_int(dtype)) return true;
  if (const Array* constant = constant_of(graph, value)) return !has_negative(*constant);
  // Signed integers may wrap around.
  if (!is_float(dtype) || depth == 0 || value.port != 0) return false;
  const Node& node = graph.node(value.node);
  // Several inputs are looked at less deeply, or there would be very many to look at.
  const auto all_hold = [&] {
    return node.inputs.size() <= 2 && std::all_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
             return is_at_least_zero(graph, input, depth / 2);
           });
  };
  switch (sign_of(*node.op)) {
    case Sign::never_negative:
      return true;
    case Sign::as_first_input:
      return is_at_least_zero(graph, node.inputs.front(), depth - 1);
    case Sign::as_all_inputs:
      return all_hold();
    case Sign::as_product:
      return node.inputs[0] == node.inputs[1] || all_hold();
    case Sign::any:
      break;
  }
  return false;
}

}  // namespace asg::passes
