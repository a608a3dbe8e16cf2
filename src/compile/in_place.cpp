#include "compile/in_place.h"

#include <algorithm>

namespace asg {
namespace {

bool is_operand_of_call(const Step& step, int buffer) {
  if (step.kind != Step::Kind::call) return false;
  const auto operands = step.inputs.begin() + static_cast<std::ptrdiff_t>(step.node->inputs.size());
  return std::any_of(step.inputs.begin(), operands, [&](const View& view) { return view.buffer == buffer; });
}

}  // namespace

bool may_write_over(const Step& step, int input, int output) {
  // Other parts of the call still need its operands.
  if (step.kernel == nullptr || is_operand_of_call(step, input)) return false;
  const Kernel& kernel = *step.kernel;
  const auto is_looked_up = [&](std::size_t argument) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const KernelInstruction& each) {
      return each.gather_length != 0 && each.argument == static_cast<int>(argument);
    });
  };
  const KernelArgument* written = nullptr;
  for (const KernelStore& store : kernel.stores) {
    if (step.arguments[static_cast<std::size_t>(store.argument)] != output) continue;
    if (store.sum_over_leading) return false;  // written when all rows have been read
    written = &kernel.arguments[static_cast<std::size_t>(store.argument)];
  }
  if (written == nullptr) return false;
  for (std::size_t k = 0; k < step.arguments.size(); ++k) {
    if (step.arguments[k] != input) continue;
    const KernelArgument& read = kernel.arguments[k];
    if (read.output || read.offset != written->offset || read.strides != written->strides) return false;
    if (bytes_of(read.dtype) != bytes_of(written->dtype) || is_looked_up(k)) return false;
  }
  return true;
}

}  // namespace asg
