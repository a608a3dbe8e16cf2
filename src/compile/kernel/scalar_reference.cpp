#include "compile/kernel/scalar_reference.h"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace asg {
namespace {

// What the values of a compute class are computed in. Signed integers wrap, so sums and products are taken of u64.
template <class T>
T wrap(std::uint64_t value) {
  return static_cast<T>(value);
}
std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::uint64_t bits(std::uint64_t value) { return value; }

template <class T>
T add(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    return wrap<T>(bits(a) + bits(b));
  }
}

template <class T>
T multiply(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a * b;
  } else {
    return wrap<T>(bits(a) * bits(b));
  }
}

template <class T>
T negate(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return -a;
  } else {
    return wrap<T>(0 - bits(a));
  }
}

template <class T>
T subtract(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a - b;
  } else {
    return wrap<T>(bits(a) - bits(b));
  }
}

// Integers truncate toward zero; the quotient of the least one and -1 wraps.
template <class T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) {
      fail(ErrorCode::computation_error, "an integer division by 0", "a divisor that is not 0",
           "cast to a float dtype first");
    }
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return negate(a);
  }
  return a / b;
}

template <class T>
T power(T base, T exponent) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(base, exponent);
  } else {
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) {
        if (base == 0) {
          fail(ErrorCode::computation_error, "the integer 0 to the power " + std::to_string(exponent),
               "a base that is not 0, or an exponent of at least 0", "cast to a float dtype first");
        }
        if (base != 1 && base != -1) return 0;  // 1 / power, truncated
        return exponent % 2 == 0 ? 1 : base;
      }
    }
    T result = 1;
    for (; exponent > 0; exponent /= 2, base = multiply(base, base)) {
      if (exponent % 2 == 1) result = multiply(result, base);
    }
    return result;
  }
}

template <class T>
bool is_not_a_number(T a) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(a);
  return false;
}

// NaN wins over every number; of equal ones the first is taken.
template <class T>
T larger(T a, T b) {
  return is_not_a_number(a) || a >= b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return is_not_a_number(a) || a <= b ? a : b;
}

template <class T>
T sign(T a) {
  if (a > 0) return 1;
  if constexpr (!std::is_unsigned_v<T>) {
    if (a < 0) return -1;
  }
  return a == 0 ? 0 : a;  // what is left is NaN
}

template <class T>
T absolute(T a) {
  if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
  if constexpr (std::is_signed_v<T>) return a < 0 ? negate(a) : a;
  return a;
}

// Neither end overflows.
double sigmoid(double a) {
  const double decay = std::exp(-std::fabs(a));
  return (a < 0 ? decay : 1) / (1 + decay);
}

double real_function(ScalarOp op, double a) {
  switch (op) {
    case ScalarOp::sqrt:
      return std::sqrt(a);
    case ScalarOp::exp:
      return std::exp(a);
    case ScalarOp::log:
      return std::log(a);
    case ScalarOp::tanh:
      return std::tanh(a);
    case ScalarOp::erf:
      return std::erf(a);
    case ScalarOp::sigmoid:
      return sigmoid(a);
    case ScalarOp::sin:
      return std::sin(a);
    case ScalarOp::cos:
      return std::cos(a);
    case ScalarOp::atan:
      return std::atan(a);
    case ScalarOp::floor:
      return std::floor(a);
    case ScalarOp::ceil:
      return std::ceil(a);
    case ScalarOp::round:
      return std::nearbyint(a);  // ties to even
    default:
      fail_internal("no function of one number: " + std::string(name_of(op)));
  }
}

template <class T>
T number_function(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::neg:
      return negate(a);
    case ScalarOp::abs:
      return absolute(a);
    case ScalarOp::sign:
      return sign(a);
    case ScalarOp::add:
      return add(a, b);
    case ScalarOp::sub:
      return subtract(a, b);
    case ScalarOp::mul:
      return multiply(a, b);
    case ScalarOp::div:
      return divide(a, b);
    case ScalarOp::pow:
      return power(a, b);
    case ScalarOp::min:
      return smaller(a, b);
    case ScalarOp::max:
      return larger(a, b);
    default:
      if constexpr (std::is_floating_point_v<T>) return real_function(op, a);
      fail_internal("no function of integers: " + std::string(name_of(op)));
  }
}

template <class T>
bool compare(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::equal:
      return a == b;
    case ScalarOp::less:
      return a < b;
    case ScalarOp::less_or_equal:
      return a <= b;
    case ScalarOp::greater:
      return a > b;
    case ScalarOp::greater_or_equal:
      return a >= b;
    case ScalarOp::is_nan:
      return is_not_a_number(a);
    default:
      fail_internal("no comparison: " + std::string(name_of(op)));
  }
}

bool logic(ScalarOp op, bool a, bool b) {
  switch (op) {
    case ScalarOp::logical_not:
      return !a;
    case ScalarOp::logical_and:
      return a && b;
    case ScalarOp::logical_or:
      return a || b;
    case ScalarOp::logical_xor:
      return a != b;
    default:
      fail_internal("no logic: " + std::string(name_of(op)));
  }
}

