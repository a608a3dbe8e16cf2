#include "train/value_check.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "asg/compile/reference.h"
#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "asg/graph/expand.h"
#include "asg/graph/walk.h"

namespace asg::train {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 16;  // of a value that is computed here

bool is_index_type(DType dtype) { return is_integer(dtype) || dtype == DType::boolean; }

std::string place_text(std::int64_t flat, const Sizes& sizes) {
  std::string text;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    const std::string number = std::to_string(flat % sizes[axis]);
    text.insert(0, text.empty() ? number : number + ", ");
    flat /= sizes[axis];
  }
  return "[" + text + "]";
}

// Where the elements of the result stand where they stood in the input.
bool keeps_places(const OpCard& op) {
  constexpr std::string_view kViews[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"};
  return op.scalar != ScalarOp::none || std::find(std::begin(kViews), std::end(kViews), op.name) != std::end(kViews);
}

// A value that is known, and the one input of the graph that it follows, if any.
struct KnownValue {
  Array array;
  NodeId input = {};
  bool by_element = false;  // element n follows from element n of the input
};

class ValueChecker {
 public:
  ValueChecker(const Graph& graph, const NamedArrays& inputs, bool is_batch)
      : graph_(graph), inputs_(inputs), is_batch_(is_batch) {}

  void run() {
    for (const NodeId id : topological_order(graph_)) {
      const Node& node = graph_.node(id);
      try {
        visit(node);
      } catch (const UserError& error) {
        throw error.with_node(node.path());
      }
    }
  }

 private:
  const KnownValue* find(Value value) const {
    const auto found = known_.find(value);
    return found == known_.end() ? nullptr : &found->second;
  }

  void visit(const Node& node) {
    if (node.op->name == "Input") {
      const auto given = inputs_.find(node.path());
      if (given != inputs_.end() && is_index_type(given->second.dtype())) {
        known_[{node.id, 0}] = {given->second, node.id, true};
      }
      return;
    }
    if (node.op->name == "Constant") {
      known_[{node.id, 0}] = {AttrReader(*node.op, node.attrs).attr("value").as_tensor()};
      return;
    }
    if (node.op->traits.leaf) return;
    check_indices(node);
    check_divisor(node);
    if (!take_contents(node)) compute(node);
  }

  // ---- What is known

  // Contents that inference followed: lengths of shapes above all.
  bool take_contents(const Node& node) {
    const OutputInfo& info = node.outputs.front();
    if (node.outputs.size() != 1 || info.known == nullptr || !info.type.shape.is_known()) return false;
    Array array(info.type.dtype, info.type.shape.sizes());
    for (std::size_t k = 0; k < info.known->size(); ++k) {
      if (!(*info.known)[k].is_known()) return false;
      array.set_i64(static_cast<std::int64_t>(k), (*info.known)[k].value());
    }
    known_[{node.id, 0}] = {std::move(array)};
    return true;
  }

  static bool can_compute(const Node& node) {
    if (!node.op->kernel || node.op->needs_stream() || carries_stream(*node.op)) return false;
    return std::all_of(node.outputs.begin(), node.outputs.end(), [](const OutputInfo& output) {
      const auto count = output.type.shape.element_count().known();
      return is_index_type(output.type.dtype) && count && *count <= kMostElements;
    });
  }

  void compute(const Node& node) {
    if (!can_compute(node)) return;
    std::vector<const Array*> arrays;
    KnownValue made;
    bool is_first = true;
    for (const Value input : node.inputs) {
      const KnownValue* value = input ? find(input) : nullptr;
      if (input && value == nullptr) return;
      if (value != nullptr && value->array.count() > kMostElements) return;
      arrays.push_back(value != nullptr ? &value->array : nullptr);
      if (value == nullptr || !value->input) continue;
      made.by_element = value->by_element && (is_first || (made.by_element && made.input == value->input));
      made.input = is_first || made.input == value->input ? value->input : NodeId{};
      is_first = false;
    }
    std::vector<Array> results = run_reference(*node.op, node.attrs, node.stream, arrays);
    for (std::uint32_t port = 0; port < results.size(); ++port) {
      KnownValue value{std::move(results[port]), made.input, made.by_element && keeps_places(*node.op)};
      if (value.input && value.array.count() != given_for(value.input).count()) value.by_element = false;
      known_[{node.id, port}] = std::move(value);
    }
  }

  const Array& given_for(NodeId input) const { return inputs_.find(graph_.node(input).path())->second; }

  // ---- What is asked of it

  void check_indices(const Node& node) const {
    const std::string& name = node.op->name;
    const bool by_axis = name == "Gather" || name == "GatherElements" || name == "ScatterElements";
    const bool by_tuple = name == "GatherND" || name == "ScatterND";
    if (!by_axis && !by_tuple) return;
    const KnownValue* indices = find(node.inputs[1]);
    if (indices == nullptr) return;
    const Shape& shape = graph_.type(node.inputs[0]).shape;
    const AttrReader attrs(*node.op, node.attrs);
    if (by_axis) {
      const Dim& length = shape[normalize_axis(attrs.integer("axis"), shape.rank())];
      for (std::int64_t k = 0; k < indices->array.count(); ++k) check_index(node, *indices, k, length);
      return;
    }
    const std::int64_t first = name == "GatherND" ? attrs.integer("batch_dims") : 0;
    const std::int64_t width = indices->array.sizes().back();
    for (std::int64_t k = 0; k < indices->array.count(); ++k) {
      check_index(node, *indices, k, shape[static_cast<int>(first + k % width)]);
    }
  }

  void check_index(const Node& node, const KnownValue& indices, std::int64_t at, const Dim& length) const {
    if (!length.is_known()) return;
    const std::int64_t index = indices.array.get_i64(at);
    const std::int64_t end = length.value();
    if (index >= -end && index < end) return;
    fail(ErrorCode::computation_error, "index " + std::to_string(index) + " in " + node.op->name + origin(indices, at),
         end == 0 ? "no index at all: the axis has no elements"
                  : "an index from " + std::to_string(-end) + " to " + std::to_string(end - 1) +
                        ", because the axis has " + std::to_string(end) + " elements",
         "check the indices, or the size of what they point into");
  }

  void check_divisor(const Node& node) const {
    const bool divides = node.op->name == "Div" || node.op->name == "Mod";
    if (!divides || !is_integer(node.outputs.front().type.dtype)) return;
    const KnownValue* divisor = find(node.inputs[1]);
    if (divisor == nullptr) return;
    for (std::int64_t k = 0; k < divisor->array.count(); ++k) {
      if (divisor->array.get_i64(k) != 0) continue;
      fail(ErrorCode::computation_error, "an integer divided by 0" + origin(*divisor, k), "a divisor that is not 0",
           "cast to a float dtype first, where x / 0 is infinite, or use another divisor");
    }
  }

  // ", from the number 12 at [3] of the input 'labels'"
  std::string origin(const KnownValue& value, std::int64_t at) const {
    if (!value.input) return "";
    const std::string input = "the input '" + graph_.node(value.input).path() + "'";
    if (!value.by_element) return ", computed from " + input;
    if (!is_batch_) return ", the greatest class that the data have for " + input;
    const Array& given = given_for(value.input);
    return ", from the number " + std::to_string(given.get_i64(at)) + " at " + place_text(at, given.sizes()) + " of " +
           input;
  }

  const Graph& graph_;
  const NamedArrays& inputs_;
  bool is_batch_;
  std::unordered_map<Value, KnownValue> known_;
};

}  // namespace

void check_values(const Graph& graph, const NamedArrays& inputs, bool is_batch) {
  ValueChecker(graph, inputs, is_batch).run();
}

}  // namespace asg::train
