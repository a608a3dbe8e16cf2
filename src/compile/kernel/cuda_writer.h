#pragma once

#include <string>
#include <vector>

#include "asg/compile/kernel.h"

namespace asg::cuda {

// How the points of a kernel are shared out.
enum class Shape {
  points,   // a thread for each point
  rows,     // a block for each row
  columns,  // a thread for each place in the row, over all rows in order
  in_order  // one block, over all rows in order: rows with sums over them
};
Shape shape_of(const Kernel& kernel);

// Whether a store writes one value per row, not one per element of it.
bool stores_once(const Kernel& kernel, const KernelStore& store);

// Writes instructions as lines of CUDA C++. `row` and `element` are the names of the variables that hold the number of
// the row and the place in it; the second is "" where the first one numbers all points.
class Writer {
 public:
  Writer(const Kernel& kernel, std::string row, std::string element);

  // A line for each of the numbered values, in order.
  std::string values(const std::vector<int>& numbers, const std::string& indent) const;
  std::string value(int number, const std::string& indent) const;
  // Where an argument holds the point: "arg0[row * 8 + k]".
  std::string place(int argument) const;
  std::string store(const KernelStore& store, const std::string& value, const std::string& indent) const;

 private:
  std::string address(const std::vector<std::int64_t>& strides, std::int64_t offset) const;
  std::string load(const KernelInstruction& instruction, int number, const std::string& indent) const;

  const Kernel& kernel_;
  std::string row_;
  std::string element_;
};

// All values that the given ones depend on and themselves, of those for which `wanted` is set; in order. What a value
// that is not wanted depends on is left out.
std::vector<int> needed_for(const Kernel& kernel, const std::vector<int>& values, const std::vector<bool>& wanted);

// All values that the stores depend on, in order.
std::vector<int> needed_values(const Kernel& kernel);

}  // namespace asg::cuda
