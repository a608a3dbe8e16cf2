#include "compile/kernel/cuda_writer.h"

#include <algorithm>
#include <utility>

#include "compile/kernel/cuda_types.h"

namespace asg::cuda {
namespace {

using Kind = KernelInstruction::Kind;

std::size_t place_of(int number) { return static_cast<std::size_t>(number); }
std::string value_name(int number) { return 'v' + std::to_string(number); }

// Σ index · stride over some axes, whose points are numbered by a variable; 64-bit, since the variable is.
std::string walk_text(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                      std::size_t first, std::size_t last, const std::string& variable) {
  std::string text;
  std::int64_t inner = 1;
  for (std::size_t axis = last; axis-- > first; inner *= std::max<std::int64_t>(1, sizes[axis])) {
    if (strides[axis] == 0 || sizes[axis] == 1) continue;
    std::string term = variable;
    if (inner > 1) term += " / " + std::to_string(inner);
    if (axis > first) term += " % " + std::to_string(sizes[axis]);
    if (strides[axis] != 1) term += " * " + std::to_string(strides[axis]);
    if (!text.empty()) term.append(" + ").append(text);
    text = std::move(term);
  }
  return text;
}

}  // namespace

bool stores_once(const Kernel& kernel, const KernelStore& store) {
  if (kernel.row_axes == 0 || !values_per_row(kernel)[place_of(store.value)]) return false;
  const std::vector<std::int64_t>& strides = kernel.arguments[place_of(store.argument)].strides;
  return std::all_of(strides.end() - kernel.row_axes, strides.end(), [](std::int64_t stride) { return stride == 0; });
}

Shape shape_of(const Kernel& kernel) {
  const bool reduces = std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                                   [](const KernelInstruction& each) { return each.kind == Kind::reduce; });
  const bool once = std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                [&](const KernelStore& store) { return stores_once(kernel, store); });
  const bool sums = std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                [](const KernelStore& store) { return store.sum_over_leading; });
  if (reduces || once) return sums ? Shape::in_order : Shape::rows;
  return sums ? Shape::columns : Shape::points;
}

Writer::Writer(const Kernel& kernel, std::string row, std::string element)
    : kernel_(kernel), row_(std::move(row)), element_(std::move(element)) {}

std::string Writer::address(const std::vector<std::int64_t>& strides, std::int64_t offset) const {
  const std::size_t rank = kernel_.space.size();
  const std::size_t leading = element_.empty() ? rank : rank - place_of(kernel_.row_axes);
  std::string text = walk_text(kernel_.space, strides, 0, leading, row_);
  for (const std::string& part : {walk_text(kernel_.space, strides, leading, rank, element_),
                                  offset == 0 ? std::string() : std::to_string(offset)}) {
    if (!part.empty()) text += (text.empty() ? "" : " + ") + part;
  }
  return text.empty() ? "0" : text;
}

std::string Writer::place(int argument) const {
  const KernelArgument& given = kernel_.arguments[place_of(argument)];
  return "arg" + std::to_string(argument) + '[' + address(given.strides, given.offset) + ']';
}

std::string Writer::load(const KernelInstruction& instruction, int number, const std::string& indent) const {
  const std::string declared = indent + "const " + value_type(instruction.dtype) + ' ' + value_name(number) + " = ";
  if (instruction.operands[0] < 0)
    return declared + from_memory(instruction.dtype, place(instruction.argument)) + ";\n";
  const KernelArgument& argument = kernel_.arguments[place_of(instruction.argument)];
  const std::string index = "index" + std::to_string(number);
  const std::string element = "arg" + std::to_string(instruction.argument) + '[' +
                              address(argument.strides, argument.offset) + " + " + index + " * " +
                              std::to_string(instruction.gather_stride) + ']';
  return indent + "long long " + index + " = " + value_name(instruction.operands[0]) + ";\n" + declared + "in_range(" +
         index + ", " + std::to_string(instruction.gather_length) + ", failed) ? " +
         from_memory(instruction.dtype, element) + " : (" + value_type(instruction.dtype) + ")0;\n";
}

std::string Writer::value(int number, const std::string& indent) const {
  const KernelInstruction& instruction = kernel_.instructions[place_of(number)];
  std::vector<std::string> operands;
  for (const int operand : instruction.operands) {
    if (operand >= 0) operands.push_back(value_name(operand));
  }
  std::string expression;
  switch (instruction.kind) {
    case Kind::load:
      return load(instruction, number, indent);
    case Kind::constant:
      expression = constant(instruction);
      break;
    case Kind::position:
      expression = address(instruction.strides, 0);
      break;
    case Kind::uniform:
    case Kind::normal:
      expression = converted(DType::f64, instruction.dtype,
                             (instruction.kind == Kind::uniform ? "uniform_of(" : "normal_of(") + operands[0] + ", " +
                                 std::to_string(instruction.stream) + "ULL, " + operands[1] + ", " + operands[2] + ')');
      break;
    case Kind::compute: {
      const std::size_t typed = instruction.op == ScalarOp::select ? 1 : 0;
      expression = computed(instruction, kernel_.instructions[place_of(instruction.operands[typed])].dtype, operands);
      break;
    }
    case Kind::reduce:
      fail_internal("a reduction is no line of its own");
  }
  return indent + "const " + value_type(instruction.dtype) + ' ' + value_name(number) + " = " + expression + ";\n";
}

std::string Writer::values(const std::vector<int>& numbers, const std::string& indent) const {
  std::string text;
  for (const int number : numbers) text += value(number, indent);
  return text;
}

std::string Writer::store(const KernelStore& store, const std::string& value, const std::string& indent) const {
  const DType dtype = kernel_.arguments[place_of(store.argument)].dtype;
  return indent + place(store.argument) + " = " + to_memory(dtype, value) + ";\n";
}

std::vector<int> needed_for(const Kernel& kernel, const std::vector<int>& values, const std::vector<bool>& wanted) {
  std::vector<bool> needed(kernel.instructions.size(), false);
  for (const int value : values) needed[place_of(value)] = wanted[place_of(value)];
  for (std::size_t k = needed.size(); k-- > 0;) {
    if (!needed[k]) continue;
    for (const int operand : kernel.instructions[k].operands) {
      if (operand >= 0 && wanted[place_of(operand)]) needed[place_of(operand)] = true;
    }
  }
  std::vector<int> numbers;
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (needed[k]) numbers.push_back(static_cast<int>(k));
  }
  return numbers;
}

std::vector<int> needed_values(const Kernel& kernel) {
  std::vector<int> stored;
  for (const KernelStore& store : kernel.stores) stored.push_back(store.value);
  return needed_for(kernel, stored, std::vector<bool>(kernel.instructions.size(), true));
}

}  // namespace asg::cuda
