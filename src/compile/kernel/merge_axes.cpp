#include <cstddef>

#include "asg/compile/kernel.h"

namespace asg {
namespace {

// The strides of everything that walks the space: arguments and positions.
template <class Visit>
void for_each_strides(Kernel& kernel, Visit visit) {
  for (KernelArgument& argument : kernel.arguments) visit(argument.strides);
  for (KernelInstruction& instruction : kernel.instructions) {
    if (instruction.kind == KernelInstruction::Kind::position) visit(instruction.strides);
  }
}

void drop_axis(Kernel& kernel, std::size_t axis) {
  const bool in_row = axis >= kernel.space.size() - static_cast<std::size_t>(kernel.row_axes);
  const auto at = static_cast<std::ptrdiff_t>(axis);
  kernel.space.erase(kernel.space.begin() + at);
  for_each_strides(kernel, [&](std::vector<std::int64_t>& strides) { strides.erase(strides.begin() + at); });
  if (in_row) --kernel.row_axes;
}

// Whether a step along `axis` is, for all, as many steps along the next one as that has.
bool follows(Kernel& kernel, std::size_t axis) {
  bool result = true;
  for_each_strides(kernel, [&](const std::vector<std::int64_t>& strides) {
    result = result && strides[axis] == strides[axis + 1] * kernel.space[axis + 1];
  });
  return result;
}

}  // namespace

Kernel with_merged_axes(const Kernel& kernel) {
  check_kernel(kernel);
  Kernel merged = kernel;
  for (std::size_t axis = merged.space.size(); axis-- > 0;) {
    const std::size_t leading = merged.space.size() - static_cast<std::size_t>(merged.row_axes);
    const bool last_of_row = merged.row_axes == 1 && axis == leading;
    if (merged.space[axis] == 1 && !last_of_row) {
      drop_axis(merged, axis);
      continue;
    }
    const bool has_neighbour = axis + 1 < merged.space.size() && (axis + 1 < leading || axis >= leading);
    if (!has_neighbour || !follows(merged, axis)) continue;
    // The merged axis walks by the strides of the inner one.
    merged.space[axis + 1] *= merged.space[axis];
    drop_axis(merged, axis);
  }
  return merged;
}

}  // namespace asg
