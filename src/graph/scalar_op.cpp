#include "asg/graph/scalar_op.h"

#include <algorithm>
#include <array>

namespace asg {
namespace {

constexpr std::array<std::string_view, 35> kScalarNames = {"none",
                                                           "cast",
                                                           "neg",
                                                           "abs",
                                                           "sign",
                                                           "sqrt",
                                                           "exp",
                                                           "log",
                                                           "tanh",
                                                           "erf",
                                                           "sigmoid",
                                                           "sin",
                                                           "cos",
                                                           "atan",
                                                           "floor",
                                                           "ceil",
                                                           "round",
                                                           "is_nan",
                                                           "not",
                                                           "add",
                                                           "sub",
                                                           "mul",
                                                           "div",
                                                           "pow",
                                                           "min",
                                                           "max",
                                                           "equal",
                                                           "less",
                                                           "less_or_equal",
                                                           "greater",
                                                           "greater_or_equal",
                                                           "and",
                                                           "or",
                                                           "xor",
                                                           "select"};
static_assert(kScalarNames.size() == static_cast<std::size_t>(ScalarOp::select) + 1);

}  // namespace

std::string_view name_of(ScalarOp op) { return kScalarNames[static_cast<std::size_t>(op)]; }

int operand_count(ScalarOp op) {
  if (op == ScalarOp::none) return 0;
  if (op == ScalarOp::select) return 3;
  return op < ScalarOp::add ? 1 : 2;
}

ScalarOp scalar_op_of(std::string_view name) {
  const auto* const found = std::find(kScalarNames.begin(), kScalarNames.end(), name);
  return found == kScalarNames.end() ? ScalarOp::none : static_cast<ScalarOp>(found - kScalarNames.begin());
}

}  // namespace asg
