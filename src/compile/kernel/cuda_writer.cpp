#include "compile/kernel/cuda_writer.h"

#include <algorithm>
#include <utility>

#include "compile/gpu/row_facts.h"
#include "compile/kernel/cuda_types.h"

namespace asg::cuda {
namespace {

using Kind = KernelInstruction::Kind;

std::size_t place_of(int number) { return static_cast<std::size_t>(number); }

// Σ index · stride over some axes, whose points are numbered by a variable.
std::string walk_text(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                      std::size_t first, std::size_t last, const std::string& variable) {
  std::string text;
  std::int64_t inner = 1;
  for (std::size_t axis = last; axis-- > first; inner *= std::max<std::int64_t>(1, sizes[axis])) {
    if (strides[axis] == 0 || sizes[axis] == 1) continue;
    std::string term = variable;
    if (inner > 1) term += " / " + std::to_string(inner);
    if (axis > first) term += " % " + std::to_string(std::max<std::int64_t>(1, sizes[axis]));
    if (strides[axis] != 1) term += " * " + std::to_string(strides[axis]);
    if (!text.empty()) term.append(" + ").append(text);
    text = std::move(term);
  }
  return text;
}

}  // namespace

std::string index_type(const GpuPlan& plan) { return plan.wide_index ? "long long" : "int"; }

std::string value_name(int number) { return 'v' + std::to_string(number); }

Writer::Writer(const GpuPlan& plan, std::string row, std::string element)
    : plan_(plan),
      kernel_(plan.kernel),
      row_(std::move(row)),
      element_(std::move(element)),
      per_row_(values_per_row(plan.kernel)) {}

// Whether a value of elements is a quotient by a value of the row, in f32.
bool Writer::divides_by_row(int number) const {
  const KernelInstruction& each = kernel_.instructions[place_of(number)];
  const bool by_point = plan_.shape == GpuPlan::Shape::points || plan_.shape == GpuPlan::Shape::split_rows;
  return !by_point && each.kind == Kind::compute && each.op == ScalarOp::div && is_float(each.dtype) &&
         each.dtype != DType::f64 && !per_row_[place_of(number)] && per_row_[place_of(each.operands[1])];
}

// Whether the inverse of a divisor is a normal number, so that a product with it is as good as a quotient.
bool Writer::has_inverse(int number) const { return gpu::is_sum_of_falling_exponentials(kernel_, number); }

// Whether a value is compared with that of the row as 32 bits: a position, which counts from 0 on.
bool Writer::is_narrow_position(int number) const {
  const KernelInstruction& each = kernel_.instructions[place_of(number)];
  return !plan_.wide_index && each.kind == Kind::position && each.dtype == DType::i64 &&
         std::all_of(each.strides.begin(), each.strides.end(), [](std::int64_t stride) { return stride >= 0; });
}

bool Writer::compares_position(int number) const {
  const KernelInstruction& each = kernel_.instructions[place_of(number)];
  const bool by_point = plan_.shape == GpuPlan::Shape::points || plan_.shape == GpuPlan::Shape::split_rows;
  if (by_point || each.kind != Kind::compute || per_row_[place_of(number)]) return false;
  switch (each.op) {
    case ScalarOp::equal:
    case ScalarOp::less:
    case ScalarOp::less_or_equal:
    case ScalarOp::greater:
    case ScalarOp::greater_or_equal:
      break;
    default:
      return false;
  }
  const int a = each.operands[0];
  const int b = each.operands[1];
  return (is_narrow_position(a) && per_row_[place_of(b)]) || (is_narrow_position(b) && per_row_[place_of(a)]);
}

std::string Writer::compared_place(int number) const {
  if (is_narrow_position(number) && !per_row_[place_of(number)])
    return index_of(kernel_.instructions[place_of(number)].strides, 0);
  return "place" + std::to_string(number);
}

std::string Writer::row_place(int number, const std::string& indent) const {
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    const KernelInstruction& each = kernel_.instructions[k];
    if (!compares_position(static_cast<int>(k)) || (each.operands[0] != number && each.operands[1] != number)) continue;
    if (!per_row_[place_of(number)]) continue;
    return indent + "const int place" + std::to_string(number) + " = near_place(" + value_name(number) + ");\n";
  }
  return "";
}

