#include "unit/compile/kernel_tools.h"

#include <fstream>
#include <random>
#include <sstream>

namespace asg::test {
namespace {

using Kind = KernelInstruction::Kind;

// How many elements an argument addresses, counted from the start of its array; negative strides are not drawn here.
std::int64_t reach(const Kernel& kernel, const KernelArgument& argument) {
  std::int64_t last = argument.offset;
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    last += (kernel.space[axis] - 1) * argument.strides[axis];
  }
  return last + 1;
}

class Drawer {
 public:
  explicit Drawer(std::uint32_t seed) : generator_(seed) {}

  DrawnKernel draw() {
    Kernel& kernel = drawn_.kernel;
    const int rank = below(6);
    for (int axis = 0; axis < rank; ++axis) kernel.space.push_back(1 + below(4));
    kernel.row_axes = rank == 0 ? 0 : below(rank + 1);
    const int inputs = 1 + below(3);
    for (int k = 0; k < inputs; ++k) {
      kernel.arguments.push_back({.dtype = DType::f64, .offset = below(3), .strides = strides(true)});
      load(k);
      drawn_.inputs.push_back(numbers(reach(kernel, kernel.arguments.back())));
    }
    const int steps = 2 + below(8);
    for (int k = 0; k < steps; ++k) instruction();
    store(false);
    if (below(2) == 0) store(true);
    return std::move(drawn_);
  }

 private:
  int below(int limit) { return static_cast<int>(generator_() % static_cast<std::uint32_t>(limit)); }

  Array numbers(std::int64_t count) {
    Array result(DType::f64, {count});
    for (std::int64_t k = 0; k < count; ++k) result.set(k, below(2001) / 1000.0 - 1);
    return result;
  }

  // Dense in some order of the axes; where `broadcast` allows it, some of them with stride 0.
  std::vector<std::int64_t> strides(bool broadcast) {
    const std::vector<std::int64_t>& space = drawn_.kernel.space;
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < space.size(); ++axis) order.push_back(axis);
    if (!order.empty() && below(3) == 0) std::swap(order.front(), order.back());
    std::vector<std::int64_t> result(space.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t k = order.size(); k-- > 0;) {
      if (broadcast && below(4) == 0) continue;
      result[order[k]] = stride;
      stride *= space[order[k]];
    }
    return result;
  }

  void load(int argument) {
    drawn_.kernel.instructions.push_back({.kind = Kind::load, .dtype = DType::f64, .argument = argument});
  }

  void instruction() {
    std::vector<KernelInstruction>& all = drawn_.kernel.instructions;
    const int choice = below(5);
    if (choice == 0 && drawn_.kernel.row_axes > 0) {
      const Reduction reduction = below(2) == 0 ? Reduction::sum : Reduction::max;
      all.push_back(
          {.kind = Kind::reduce, .reduction = reduction, .dtype = DType::f64, .operands = {real_value(), -1, -1}});
    } else if (choice == 1) {
      all.push_back({.kind = Kind::position, .dtype = DType::i64, .strides = strides(true)});
      const int position = static_cast<int>(all.size()) - 1;
      all.push_back({.op = ScalarOp::cast, .dtype = DType::f64, .operands = {position, -1, -1}});
    } else if (choice == 2) {
      all.push_back({.kind = Kind::constant, .dtype = DType::f64, .number = below(100) / 7.0});
    } else {
      const ScalarOp op = below(2) == 0 ? ScalarOp::add : ScalarOp::mul;
      all.push_back({.op = op, .dtype = DType::f64, .operands = {real_value(), real_value(), -1}});
    }
  }

  int real_value() {
    const std::vector<KernelInstruction>& all = drawn_.kernel.instructions;
    for (;;) {
      const int value = below(static_cast<int>(all.size()));
      if (all[static_cast<std::size_t>(value)].dtype == DType::f64) return value;
    }
  }

  void store(bool sum) {
    Kernel& kernel = drawn_.kernel;
    KernelArgument argument{.dtype = DType::f64, .output = true, .offset = below(2), .strides = strides(false)};
    const std::size_t leading = kernel.space.size() - static_cast<std::size_t>(kernel.row_axes);
    for (std::size_t axis = 0; axis < leading && sum; ++axis) argument.strides[axis] = 0;
    kernel.arguments.push_back(argument);
    const int value = sum ? real_value() : static_cast<int>(kernel.instructions.size()) - 1;
    kernel.stores.push_back(
        {.argument = static_cast<int>(kernel.arguments.size()) - 1, .value = value, .sum_over_leading = sum});
  }

  std::mt19937 generator_;
  DrawnKernel drawn_;
};

}  // namespace

std::vector<Array> run_reference(const Kernel& kernel, const std::vector<Array>& inputs) {
  std::vector<Array> arrays;
  std::size_t next = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    const bool empty = element_count(kernel.space) == 0;
    arrays.push_back(argument.output ? Array(argument.dtype, {empty ? 0 : reach(kernel, argument)})
                                     : inputs.at(next++));
  }
  run_kernel_reference(kernel, arrays);
  return arrays;
}

Array run_text(std::string_view text, const std::vector<Array>& inputs) {
  return run_reference(kernel_from_text(text), inputs).back();
}

Array run_op(ScalarOp op, DType dtype, const std::vector<Array>& operands) {
  Kernel kernel;
  kernel.space = {operands.front().count()};
  KernelInstruction compute{.op = op, .dtype = dtype};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const int number = static_cast<int>(k);
    kernel.arguments.push_back({.dtype = operands[k].dtype(), .strides = {1}});
    kernel.instructions.push_back({.kind = Kind::load, .dtype = operands[k].dtype(), .argument = number});
    compute.operands[k] = number;
  }
  kernel.arguments.push_back({.dtype = dtype, .output = true, .strides = {1}});
  kernel.instructions.push_back(compute);
  const int count = static_cast<int>(operands.size());
  kernel.stores = {{.argument = count, .value = count}};
  return run_reference(kernel, operands).back();
}

DrawnKernel draw_kernel(std::uint32_t seed) { return Drawer(seed).draw(); }

std::string proof_text(const std::string& name) {
  std::ifstream file(std::string(ASG_SOURCE_DIR) + "/tools/gpu_check/kernels/" + name + ".kernel");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace asg::test
