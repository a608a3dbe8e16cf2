#include "asg/compile/kernel.h"

#include <algorithm>
#include <span>

namespace asg {

std::string_view name_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return "sum";
    case Reduction::prod:
      return "prod";
    case Reduction::max:
      return "max";
    case Reduction::min:
      break;
  }
  return "min";
}

std::int64_t Kernel::rows() const {
  return element_count(std::span(space).first(space.size() - static_cast<std::size_t>(row_axes)));
}

std::int64_t Kernel::row_length() const {
  return element_count(std::span(space).last(static_cast<std::size_t>(row_axes)));
}

std::vector<bool> values_per_row(const Kernel& kernel) {
  const std::size_t leading = kernel.space.size() - static_cast<std::size_t>(kernel.row_axes);
  const auto moves = [&](const std::vector<std::int64_t>& strides) {
    for (std::size_t axis = leading; axis < kernel.space.size(); ++axis) {
      if (kernel.space[axis] != 1 && strides[axis] != 0) return true;
    }
    return false;
  };
  std::vector<bool> per_row;
  per_row.reserve(kernel.instructions.size());
  for (const KernelInstruction& instruction : kernel.instructions) {
    bool same = true;
    if (instruction.kind == KernelInstruction::Kind::load) {
      same = !moves(kernel.arguments[static_cast<std::size_t>(instruction.argument)].strides);
    }
    if (instruction.kind == KernelInstruction::Kind::position) same = !moves(instruction.strides);
    if (instruction.kind != KernelInstruction::Kind::reduce) {
      for (const int operand : instruction.operands) {
        if (operand >= 0) same = same && per_row[static_cast<std::size_t>(operand)];
      }
    }
    per_row.push_back(same);
  }
  return per_row;
}

}  // namespace asg
