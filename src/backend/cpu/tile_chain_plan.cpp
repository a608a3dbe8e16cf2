#include "backend/cpu/tile_chain_plan.h"

#include <cmath>
#include <string>

#include "asg/core/error.h"

namespace asg::cpu {

using InstructionKind = KernelInstruction::Kind;

bool is_number(int operand, const Kernel& kernel) {
  const KernelInstruction& from = kernel.instructions[static_cast<std::size_t>(operand)];
  return from.kind == InstructionKind::constant && is_float(from.dtype) && !std::isnan(from.number);
}

bool is_square(const KernelInstruction& instruction, const Kernel& kernel) {
  if (instruction.kind != InstructionKind::compute || instruction.op != ScalarOp::pow || !is_float(instruction.dtype)) {
    return false;
  }
  const int exponent = instruction.operands[1];
  return is_number(exponent, kernel) && kernel.instructions[static_cast<std::size_t>(exponent)].number == 2;
}

bool is_chainable(const KernelInstruction& instruction, const Kernel& kernel) {
  if (instruction.kind != InstructionKind::compute || !is_float(instruction.dtype)) return false;
  switch (instruction.op) {
    case ScalarOp::neg:
    case ScalarOp::abs:
    case ScalarOp::sign:
    case ScalarOp::sqrt:
    case ScalarOp::floor:
    case ScalarOp::ceil:
    case ScalarOp::round:
    case ScalarOp::add:
    case ScalarOp::sub:
    case ScalarOp::mul:
    case ScalarOp::div:
    case ScalarOp::min:
    case ScalarOp::max:
    case ScalarOp::select:
      return true;
    default:
      return is_square(instruction, kernel);
  }
}

ChainCode chain_code(ScalarOp op, bool running_is_first) {
  switch (op) {
    case ScalarOp::neg:
      return ChainCode::negate;
    case ScalarOp::abs:
      return ChainCode::absolute;
    case ScalarOp::sign:
      return ChainCode::sign;
    case ScalarOp::sqrt:
      return ChainCode::square_root;
    case ScalarOp::floor:
      return ChainCode::floor;
    case ScalarOp::ceil:
      return ChainCode::ceiling;
    case ScalarOp::round:
      return ChainCode::round;
    case ScalarOp::add:
      return ChainCode::add;
    case ScalarOp::sub:
      return running_is_first ? ChainCode::subtract : ChainCode::subtract_from;
    case ScalarOp::mul:
      return ChainCode::multiply;
    case ScalarOp::div:
      return running_is_first ? ChainCode::divide : ChainCode::divide_into;
    case ScalarOp::min:
      return ChainCode::minimum;
    case ScalarOp::max:
      return ChainCode::maximum;
    case ScalarOp::select:
      return running_is_first ? ChainCode::choose_value : ChainCode::choose_operand;
    default:
      fail_internal("no link of a chain: " + std::string(name_of(op)));
  }
}

// Of values that the narrower dtype holds, these ops make others that it holds: nothing is left to round.
bool rounding_after(const KernelInstruction& instruction, ChainCode& code) {
  if (instruction.dtype != DType::f16 && instruction.dtype != DType::bf16) return false;
  code = instruction.dtype == DType::f16 ? ChainCode::to_f16 : ChainCode::to_bf16;
  switch (instruction.op) {
    case ScalarOp::neg:
    case ScalarOp::abs:
    case ScalarOp::sign:
    case ScalarOp::floor:
    case ScalarOp::ceil:
    case ScalarOp::round:
    case ScalarOp::min:
    case ScalarOp::max:
    case ScalarOp::select:
      return false;
    default:
      return true;
  }
}

}  // namespace asg::cpu
