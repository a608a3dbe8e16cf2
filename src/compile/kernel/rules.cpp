#include "compile/kernel/rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace asg {
namespace {

using Kind = KernelInstruction::Kind;
using Part = KernelBreach::Part;
using BrokenRule = std::optional<std::string>;  // the one that is broken

constexpr double kFarthest = 0x1p62;  // offsets and counts stay below, so that no sum of two overflows

std::size_t index_of(int number) { return static_cast<std::size_t>(number); }

BrokenRule broken_in_space(const Kernel& kernel) {
  if (kernel.row_axes < 0 || index_of(kernel.row_axes) > kernel.space.size()) {
    return "row axes that are among the axes of the space";
  }
  double points = 1;
  for (const std::int64_t size : kernel.space) {
    if (size < 0) return "axes of length 0 or more";
    points *= static_cast<double>(std::max<std::int64_t>(size, 1));
  }
  if (points >= kFarthest) return "fewer points than 2^62";
  return std::nullopt;
}

BrokenRule broken_strides(const Kernel& kernel, const std::vector<std::int64_t>& strides, std::int64_t offset) {
  if (strides.size() != kernel.space.size()) return "one stride for each axis of the space";
  double farthest = std::fabs(static_cast<double>(offset));
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    farthest += std::fabs(static_cast<double>(strides[axis])) * static_cast<double>(kernel.space[axis]);
  }
  if (farthest >= kFarthest) return "offsets below 2^62";
  return std::nullopt;
}

// The fields that the kind of an instruction does not use: with defaults in all others, equal means equal in meaning.
BrokenRule broken_fields(const KernelInstruction& given) {
  KernelInstruction plain;
  plain.kind = given.kind;
  plain.dtype = given.dtype;
  plain.operands = given.operands;
  switch (given.kind) {
    case Kind::load:
      plain.argument = given.argument;
      plain.gather_stride = given.operands[0] < 0 ? 0 : given.gather_stride;
      plain.gather_length = given.operands[0] < 0 ? 0 : given.gather_length;
      break;
    case Kind::constant:
      // NaN differs from itself.
      if (is_float(given.dtype)) plain.number = std::isnan(given.number) ? 0 : given.number;
      if (!is_float(given.dtype)) plain.integer = given.integer;
      break;
    case Kind::position:
      plain.strides = given.strides;
      break;
    case Kind::uniform:
    case Kind::normal:
      plain.stream = given.stream;
      break;
    case Kind::compute:
      plain.op = given.op;
      break;
    case Kind::reduce:
      plain.reduction = given.reduction;
      break;
  }
  KernelInstruction numbered = given;
  if (std::isnan(given.number) && given.kind == Kind::constant && is_float(given.dtype)) numbered.number = 0;
  if (numbered == plain) return std::nullopt;
  return "the defaults in all fields that its kind does not use";
}

int operands_of(const KernelInstruction& instruction) {
  switch (instruction.kind) {
    case Kind::load:
      return instruction.operands[0] >= 0 ? 1 : 0;
    case Kind::constant:
    case Kind::position:
      return 0;
    case Kind::uniform:
    case Kind::normal:
      return 3;
    case Kind::compute:
      return operand_count(instruction.op);
    case Kind::reduce:
      break;
  }
  return 1;
}

BrokenRule broken_operands(const KernelInstruction& instruction, std::size_t number) {
  const int count = operands_of(instruction);
  for (int k = 0; k < 3; ++k) {
    const int operand = instruction.operands[index_of(k)];
    if (k >= count) {
      if (operand != -1) return std::to_string(count) + " operands";
    } else if (operand < 0 || index_of(operand) >= number) {
      return "operands that come before it";
    }
  }
  return std::nullopt;
}

bool is_number(DType dtype) { return dtype != DType::boolean; }

