#include "compile/kernel/cuda_types.h"

#include <cmath>

namespace asg::cuda {
namespace {

bool is_short_float(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }
bool is_double(DType dtype) { return dtype == DType::f64; }

std::string call(const std::string& function, const std::string& a) { return function + '(' + a + ')'; }
std::string call(const std::string& function, const std::string& a, const std::string& b) {
  return function + '(' + a + ", " + b + ')';
}

// Rounds what was computed as a float to a short one.
std::string rounded(DType dtype, const std::string& value) {
  if (dtype == DType::f16) return call("round_to_f16", value);
  if (dtype == DType::bf16) return call("round_to_bf16", value);
  return value;
}

std::string real_text(DType dtype, double value) {
  const bool wide = is_double(dtype);
  if (std::isnan(value)) return wide ? "__longlong_as_double(0x7ff8000000000000LL)" : "__int_as_float(0x7fc00000)";
  const double shown = Array::scalar(dtype, value).get(0);  // rounded
  if (std::isinf(shown)) {
    const std::string infinity = wide ? "__longlong_as_double(0x7ff0000000000000LL)" : "__int_as_float(0x7f800000)";
    return shown < 0 ? '-' + infinity : infinity;
  }
  std::string text = Array::scalar(wide ? DType::f64 : DType::f32, shown).to_string();
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return wide ? text : text + 'f';
}

std::string integer_text(DType dtype, std::int64_t value) {
  if (is_unsigned_int(dtype)) return std::to_string(static_cast<std::uint64_t>(value)) + "ULL";
  if (value == INT64_MIN) return "(-9223372036854775807LL - 1)";
  return std::to_string(value) + "LL";
}

// The least and the greatest number of an integer dtype.
std::string limit_text(DType dtype, bool greatest) {
  const double infinity = greatest ? INFINITY : -INFINITY;
  return integer_text(dtype, Array::scalar(DType::f64, infinity).cast(dtype).get_i64(0));
}

// Of integers: computed without a sign, so that it wraps, and cut to the dtype.
std::string wrapped(DType dtype, const std::string& a, char op, const std::string& b) {
  return '(' + value_type(dtype) + ")((unsigned long long)" + a + ' ' + op + " (unsigned long long)" + b + ')';
}

// Of floats: by functions that the compiler never contracts.
std::string arithmetic(DType dtype, char op, const std::string& a, const std::string& b) {
  if (is_integer(dtype)) return wrapped(dtype, a, op, b);
  const std::string name = op == '+' ? "add" : op == '-' ? "sub" : op == '*' ? "mul" : "div";
  return rounded(dtype, call((is_double(dtype) ? "__d" : "__f") + name + "_rn", a, b));
}

std::string function_of_real(DType dtype, ScalarOp op, const std::string& a) {
  const std::string suffix = is_double(dtype) ? "" : "f";
  if (op == ScalarOp::sqrt) return rounded(dtype, call(is_double(dtype) ? "__dsqrt_rn" : "__fsqrt_rn", a));
  if (op == ScalarOp::sigmoid) return rounded(dtype, call("sigmoid_of", a));
  const std::string name = op == ScalarOp::round ? "rint" : std::string(name_of(op));
  return rounded(dtype, call(name + suffix, a));
}

std::string of_one(DType dtype, ScalarOp op, const std::string& a) {
  if (op == ScalarOp::sign) return call("sign_of", a);
  if (is_float(dtype)) {
    if (op == ScalarOp::neg) return '-' + a;
    if (op == ScalarOp::abs) return call(is_double(dtype) ? "fabs" : "fabsf", a);
    return function_of_real(dtype, op, a);
  }
  const std::string negative = '(' + value_type(dtype) + ")(0ULL - (unsigned long long)" + a + ')';
  if (op == ScalarOp::neg) return negative;
  if (is_unsigned_int(dtype)) return a;  // abs
  return a + " < 0 ? " + negative + " : " + a;
}

std::string compared(ScalarOp op, const std::string& a, const std::string& b) {
  switch (op) {
    case ScalarOp::equal:
      return a + " == " + b;
    case ScalarOp::less:
      return a + " < " + b;
    case ScalarOp::less_or_equal:
      return a + " <= " + b;
    case ScalarOp::greater:
      return a + " > " + b;
    case ScalarOp::greater_or_equal:
      return a + " >= " + b;
    case ScalarOp::logical_and:
      return a + " && " + b;
    case ScalarOp::logical_or:
      return a + " || " + b;
    case ScalarOp::logical_xor:
      return a + " != " + b;
    default:
      fail_internal("no comparison: " + std::string(name_of(op)));
  }
}

std::string of_two(DType dtype, ScalarOp op, const std::string& a, const std::string& b) {
  switch (op) {
    case ScalarOp::add:
      return arithmetic(dtype, '+', a, b);
    case ScalarOp::sub:
      return arithmetic(dtype, '-', a, b);
    case ScalarOp::mul:
      return arithmetic(dtype, '*', a, b);
    case ScalarOp::div:
      if (is_integer(dtype)) return "quotient_of(" + a + ", " + b + ", failed)";
      return arithmetic(dtype, '/', a, b);
    case ScalarOp::pow:
      if (is_integer(dtype)) return "power_of(" + a + ", " + b + ", failed)";
      return rounded(dtype, call(is_double(dtype) ? "pow" : "powf", a, b));
    case ScalarOp::min:
      return call("smaller_of", a, b);
    case ScalarOp::max:
      return call("larger_of", a, b);
    default:
      return compared(op, a, b);
  }
}

}  // namespace

std::string stored_type(DType dtype) {
  if (is_short_float(dtype)) return "unsigned short";
  if (dtype == DType::boolean) return "unsigned char";
  return value_type(dtype);
}

std::string value_type(DType dtype) {
  switch (dtype) {
    case DType::f32:
    case DType::f16:
    case DType::bf16:
      return "float";
    case DType::f64:
      return "double";
    case DType::i8:
      return "signed char";
    case DType::i16:
      return "short";
    case DType::i32:
      return "int";
    case DType::i64:
      return "long long";
    case DType::u8:
      return "unsigned char";
    case DType::u16:
      return "unsigned short";
    case DType::u32:
      return "unsigned int";
    case DType::u64:
      return "unsigned long long";
    case DType::boolean:
      break;
  }
  return "bool";
}

std::string sum_type(DType dtype) { return is_float(dtype) ? value_type(dtype) : "unsigned long long"; }

std::string finished_sum(DType dtype, const std::string& sum) {
  if (is_float(dtype)) return converted(is_double(dtype) ? DType::f64 : DType::f32, dtype, sum);
  return '(' + value_type(dtype) + ')' + sum;
}

std::string added(DType dtype, const std::string& a, const std::string& b) {
  if (!is_float(dtype)) return a + " + (unsigned long long)" + b;
  return arithmetic(is_double(dtype) ? DType::f64 : DType::f32, '+', a, b);
}

std::string constant(const KernelInstruction& instruction) {
  if (instruction.dtype == DType::boolean) return instruction.integer != 0 ? "true" : "false";
  if (is_float(instruction.dtype)) return real_text(instruction.dtype, instruction.number);
  return integer_text(instruction.dtype, instruction.integer);
}

std::string identity(Reduction reduction, DType dtype) {
  if (reduction == Reduction::sum || reduction == Reduction::prod) {
    const int number = reduction == Reduction::prod ? 1 : 0;
    return is_float(dtype) ? real_text(dtype, number) : integer_text(dtype, number);
  }
  const bool greatest = reduction == Reduction::min;
  return is_float(dtype) ? real_text(dtype, greatest ? INFINITY : -INFINITY) : limit_text(dtype, greatest);
}

std::string combined(Reduction reduction, DType dtype, const std::string& a, const std::string& b) {
  // Rounded once, at the end.
  const DType wide = is_short_float(dtype) ? DType::f32 : dtype;
  if (reduction == Reduction::sum) return arithmetic(wide, '+', a, b);
  if (reduction == Reduction::prod) return arithmetic(wide, '*', a, b);
  return call(reduction == Reduction::max ? "larger_of" : "smaller_of", a, b);
}

std::string from_memory(DType dtype, const std::string& element) {
  if (dtype == DType::f16) return call("from_f16", element);
  if (dtype == DType::bf16) return call("from_bf16", element);
  if (dtype == DType::boolean) return element + " != 0";
  return element;
}

std::string to_memory(DType dtype, const std::string& value) {
  if (dtype == DType::f16) return call("to_f16", value);
  if (dtype == DType::bf16) return call("upper_half", value);  // it is rounded already
  if (dtype == DType::boolean) return "(unsigned char)" + value;
  return value;
}

std::string converted(DType from, DType to, const std::string& value) {
  if (from == to) return value;
  if (to == DType::boolean) return value + " != 0";
  if (is_integer(to) && is_float(from)) {
    return "integer_of<" + value_type(to) + ">(" + value + ", " + limit_text(to, false) + ", " + limit_text(to, true) +
           ')';
  }
  // Short floats hold every boolean and short float; other numbers go through the double, which rounds them once.
  if (is_short_float(to)) return rounded(to, (value_type(from) == "float" ? "" : "(double)") + value);
  return '(' + value_type(to) + ')' + value;
}

std::string computed(const KernelInstruction& instruction, DType given, const std::vector<std::string>& operands) {
  const ScalarOp op = instruction.op;
  switch (op) {
    case ScalarOp::cast:
      return converted(given, instruction.dtype, operands[0]);
    case ScalarOp::select:
      return operands[0] + " ? " + operands[1] + " : " + operands[2];
    case ScalarOp::is_nan:
      return operands[0] + " != " + operands[0];
    case ScalarOp::logical_not:
      return '!' + operands[0];
    default:
      break;
  }
  if (operands.size() == 1) return of_one(instruction.dtype, op, operands[0]);
  return of_two(instruction.dtype, op, operands[0], operands[1]);
}

}  // namespace asg::cuda
