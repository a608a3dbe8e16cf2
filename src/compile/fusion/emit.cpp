#include "compile/fusion/emit.h"

#include <algorithm>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "compile/fusion/fusible.h"

namespace asg::fusion {
namespace {

class Emitter {
 public:
  Emitter(const Graph& graph, const Layouts& layouts, const Units& units, int unit, const ValueSet& recomputed)
      : graph_(graph),
        layouts_(layouts),
        units_(units),
        unit_(units.all()[static_cast<std::size_t>(unit)]),
        number_(unit),
        recomputed_(recomputed) {
    place_axes();
  }

  Emitted emit(const ValueSet& stored) {
    for (const NodeId id : unit_.nodes) compute(graph_.node(id));
    for (const auto& [value, number] : values_) {
      if (stored.contains(value)) store(value, number);
    }
    return std::move(result_);
  }

 private:
  Kernel& kernel() { return result_.kernel; }

  // Leading axes come first, then those of the row, each in the order of the space.
  void place_axes() {
    const Space& space = unit_.space;
    places_.resize(space.factors.size());
    for (const bool row : {false, true}) {
      for (std::size_t k = 0; k < space.factors.size(); ++k) {
        if ((space.is_divided() && space.row[k]) != row) continue;
        places_[k] = kernel().space.size();
        kernel().space.push_back(space.factors[k]);
        kernel().row_axes += row ? 1 : 0;
      }
    }
  }

  // The factors that values of a level walk.
  std::vector<std::size_t> factors_at(Level level) const {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const bool row = unit_.space.is_divided() && unit_.space.row[k];
      if (level == Level::element || row == (level == Level::column)) result.push_back(k);
    }
    return result;
  }

  // Strides by the axes of the kernel, of a tensor with strides by its own axes that stands in the space at a level.
  Sizes kernel_strides(const Sizes& sizes, const Sizes& strides, Level level) const {
    const std::vector<std::size_t> numbers = factors_at(level);
    Sizes factors;
    for (const std::size_t k : numbers) factors.push_back(unit_.space.factors[k]);
    const auto extents = extents_of(sizes, factors);
    internal_check(extents.has_value(), "a value outside the space of its kernel");
    Sizes result(places_.size(), 0);
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      std::int64_t stride = strides[axis];
      for (std::size_t k = (*extents)[axis].last; k-- > (*extents)[axis].first;) {
        result[places_[numbers[k]]] = stride;
        stride *= factors[k];
      }
    }
    return result;
  }

  int argument(Value root, KernelArgument wanted) {
    for (std::size_t k = 0; k < result_.arguments.size(); ++k) {
      if (result_.arguments[k] == root && kernel().arguments[k] == wanted) return static_cast<int>(k);
    }
    result_.arguments.push_back(root);
    kernel().arguments.push_back(std::move(wanted));
    return static_cast<int>(result_.arguments.size()) - 1;
  }

