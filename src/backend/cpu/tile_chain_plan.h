#pragma once

#include <vector>

#include "backend/cpu/tile_plan.h"

namespace asg::cpu {

// Whether the instruction may be a link of a chain: cheap arithmetic of f32 or f64.
bool is_chainable(const KernelInstruction& instruction, const Kernel& kernel);

// Whether the instruction is x to the power of the constant 2.
bool is_square(const KernelInstruction& instruction, const Kernel& kernel);

// The operand through which `previous` runs into the instruction as a link; the other one by `operand_of`, which says
// how a value reaches a step of the chain's level.
template <class OperandOf>
void append_links(const KernelInstruction& instruction, int previous, const Kernel& kernel, OperandOf operand_of,
                  std::vector<PlannedLink>& links);

// The code of an instruction whose running value is its first (or second) operand.
ChainCode chain_code(ScalarOp op, bool running_is_first);

// The rounding after an instruction whose dtype is narrower than its lane; false where there is none to do.
bool rounding_after(const KernelInstruction& instruction, ChainCode& code);

// Whether the operand is a constant that is not NaN.
bool is_number(int operand, const Kernel& kernel);

template <class OperandOf>
void append_links(const KernelInstruction& instruction, int previous, const Kernel& kernel, OperandOf operand_of,
                  std::vector<PlannedLink>& links) {
  PlannedLink link;
  const auto& operands = instruction.operands;
  if (is_square(instruction, kernel)) {
    link = {.code = ChainCode::multiply, .kind = ChainOperand::self};
  } else if (operand_count(instruction.op) == 1) {
    link = {.code = chain_code(instruction.op, true)};
  } else {
    const std::size_t first = instruction.op == ScalarOp::select ? 1 : 0;
    const bool running_is_first = operands[first] == previous;
    const int other = operands[running_is_first ? first + 1 : first];
    link.code = chain_code(instruction.op, running_is_first);
    if (other == previous) {
      link.kind = ChainOperand::self;
    } else {
      link.operand = operand_of(other);
      link.kind = link.operand.single ? ChainOperand::scalar : ChainOperand::tile;
    }
    if (first == 1) link.condition = operand_of(operands[0]);
    if (link.code == ChainCode::minimum && is_number(other, kernel)) link.code = ChainCode::minimum_number;
    if (link.code == ChainCode::maximum && is_number(other, kernel)) link.code = ChainCode::maximum_number;
  }
  links.push_back(link);
  ChainCode rounding{};
  if (rounding_after(instruction, rounding)) links.push_back({.code = rounding});
}

}  // namespace asg::cpu
