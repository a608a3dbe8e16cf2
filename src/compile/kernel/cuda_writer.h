#pragma once

#include <string>
#include <vector>

#include "asg/compile/gpu_plan.h"

namespace asg::cuda {

// The type of indices: "int", or "long long" where that does not count everything.
std::string index_type(const GpuPlan& plan);

std::string value_name(int number);  // "v3"

// Writes instructions as lines of CUDA C++. `row` and `element` are the names of the variables that hold the number of
// the row and the place in it; the first is "" where the second one numbers all points.
class Writer {
 public:
  Writer(const GpuPlan& plan, std::string row, std::string element);

  // "const float v3 = …;". Reductions have no line of their own. A quotient by a value of the row needs its divisor.
  std::string value(int number, const std::string& indent) const;
  // Index of the element of an argument that belongs to the point: "row * 8 + k".
  std::string address(int argument) const;
  std::string store(const KernelStore& store, const std::string& value, const std::string& indent) const;
  // Index of the first element of a vector that a load with a uniform index reads; declares the index before.
  std::string gathered_address(const KernelInstruction& instruction, int number) const;

  // The line that prepares divisions by a value of the row, or "" where nothing of elements is divided by it.
  std::string divisor(int number, const std::string& indent) const;
  // The line that makes a value of the row one of 32 bits, for comparisons with positions, or "".
  std::string row_place(int number, const std::string& indent) const;

 private:
  bool divides_by_row(int number) const;
  bool has_inverse(int number) const;
  bool is_narrow_position(int number) const;
  bool compares_position(int number) const;
  std::string compared_place(int number) const;
  std::string index_of(const std::vector<std::int64_t>& strides, std::int64_t offset) const;
  std::string load(const KernelInstruction& instruction, int number, const std::string& indent) const;

  const GpuPlan& plan_;
  const Kernel& kernel_;
  std::string row_;
  std::string element_;
  std::vector<bool> per_row_;
};

}  // namespace asg::cuda