BrokenRule broken_compute(const KernelInstruction& instruction, const std::vector<DType>& operands) {
  const ScalarOp op = instruction.op;
  const DType dtype = instruction.dtype;
  const auto all_are = [&](DType wanted) {
    return std::all_of(operands.begin(), operands.end(), [&](DType given) { return given == wanted; });
  };
  if (op == ScalarOp::none) return "an op";
  if (op == ScalarOp::cast) return std::nullopt;
  if (op == ScalarOp::select) {
    if (operands[0] == DType::boolean && operands[1] == dtype && operands[2] == dtype) return std::nullopt;
    return "a boolean condition and two operands of its dtype";
  }
  if (op == ScalarOp::is_nan) {
    if (is_float(operands[0]) && dtype == DType::boolean) return std::nullopt;
    return "a float operand and a boolean result";
  }
  if (op >= ScalarOp::equal && op <= ScalarOp::greater_or_equal) {
    const bool comparable = op == ScalarOp::equal || is_number(operands[0]);
    if (dtype == DType::boolean && comparable && all_are(operands[0])) return std::nullopt;
    return "two operands of one dtype that can be compared, and a boolean result";
  }
  if (!all_are(dtype)) return "operands of its dtype";
  if (op == ScalarOp::logical_not || op >= ScalarOp::logical_and) {
    if (dtype == DType::boolean) return std::nullopt;
    return "booleans";
  }
  if (op == ScalarOp::neg && is_unsigned_int(dtype)) return "signed numbers";
  if (op >= ScalarOp::sqrt && op <= ScalarOp::round && !is_float(dtype)) return "a float dtype";
  if (!is_number(dtype)) return "numbers";
  return std::nullopt;
}

BrokenRule broken_load(const Kernel& kernel, const KernelInstruction& instruction, const std::vector<DType>& operands) {
  if (instruction.argument < 0 || index_of(instruction.argument) >= kernel.arguments.size()) {
    return "an argument that the kernel has";
  }
  const KernelArgument& argument = kernel.arguments[index_of(instruction.argument)];
  if (argument.output) return "an argument that is an input";
  if (argument.dtype != instruction.dtype) return "the dtype of its argument";
  if (operands.empty()) return std::nullopt;
  if (!is_integer(operands[0])) return "an integer as index";
  if (instruction.gather_length < 0) return "a length of 0 or more to index";
  const double reach = std::fabs(static_cast<double>(instruction.gather_stride)) *
                       static_cast<double>(std::max<std::int64_t>(instruction.gather_length, 1));
  if (reach >= kFarthest) return "offsets below 2^62";
  return std::nullopt;
}

BrokenRule broken_constant(const KernelInstruction& instruction) {
  if (instruction.dtype == DType::boolean && instruction.integer != 0 && instruction.integer != 1) return "0 or 1";
  if (!is_integer(instruction.dtype) || bits_of(instruction.dtype) == 64) return std::nullopt;
  const int digits = bits_of(instruction.dtype) - (is_signed_int(instruction.dtype) ? 1 : 0);
  const std::int64_t beyond = std::int64_t{1} << digits;
  const std::int64_t lowest = is_signed_int(instruction.dtype) ? -beyond : 0;
  if (instruction.integer >= lowest && instruction.integer < beyond) return std::nullopt;
  return "a number that its dtype holds";
}