// Calls visit with a value of the type in which a dtype of numbers is computed.
template <class Visit>
Array with_number_type(DType dtype, Visit visit) {
  switch (compute_class(dtype)) {
    case ComputeClass::real:
      return visit(double{});
    case ComputeClass::signed_int:
      return visit(std::int64_t{});
    case ComputeClass::unsigned_int:
      return visit(std::uint64_t{});
    case ComputeClass::boolean:
      break;
  }
  fail_internal("arithmetic of booleans");
}

// The same for booleans too.
template <class Visit>
Array with_compute_type(DType dtype, Visit visit) {
  return dtype == DType::boolean ? visit(bool{}) : with_number_type(dtype, visit);
}

// Elements of an operand in its compute type, by the number of the element of the result.
template <class T>
class OperandView {
 public:
  OperandView(const Array& array, std::int64_t count)
      : wide_(array.cast(dtype_of<T>())), repeat_(array.count() == 0 ? 1 : count / array.count()) {}
  T operator[](std::int64_t k) const { return wide_.data<T>()[static_cast<std::size_t>(k / repeat_)]; }

 private:
  Array wide_;
  std::int64_t repeat_;
};

template <class In, class Out, class F>
Array map(const std::vector<Array>& operands, std::int64_t count, F function) {
  Array result(dtype_of<Out>(), {count});
  const auto to = result.mutable_data<Out>();
  const OperandView<In> a(operands.front(), count);
  const OperandView<In> b(operands.back(), count);
  for (std::int64_t k = 0; k < count; ++k) to[static_cast<std::size_t>(k)] = function(a[k], b[k]);
  return result;
}

template <class T>
Array select(const std::vector<Array>& operands, std::int64_t count) {
  Array result(dtype_of<T>(), {count});
  const auto to = result.mutable_data<T>();
  const OperandView<bool> condition(operands[0], count);
  const OperandView<T> a(operands[1], count);
  const OperandView<T> b(operands[2], count);
  for (std::int64_t k = 0; k < count; ++k) to[static_cast<std::size_t>(k)] = condition[k] ? a[k] : b[k];
  return result;
}

// What changes no other number: of narrow integers the limits of their dtype.
Array identity_of(Reduction reduction, DType dtype) {
  switch (reduction) {
    case Reduction::sum:
      return Array::scalar(dtype, 0);
    case Reduction::prod:
      return Array::scalar(dtype, 1);
    case Reduction::max:
      return Array::scalar(DType::f64, -std::numeric_limits<double>::infinity()).cast(dtype);
    case Reduction::min:
      break;
  }
  return Array::scalar(DType::f64, std::numeric_limits<double>::infinity()).cast(dtype);
}

template <class T>
T combine(Reduction reduction, T a, T b) {
  switch (reduction) {
    case Reduction::sum:
      return add(a, b);
    case Reduction::prod:
      return multiply(a, b);
    case Reduction::max:
      return larger(a, b);
    case Reduction::min:
      break;
  }
  return smaller(a, b);
}

}  // namespace

Array compute_reference(ScalarOp op, DType dtype, const std::vector<Array>& operands, std::int64_t count) {
  const DType given = operands.front().dtype();
  if (op == ScalarOp::cast) return operands.front().cast(dtype);  // which is the same along the row if this is
  if (op == ScalarOp::select) {
    return with_compute_type(dtype, [&]<class T>(T) { return select<T>(operands, count); }).cast(dtype);
  }
  if (op == ScalarOp::logical_not || op >= ScalarOp::logical_and) {
    return map<bool, bool>(operands, count, [&](bool a, bool b) { return logic(op, a, b); });
  }
  if (dtype == DType::boolean) {
    return with_compute_type(
        given, [&]<class T>(T) { return map<T, bool>(operands, count, [&](T a, T b) { return compare(op, a, b); }); });
  }
  const Array wide = with_number_type(dtype, [&]<class T>(T) {
    return map<T, T>(operands, count, [&](T a, T b) { return number_function<T>(op, a, b); });
  });
  return wide.cast(dtype);
}

Array reduce_reference(Reduction reduction, const Array& operand, std::int64_t rows, std::int64_t row_length) {
  const Array wide = with_number_type(operand.dtype(), [&]<class T>(T) {
    Array result(dtype_of<T>(), {rows});
    const auto to = result.mutable_data<T>();
    const OperandView<T> from(operand, rows * row_length);
    const T start = identity_of(reduction, operand.dtype()).cast(dtype_of<T>()).template data<T>()[0];
    for (std::int64_t row = 0; row < rows; ++row) {
      T total = start;
      for (std::int64_t k = 0; k < row_length; ++k) total = combine(reduction, total, from[row * row_length + k]);
      to[static_cast<std::size_t>(row)] = total;
    }
    return result;
  });
  return wide.cast(operand.dtype());
}

void add_rows_reference(Array& total, const Array& rows) {
  with_number_type(total.dtype(), [&]<class T>(T) {
    const Array wide = rows.cast(dtype_of<T>());
    const auto to = total.mutable_data<T>();
    const auto from = wide.data<T>();
    for (std::size_t k = 0; k < from.size(); ++k) to[k % to.size()] = add(to[k % to.size()], from[k]);
    return total;
  });
}

}  // namespace asg
