#include "compile/gpu/row_facts.h"

#include "compile/gpu/passes.h"

namespace asg::gpu {
namespace {

using Kind = KernelInstruction::Kind;

bool is_short_or_f32(DType dtype) { return is_float(dtype) && dtype != DType::f64; }

bool is_difference_from_maximum(const Kernel& kernel, int number) {
  const KernelInstruction& difference = kernel.instructions[place(number)];
  if (difference.kind != Kind::compute || difference.op != ScalarOp::sub) return false;
  const KernelInstruction& maximum = kernel.instructions[place(difference.operands[1])];
  return maximum.kind == Kind::reduce && maximum.reduction == Reduction::max &&
         maximum.operands[0] == difference.operands[0];
}

}  // namespace

bool is_falling_exponential(const Kernel& kernel, int number) {
  const KernelInstruction& each = kernel.instructions[place(number)];
  return each.kind == Kind::compute && each.op == ScalarOp::exp && is_short_or_f32(each.dtype) &&
         is_difference_from_maximum(kernel, each.operands[0]);
}

bool is_sum_of_falling_exponentials(const Kernel& kernel, int number) {
  const KernelInstruction& each = kernel.instructions[place(number)];
  return each.kind == Kind::reduce && each.reduction == Reduction::sum && is_short_or_f32(each.dtype) &&
         is_falling_exponential(kernel, each.operands[0]);
}

}  // namespace asg::gpu