  // The number of an instruction, of one that is there already where it is the same.
  int add(KernelInstruction instruction) {
    auto& all = kernel().instructions;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k] == instruction) return static_cast<int>(k);
    }
    all.push_back(std::move(instruction));
    return static_cast<int>(all.size()) - 1;
  }

  int constant(DType dtype, double number) {
    return add({.kind = KernelInstruction::Kind::constant, .dtype = dtype, .number = number});
  }

  int constant(const Array& value) {
    if (is_float(value.dtype())) return constant(value.dtype(), value.get(0));
    const DType dtype = value.dtype() == DType::u64 ? DType::i64 : value.dtype();  // see seen_as
    return add({.kind = KernelInstruction::Kind::constant, .dtype = dtype, .integer = value.get_i64(0)});
  }

  int apply(ScalarOp op, DType dtype, int a, int b = -1, int c = -1) {
    return add({.kind = KernelInstruction::Kind::compute, .op = op, .dtype = dtype, .operands = {a, b, c}});
  }

  // ---- Values

  // What a node reads at an input, at the points of `sizes`.
  int operand(const Node& node, std::size_t input, const Sizes& sizes, Level level) {
    const Layout& layout = layouts_.input_of(node, input);
    if (units_.unit_of(layout.root.node) == number_) return *number_of(layout.root);
    if (recomputed_.contains(layout.root)) return computed_again(layout.root);
    const Node& root = graph_.node(layout.root.node);
    if (root.op->traits.leaf && root.op->name == "Constant" && layouts_.count_of(layout.root) == 1) {
      return constant(AttrReader(*root.op, root.attrs).attr("value").as_tensor());
    }
    Sizes strides(sizes.size(), 0);
    const std::size_t lead = sizes.size() - layout.sizes.size();
    for (std::size_t k = 0; k < layout.sizes.size(); ++k) {
      if (layout.sizes[k] == sizes[lead + k]) strides[lead + k] = layout.strides[k];
    }
    return load(layout, strides, sizes, level);
  }

  int computed_again(Value value) {
    if (const int* found = number_of(value)) return *found;
    const int number = value_of(graph_.node(value.node));
    set_number(value, number);
    return number;
  }

  // The instruction that computes a value; null: none does yet.
  const int* number_of(Value value) const {
    const auto found = std::lower_bound(values_.begin(), values_.end(), std::pair(value, -1));
    return found != values_.end() && found->first == value ? &found->second : nullptr;
  }

  void set_number(Value value, int number) {
    values_.insert(std::lower_bound(values_.begin(), values_.end(), std::pair(value, -1)), {value, number});
  }

  // The type in which a kernel sees a tensor. Seeds and counters are unsigned; only their bits matter.
  DType seen_as(Value root) const {
    const DType dtype = graph_.type(root).dtype;
    return dtype == DType::u64 ? DType::i64 : dtype;
  }

  int read(const Layout& layout, const Sizes& strides, const Sizes& sizes, Level level) {
    return argument(layout.root, {.dtype = seen_as(layout.root),
                                  .output = false,
                                  .offset = layout.offset,
                                  .strides = kernel_strides(sizes, strides, level)});
  }

  int load(const Layout& layout, const Sizes& strides, const Sizes& sizes, Level level) {
    const int from = read(layout, strides, sizes, level);
    return add({.kind = KernelInstruction::Kind::load, .dtype = seen_as(layout.root), .argument = from});
  }

  void compute(const Node& node) {
    if (is_dropout(node)) return drop(node);
    set_number({node.id, 0}, value_of(node));
  }

  int value_of(const Node& node) {
    const Level level = units_.level_of(node.id);
    const TensorType& type = node.outputs.front().type;
    if (const auto reduced = reduced_by(graph_, node)) return reduce(node, *reduced, level);
    const Sizes sizes = type.shape.sizes();
    if (layouts_.copied_by(node.id) != nullptr) return operand(node, 0, sizes, level);
    if (is_gather(node)) return gather(node, sizes, level);
    std::vector<int> operands;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) operands.push_back(operand(node, k, sizes, level));
    const ScalarOp op = node.op->scalar;
    // An exponent may be of another type than its base.
    if (op == ScalarOp::pow && graph_.type(node.inputs[1]).dtype != type.dtype) {
      operands[1] = apply(ScalarOp::cast, type.dtype, operands[1]);
    }
    if (op == ScalarOp::min || op == ScalarOp::max) {
      int value = operands.front();
      for (std::size_t k = 1; k < operands.size(); ++k) value = apply(op, type.dtype, value, operands[k]);
      return value;
    }
    operands.resize(3, -1);
    return apply(op, seen_as({node.id, 0}), operands[0], operands[1], operands[2]);
  }

  int reduce(const Node& node, const Reduced& reduced, Level level) {
    const TensorType& from = graph_.type(node.inputs[0]);
    const Sizes sizes = from.shape.sizes();
    const int value = operand(node, 0, sizes, Level::element);
    std::int64_t count = 1;
    for (const int axis : reduced.axes) count *= sizes[static_cast<std::size_t>(axis)];
    const auto scaled = [&](int what) {
      if (!reduced.mean) return what;
      return apply(ScalarOp::mul, from.dtype, what, constant(from.dtype, 1 / static_cast<double>(count)));
    };
    // Axes of length 1 only: there is nothing to reduce.
    if (level == Level::column || kernel().row_axes == 0) return scaled(value);
    return scaled(add({.kind = KernelInstruction::Kind::reduce,
                       .reduction = reduced.reduction,
                       .dtype = from.dtype,
                       .operands = {value, -1, -1}}));
  }

  // Elements of the first input at the places that the second names along one axis.
  int gather(const Node& node, const Sizes& sizes, Level level) {
    const Layout& from = layouts_.of(node.inputs[0]);
    const Layout& places = layouts_.of(node.inputs[1]);
    const auto axis = static_cast<std::size_t>(
        normalize_axis(AttrReader(*node.op, node.attrs).integer("axis"), static_cast<int>(from.sizes.size())));
    Sizes strides(sizes.size(), 0);
    Sizes place_strides(sizes.size(), 0);
    if (node.op->name == "GatherElements") {
      // A place for each element, which stands where its element does on all other axes.
      strides = from.strides;
      strides[axis] = 0;
      place_strides = places.strides;
    } else {
      for (std::size_t k = 0; k < places.sizes.size(); ++k) place_strides[axis + k] = places.strides[k];
      for (std::size_t k = 0; k < axis; ++k) strides[k] = from.strides[k];
      for (std::size_t k = axis + 1; k < from.sizes.size(); ++k) {
        strides[k + places.sizes.size() - 1] = from.strides[k];
      }
    }
    int place = load(places, place_strides, sizes, level);
    if (graph_.type(places.root).dtype != DType::i64) place = apply(ScalarOp::cast, DType::i64, place);
    return add({.kind = KernelInstruction::Kind::load,
                .dtype = graph_.type(from.root).dtype,
                .operands = {place, -1, -1},
                .argument = read(from, strides, sizes, level),
                .gather_stride = from.strides[axis],
                .gather_length = from.sizes[axis]});
  }

  // What is kept grows, the rest becomes 0. The number that decides depends on seed, step and position only.
  void drop(const Node& node) {
    const Level level = units_.level_of(node.id);
    const TensorType& type = node.outputs.front().type;
    const Sizes sizes = type.shape.sizes();
    const double ratio = AttrReader(*node.op, node.attrs).real("ratio");
    const int seed = operand(node, 1, sizes, level);
    const int step = operand(node, 2, sizes, level);
    const int position = add({.kind = KernelInstruction::Kind::position,
                              .dtype = DType::i64,
                              .strides = kernel_strides(sizes, dense_strides(sizes), level)});
    const int drawn = add({.kind = KernelInstruction::Kind::uniform,
                           .dtype = DType::f64,
                           .operands = {seed, step, position},
                           .stream = node.stream});
    const int kept = apply(ScalarOp::greater_or_equal, DType::boolean, drawn, constant(DType::f64, ratio));
    const double scale = ratio < 1 ? 1 / (1 - ratio) : 0;
    const int x = operand(node, 0, sizes, level);
    const int scaled = apply(ScalarOp::mul, type.dtype, x, constant(type.dtype, scale));
    set_number({node.id, 0}, apply(ScalarOp::select, type.dtype, kept, scaled, constant(type.dtype, 0)));
    set_number({node.id, 1}, kept);
  }

  void store(Value value, int number) {
    const Level level = units_.level_of(value.node);
    const Sizes sizes = graph_.type(value).shape.sizes();
    const int to = argument(value, {.dtype = seen_as(value),
                                    .output = true,
                                    .offset = 0,
                                    .strides = kernel_strides(sizes, dense_strides(sizes), level)});
    kernel().stores.push_back({.argument = to, .value = number, .sum_over_leading = level == Level::column});
  }

  const Graph& graph_;
  const Layouts& layouts_;
  const Units& units_;
  const Unit& unit_;
  int number_;
  const ValueSet& recomputed_;
  std::vector<std::size_t> places_;            // by factor of the space: the axis of the kernel
  std::vector<std::pair<Value, int>> values_;  // and their instructions, by value
  Emitted result_;
};

}  // namespace

Emitted emit_kernel(const Graph& graph, const Layouts& layouts, const Units& units, int unit, const ValueSet& stored,
                    const ValueSet& recomputed) {
  return Emitter(graph, layouts, units, unit, recomputed).emit(stored);
}

}  // namespace asg::fusion