BrokenRule broken_instruction(const Kernel& kernel, std::size_t number) {
  const KernelInstruction& instruction = kernel.instructions[number];
  if (BrokenRule broken = broken_operands(instruction, number)) return broken;
  if (BrokenRule broken = broken_fields(instruction)) return broken;
  std::vector<DType> operands;
  for (const int operand : instruction.operands) {
    if (operand >= 0) operands.push_back(kernel.instructions[index_of(operand)].dtype);
  }
  switch (instruction.kind) {
    case Kind::load:
      return broken_load(kernel, instruction, operands);
    case Kind::constant:
      return broken_constant(instruction);
    case Kind::position:
      if (instruction.dtype != DType::i64) return "the dtype i64";
      return broken_strides(kernel, instruction.strides, 0);
    case Kind::uniform:
    case Kind::normal:
      if (!is_float(instruction.dtype)) return "a float dtype";
      if (std::count(operands.begin(), operands.end(), DType::i64) != 3) return "seed, step and position of i64";
      return std::nullopt;
    case Kind::compute:
      return broken_compute(instruction, operands);
    case Kind::reduce:
      break;
  }
  if (kernel.row_axes == 0) return "a row to reduce along";
  if (operands[0] != instruction.dtype) return "an operand of its dtype";
  if (!is_number(instruction.dtype)) return "numbers";
  return std::nullopt;
}

BrokenRule broken_store(const Kernel& kernel, const KernelStore& store, const std::vector<bool>& per_row) {
  if (store.argument < 0 || index_of(store.argument) >= kernel.arguments.size()) {
    return "an argument that the kernel has";
  }
  if (store.value < 0 || index_of(store.value) >= kernel.instructions.size()) return "a value that the kernel has";
  const KernelArgument& argument = kernel.arguments[index_of(store.argument)];
  if (!argument.output) return "an argument that is an output";
  const DType dtype = kernel.instructions[index_of(store.value)].dtype;
  if (argument.dtype != dtype) return "a value of the dtype of its argument";
  if (store.sum_over_leading && !is_number(dtype)) return "numbers";
  const std::size_t leading = kernel.space.size() - index_of(kernel.row_axes);
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    const bool stays = argument.strides[axis] == 0;
    if (axis < leading && store.sum_over_leading) {
      if (!stays) return "an argument with stride 0 along the leading axes, which are summed";
    } else if (stays && kernel.space[axis] > 1 && (axis < leading || !per_row[index_of(store.value)])) {
      return "a place of its own for each value";
    }
  }
  return std::nullopt;
}

BrokenRule stored_once(const Kernel& kernel, std::size_t number) {
  if (!kernel.arguments[number].output) return std::nullopt;
  const auto stores = std::count_if(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore& store) {
    return store.argument >= 0 && index_of(store.argument) == number;
  });
  if (stores == 1) return std::nullopt;
  return "one store into an output, not " + std::to_string(stores);
}

}  // namespace

std::optional<KernelBreach> find_breach(const Kernel& kernel) {
  if (BrokenRule broken = broken_in_space(kernel)) return KernelBreach{Part::space, 0, *std::move(broken)};
  for (std::size_t k = 0; k < kernel.arguments.size(); ++k) {
    BrokenRule broken = broken_strides(kernel, kernel.arguments[k].strides, kernel.arguments[k].offset);
    if (!broken) broken = stored_once(kernel, k);
    if (broken) return KernelBreach{Part::argument, k, *std::move(broken)};
  }
  for (std::size_t k = 0; k < kernel.instructions.size(); ++k) {
    if (BrokenRule broken = broken_instruction(kernel, k))
      return KernelBreach{Part::instruction, k, *std::move(broken)};
  }
  const std::vector<bool> per_row = values_per_row(kernel);
  for (std::size_t k = 0; k < kernel.stores.size(); ++k) {
    if (BrokenRule broken = broken_store(kernel, kernel.stores[k], per_row)) {
      return KernelBreach{Part::store, k, *std::move(broken)};
    }
  }
  return std::nullopt;
}

void check_kernel(const Kernel& kernel) {
  const std::optional<KernelBreach> breach = find_breach(kernel);
  if (!breach) return;
  std::string part = "its space";
  if (breach->part == Part::argument) part = "arg" + std::to_string(breach->number);
  if (breach->part == Part::instruction) part = '%' + std::to_string(breach->number);
  if (breach->part == Part::store) part = "store " + std::to_string(breach->number);
  fail_internal("a fused kernel breaks its rules: " + part + " needs " + breach->rule);
}

}  // namespace asg
