#pragma once

#include <cstdint>
#include <string_view>

namespace asg {

// What an elementwise op does to single numbers, where that is one instruction of a fused kernel. Other elementwise
// ops are fused through their bodies.
enum class ScalarOp : std::uint8_t {
  none,
  // of one operand
  cast,
  neg,
  abs,
  sign,
  sqrt,
  exp,
  log,
  tanh,
  erf,
  sigmoid,
  sin,
  cos,
  atan,
  floor,
  ceil,
  round,
  is_nan,
  logical_not,
  // of two
  add,
  sub,
  mul,
  div,
  pow,
  min,
  max,
  equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  logical_and,
  logical_or,
  logical_xor,
  // of three: condition, then, else
  select
};

std::string_view name_of(ScalarOp op);         // "add"
int operand_count(ScalarOp op);                // 0 of `none`
ScalarOp scalar_op_of(std::string_view name);  // none where there is no such name

}  // namespace asg