std::string Writer::divisor(int number, const std::string& indent) const {
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    if (!divides_by_row(static_cast<int>(k)) || kernel_.instructions[k].operands[1] != number) continue;
    if (has_inverse(number)) {
      return indent + "const float inverse" + std::to_string(number) + " = __fdiv_rn(1.0f, " + value_name(number) +
             ");\n";
    }
    return indent + "const Divisor divisor" + std::to_string(number) + " = divisor_of(" + value_name(number) + ");\n";
  }
  return "";
}

std::string Writer::index_of(const std::vector<std::int64_t>& strides, std::int64_t offset) const {
  const std::size_t rank = kernel_.space.size();
  const std::size_t leading = row_.empty() ? 0 : rank - place_of(kernel_.row_axes);
  std::string text = walk_text(kernel_.space, strides, 0, leading, row_);
  for (const std::string& part : {walk_text(kernel_.space, strides, leading, rank, element_),
                                  offset == 0 ? std::string() : std::to_string(offset)}) {
    if (!part.empty()) text += (text.empty() ? "" : " + ") + part;
  }
  return text.empty() ? "0" : text;
}

std::string Writer::address(int argument) const {
  const KernelArgument& given = kernel_.arguments[place_of(argument)];
  return index_of(given.strides, given.offset);
}

std::string Writer::gathered_address(const KernelInstruction& instruction, int number) const {
  const std::string index = "index" + std::to_string(number);
  return address(instruction.argument) + " + " + (plan_.wide_index ? index : "(int)" + index) + " * " +
         std::to_string(instruction.gather_stride);
}

std::string Writer::load(const KernelInstruction& instruction, int number, const std::string& indent) const {
  const std::string declared = indent + "const " + value_type(instruction.dtype) + ' ' + value_name(number) + " = ";
  const std::string argument = "arg" + std::to_string(instruction.argument) + '[';
  if (instruction.operands[0] < 0) {
    return declared + from_memory(instruction.dtype, argument + address(instruction.argument) + ']') + ";\n";
  }
  const std::string index = "index" + std::to_string(number);
  return indent + "long long " + index + " = " + value_name(instruction.operands[0]) + ";\n" + declared + "in_range(" +
         index + ", " + std::to_string(instruction.gather_length) + ", failed) ? " +
         from_memory(instruction.dtype, argument + gathered_address(instruction, number) + ']') + " : (" +
         value_type(instruction.dtype) + ")0;\n";
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
      expression = index_of(instruction.strides, 0);
      break;
    case Kind::uniform:
    case Kind::normal:
      expression = converted(DType::f64, instruction.dtype,
                             (instruction.kind == Kind::uniform ? "uniform_of(" : "normal_of(") + operands[0] + ", " +
                                 std::to_string(instruction.stream) + "ULL, " + operands[1] + ", " + operands[2] + ')');
      break;
    case Kind::compute: {
      if (compares_position(number)) {
        operands[0] = compared_place(instruction.operands[0]);
        operands[1] = compared_place(instruction.operands[1]);
      } else if (gpu::is_falling_exponential(kernel_, number)) {
        expression = converted(DType::f32, instruction.dtype, "falling_exp(" + operands[0] + ')');
        break;
      } else if (divides_by_row(number) && has_inverse(instruction.operands[1])) {
        expression =
            converted(DType::f32, instruction.dtype,
                      "__fmul_rn(" + operands[0] + ", inverse" + std::to_string(instruction.operands[1]) + ')');
        break;
      } else if (divides_by_row(number)) {
        expression =
            converted(DType::f32, instruction.dtype,
                      "quotient_by(" + operands[0] + ", divisor" + std::to_string(instruction.operands[1]) + ')');
        break;
      }
      const std::size_t typed = instruction.op == ScalarOp::select ? 1 : 0;
      expression = computed(instruction, kernel_.instructions[place_of(instruction.operands[typed])].dtype, operands);
      break;
    }
    case Kind::reduce:
      fail_internal("a reduction is no line of its own");
  }
  return indent + "const " + value_type(instruction.dtype) + ' ' + value_name(number) + " = " + expression + ";\n";
}

std::string Writer::store(const KernelStore& store, const std::string& value, const std::string& indent) const {
  const DType dtype = kernel_.arguments[place_of(store.argument)].dtype;
  return indent + "arg" + std::to_string(store.argument) + '[' + address(store.argument) +
         "] = " + to_memory(dtype, value) + ";\n";
}

}  // namespace asg::cuda
