#include <algorithm>
#include <cstddef>

#include "asg/compile/kernel.h"

namespace asg {
namespace {

using Kind = KernelInstruction::Kind;

// "[2, 3 | 8]": the axes of a row stand after the bar, which a kernel without rows lacks.
std::string list_text(const Kernel& kernel, const std::vector<std::int64_t>& numbers, bool with_words) {
  const std::size_t leading = numbers.size() - static_cast<std::size_t>(kernel.row_axes);
  const bool rows = kernel.row_axes > 0;
  const auto joined = [&](std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t k = first; k < last; ++k) text += (k > first ? ", " : "") + std::to_string(numbers[k]);
    return text;
  };
  if (!rows) return '[' + joined(0, leading) + ']';
  const std::string front = joined(0, leading);
  const std::string row = joined(leading, numbers.size());
  if (with_words) return "[rows" + (front.empty() ? "" : ' ' + front) + " | row " + row + ']';
  return '[' + front + (front.empty() ? "| " : " | ") + row + ']';
}

std::string value_text(int number) { return '%' + std::to_string(number); }
std::string argument_text(int number) { return "arg" + std::to_string(number); }

std::string operands_text(const KernelInstruction& instruction) {
  std::string text;
  for (const int operand : instruction.operands) {
    if (operand >= 0) text += ' ' + value_text(operand);
  }
  return text;
}

std::string constant_text(const KernelInstruction& instruction) {
  if (instruction.dtype == DType::boolean) return instruction.integer != 0 ? "true" : "false";
  if (is_float(instruction.dtype)) return Array::scalar(DType::f64, instruction.number).to_string();
  if (instruction.dtype == DType::u64) return std::to_string(static_cast<std::uint64_t>(instruction.integer));
  return std::to_string(instruction.integer);
}

std::string instruction_text(const Kernel& kernel, const KernelInstruction& instruction) {
  switch (instruction.kind) {
    case Kind::load: {
      const std::string text = "load " + argument_text(instruction.argument);
      if (instruction.operands[0] < 0) return text;
      return text + " at " + value_text(instruction.operands[0]) + " step " +
             std::to_string(instruction.gather_stride) + " of " + std::to_string(instruction.gather_length);
    }
    case Kind::constant:
      return "constant " + constant_text(instruction);
    case Kind::position:
      return "position " + list_text(kernel, instruction.strides, false);
    case Kind::uniform:
    case Kind::normal:
      return (instruction.kind == Kind::uniform ? "uniform" : "normal") + operands_text(instruction) + " stream " +
             std::to_string(instruction.stream);
    case Kind::compute:
      return std::string(name_of(instruction.op)) + operands_text(instruction);
    case Kind::reduce:
      break;
  }
  return "reduce " + std::string(name_of(instruction.reduction)) + operands_text(instruction);
}

std::string argument_line(const Kernel& kernel, std::size_t number) {
  const KernelArgument& argument = kernel.arguments[number];
  std::string text = "  " + argument_text(static_cast<int>(number)) + ": " + std::string(name_of(argument.dtype)) +
                     (argument.output ? " out " : " in  ") + list_text(kernel, argument.strides, false);
  if (argument.offset != 0) text += " at " + std::to_string(argument.offset);
  return text + '\n';
}

std::string instruction_lines(const Kernel& kernel) {
  const std::vector<bool> per_row = values_per_row(kernel);
  std::vector<std::string> lines;
  std::size_t widest = 0;
  for (std::size_t k = 0; k < kernel.instructions.size(); ++k) {
    lines.push_back("  " + value_text(static_cast<int>(k)) + " = " + instruction_text(kernel, kernel.instructions[k]));
    widest = std::max(widest, lines.back().size());
  }
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    text += lines[k] + std::string(widest - lines[k].size(), ' ') + " : ";
    text += name_of(kernel.instructions[k].dtype);
    text += kernel.row_axes > 0 && per_row[k] ? " per row\n" : "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const Kernel& kernel) {
  check_kernel(kernel);
  std::string text = "kernel " + list_text(kernel, kernel.space, true) + '\n';
  for (std::size_t k = 0; k < kernel.arguments.size(); ++k) text += argument_line(kernel, k);
  text += instruction_lines(kernel);
  for (const KernelStore& store : kernel.stores) {
    text += "  store " + std::string(store.sum_over_leading ? "sum " : "") + value_text(store.value) + " -> " +
            argument_text(store.argument) + '\n';
  }
  return text;
}

}  // namespace asg
