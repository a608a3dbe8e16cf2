#include <algorithm>
#include <random>

#include "cases.h"

namespace asg::gpu_check {
namespace {

using Kind = KernelInstruction::Kind;

// Draws space, arguments, instructions and stores one after the other. Rows are long or short, dense or not, aligned or
// not; dtypes are mixed.
class Drawer {
 public:
  explicit Drawer(std::uint32_t seed) : generator_(seed) {}

  Case draw() {
    draw_space();
    const int inputs = 1 + below(3);
    for (int k = 0; k < inputs; ++k) input();
    if (below(4) == 0) gather();
    const int steps = 2 + below(7);
    for (int k = 0; k < steps; ++k) step();
    stores();
    return finished();
  }

 private:
  int below(int limit) { return static_cast<int>(generator_() % static_cast<std::uint32_t>(limit)); }
  bool one_in(int chances) { return below(chances) == 0; }
  std::size_t leading() const { return kernel_.space.size() - static_cast<std::size_t>(kernel_.row_axes); }

  void draw_space() {
    constexpr int kRows[] = {1, 2, 3, 7, 16, 33, 100};
    constexpr int kLengths[] = {1, 2, 5, 8, 12, 31, 64, 100, 257, 320, 768, 1001, 2048, 4099};
    const int rank = 1 + below(3);
    std::int64_t points = 1;
    kernel_.row_axes = below(rank + 1);
    for (int axis = 0; axis < rank; ++axis) {
      const bool last = axis + 1 == rank;
      std::int64_t size = last ? kLengths[below(14)] : kRows[below(7)];
      while (points * size > 20000) size = (size + 1) / 2;
      kernel_.space.push_back(size);
      points *= size;
    }
    if (one_in(12)) {
      // A few long rows, which are divided among blocks.
      kernel_.space = {1 + below(3), 8192 + below(3) * 4099};
      kernel_.row_axes = 1;
    }
  }

  // Dense in some order of the axes, or padded; with stride 0 along some axes where that is allowed.
  std::vector<std::int64_t> strides(bool may_repeat) {
    const std::vector<std::int64_t>& space = kernel_.space;
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < space.size(); ++axis) order.push_back(axis);
    if (one_in(6)) std::reverse(order.begin(), order.end());
    std::vector<std::int64_t> result(space.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t k = order.size(); k-- > 0;) {
      if (may_repeat && one_in(4)) continue;
      result[order[k]] = stride;
      stride *= space[order[k]];
      if (one_in(10)) stride += 8;
    }
    return result;
  }

  DType float_type() {
    constexpr DType kTypes[] = {DType::f32, DType::f32, DType::f32, DType::f16, DType::bf16, DType::bf16, DType::f64};
    return kTypes[below(7)];
  }

  int add_argument(DType dtype, bool output, std::vector<std::int64_t> moved) {
    kernel_.arguments.push_back({.dtype = dtype,
                                 .output = output,
                                 .offset = one_in(4) ? (one_in(2) ? 8 : 1 + below(7)) : 0,
                                 .strides = std::move(moved)});
    return static_cast<int>(kernel_.arguments.size()) - 1;
  }

  int add(KernelInstruction instruction) {
    kernel_.instructions.push_back(std::move(instruction));
    return static_cast<int>(kernel_.instructions.size()) - 1;
  }

  int as(int value, DType dtype) {
    if (kernel_.instructions[static_cast<std::size_t>(value)].dtype == dtype) return value;
    return add({.op = ScalarOp::cast, .dtype = dtype, .operands = {value, -1, -1}});
  }

  void input() {
    const DType dtype = float_type();
    const int argument = add_argument(dtype, false, strides(true));
    reals_.push_back(add({.kind = Kind::load, .dtype = dtype, .argument = argument}));
  }

  void gather() {
    const int indices = add_argument(DType::i64, false, strides(true));
    const int index = add({.kind = Kind::load, .dtype = DType::i64, .argument = indices});
    std::vector<std::int64_t> moved(kernel_.space.size(), 0);
    moved.back() = 1;
    const DType dtype = float_type();
    const int table = add_argument(dtype, false, moved);
    const std::int64_t stride = one_in(2) ? kernel_.space.back() : (kernel_.space.back() + 7) / 8 * 8;
    reals_.push_back(add({.kind = Kind::load,
                          .dtype = dtype,
                          .operands = {index, -1, -1},
                          .argument = table,
                          .gather_stride = stride,
                          .gather_length = 5}));
  }

