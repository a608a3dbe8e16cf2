#include "compile/in_place.h"

#include <algorithm>

namespace asg {

bool may_write_over(const Step& step, int input, int output) {
  if (step.kind != Step::Kind::fused) return false;
  const Kernel& kernel = *step.kernel;
  // A row is read again after its reductions; a sum over rows is written when all of them have been read.
  const bool rereads = std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [](const auto& each) {
    return each.kind == KernelInstruction::Kind::reduce || each.gather_length != 0;
  });
  const bool sums = std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                [](const KernelStore& store) { return store.sum_over_leading; });
  if (rereads || sums) return false;
  const KernelArgument* written = nullptr;
  for (std::size_t k = 0; k < step.arguments.size(); ++k) {
    if (step.arguments[k] == output && kernel.arguments[k].output) written = &kernel.arguments[k];
  }
  if (written == nullptr) return false;
  for (std::size_t k = 0; k < step.arguments.size(); ++k) {
    if (step.arguments[k] != input) continue;
    const KernelArgument& read = kernel.arguments[k];
    if (read.output || read.offset != written->offset || read.strides != written->strides) return false;
    if (bytes_of(read.dtype) != bytes_of(written->dtype)) return false;
  }
  return true;
}

}  // namespace asg
