#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "asg/compile/kernel.h"

namespace asg::tests {

// Puts kernels together; every function returns the number of the value that it adds.
struct KernelMaker {
  Kernel kernel;

  KernelMaker(std::vector<std::int64_t> space, int row_axes) {
    kernel.space = std::move(space);
    kernel.row_axes = row_axes;
  }

  std::vector<std::int64_t> dense() const { return dense_strides(kernel.space); }

  int argument(DType dtype, bool output, std::vector<std::int64_t> strides, std::int64_t offset = 0);
  int load(DType dtype, std::vector<std::int64_t> strides, std::int64_t offset = 0);
  int load(DType dtype) { return load(dtype, dense()); }
  int gather(DType dtype, std::vector<std::int64_t> strides, int index, std::int64_t stride, std::int64_t length);
  int constant(DType dtype, double number);
  int position(std::vector<std::int64_t> strides);
  int random(bool normal, DType dtype, int seed, int step, int position);
  int compute(ScalarOp op, DType dtype, std::initializer_list<int> operands);
  int reduce(Reduction reduction, int operand);
  void store(int value, std::vector<std::int64_t> strides, std::int64_t offset = 0);
  void store(int value) { store(value, dense()); }
  void sum(int value);  // over the leading axes, dense along the row

  DType dtype_of(int value) const { return kernel.instructions[static_cast<std::size_t>(value)].dtype; }

 private:
  int add(KernelInstruction instruction);
};

// The arguments of a kernel: inputs with random elements, outputs filled with 0. Floats have special values among
// them where asked for.
std::vector<Array> make_arguments(const Kernel& kernel, std::uint64_t seed, bool special_values);
std::vector<Array> copies_of(const std::vector<Array>& arguments);

// Runs it by tiles.
void run_tiles(const Kernel& kernel, const std::vector<Array>& arguments, int threads = 1);

// Expects every output to differ from the reference's by at most `tolerance` relative to the largest number of
// that output, or exactly where it is 0.
void expect_like_reference(const Kernel& kernel, const std::vector<Array>& arguments, double tolerance);
// The same with random arguments, and 1e-6 or, of f64 alone, 1e-13.
void expect_like_reference(const Kernel& kernel, std::uint64_t seed = 1);

}  // namespace asg::tests