  int real() { return reals_[static_cast<std::size_t>(below(static_cast<int>(reals_.size())))]; }

  void step() {
    const int choice = below(8);
    const DType dtype = one_in(3) ? float_type() : DType::f32;
    if (choice < 2 && kernel_.row_axes > 0) {
      reduce();
    } else if (choice == 2) {
      const int position = add({.kind = Kind::position, .dtype = DType::i64, .strides = strides(true)});
      const int limit = add({.kind = Kind::constant, .dtype = DType::i64, .integer = below(2000)});
      const int less = add({.op = ScalarOp::less, .dtype = DType::boolean, .operands = {position, limit, -1}});
      reals_.push_back(
          add({.op = ScalarOp::select, .dtype = dtype, .operands = {less, as(real(), dtype), as(real(), dtype)}}));
    } else if (choice == 3) {
      reals_.push_back(add({.op = ScalarOp::sigmoid, .dtype = dtype, .operands = {as(real(), dtype), -1, -1}}));
    } else {
      constexpr ScalarOp kOps[] = {ScalarOp::add, ScalarOp::mul, ScalarOp::max, ScalarOp::min};
      const int first = as(real(), dtype);
      const int second = as(real(), dtype);
      const int result = add({.op = kOps[below(4)], .dtype = dtype, .operands = {first, second, -1}});
      // What grows is made small again.
      reals_.push_back(add({.op = ScalarOp::sigmoid, .dtype = dtype, .operands = {result, -1, -1}}));
    }
  }

  void reduce() {
    const Reduction reduction = one_in(2) ? Reduction::sum : one_in(2) ? Reduction::max : Reduction::min;
    const DType dtype = one_in(4) ? DType::f64 : DType::f32;
    const int value = as(real(), dtype);
    const int reduced =
        add({.kind = Kind::reduce, .reduction = reduction, .dtype = dtype, .operands = {value, -1, -1}});
    const int scale = add({.kind = Kind::constant,
                           .dtype = dtype,
                           .number = 1.0 / static_cast<double>(std::max<std::int64_t>(1, kernel_.row_length()))});
    reals_.push_back(add({.op = ScalarOp::mul, .dtype = dtype, .operands = {reduced, scale, -1}}));
  }

  void store(int value, bool sum, bool once) {
    const DType dtype = kernel_.instructions[static_cast<std::size_t>(value)].dtype;
    std::vector<std::int64_t> moved = strides(false);
    for (std::size_t axis = 0; axis < moved.size(); ++axis) {
      if ((sum && axis < leading()) || (once && axis >= leading())) moved[axis] = 0;
    }
    const int argument = add_argument(dtype, true, std::move(moved));
    kernel_.stores.push_back({.argument = argument, .value = value, .sum_over_leading = sum});
  }

  void stores() {
    const int last = reals_.back();
    const bool per_row = values_per_row(kernel_)[static_cast<std::size_t>(last)];
    store(last, false, per_row && kernel_.row_axes > 0 && one_in(2));
    if (one_in(2)) store(as(real(), one_in(2) ? DType::f32 : DType::f64), true, false);
    if (one_in(3)) store(as(real(), float_type()), false, false);
  }

  Case finished() {
    Case made{.name = "drawn", .kernel = kernel_, .arguments = {}, .expected = {}};
    for (std::size_t k = 0; k < kernel_.arguments.size(); ++k) {
      Array array(kernel_.arguments[k].dtype, {elements_of(kernel_, k)});
      for (std::int64_t each = 0; each < array.count() && !kernel_.arguments[k].output; ++each) {
        if (is_integer(array.dtype())) {
          array.set_i64(each, below(10) - 5);
        } else {
          array.set(each, 0.25 + below(1000) / 1000.0);
        }
      }
      made.arguments.push_back(array);
      made.expected.push_back(array.copy());
    }
    run_kernel_reference(kernel_, made.expected);
    return made;
  }

  std::mt19937 generator_;
  Kernel kernel_;
  std::vector<int> reals_;  // values of floats
};

}  // namespace

Case drawn_case(std::uint32_t seed) { return Drawer(seed).draw(); }

}  // namespace asg::gpu_check
