#include "support/compare.h"

#include <algorithm>
#include <cmath>

namespace asg::test {
namespace {

double largest_magnitude(const Array& array) {
  double largest = 1;
  for (std::int64_t position = 0; position < array.count(); ++position) {
    const double value = std::fabs(array.get(position));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

bool agree(double actual, double expected, double allowed) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return actual == expected;
  return std::fabs(actual - expected) <= allowed;
}

}  // namespace

double tolerance_for(const Tolerance& tolerance, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return tolerance.f64;
    case DType::f32:
      return tolerance.f32;
    case DType::f16:
      return tolerance.f16;
    case DType::bf16:
      return tolerance.bf16;
    default:
      return 0;
  }
}

testing::AssertionResult near(const Array& actual, const Array& expected, double tolerance) {
  if (actual.sizes() != expected.sizes()) {
    return testing::AssertionFailure() << actual.type_string() << " instead of " << expected.type_string();
  }
  const double allowed = tolerance * largest_magnitude(expected);
  for (std::int64_t position = 0; position < expected.count(); ++position) {
    if (agree(actual.get(position), expected.get(position), allowed)) continue;
    return testing::AssertionFailure() << "element " << position << " is " << actual.get(position) << " instead of "
                                       << expected.get(position) << " (allowed difference " << allowed << ")\n"
                                       << "actual:   " << actual.type_string() << " " << actual.to_string() << "\n"
                                       << "expected: " << expected.type_string() << " " << expected.to_string();
  }
  return testing::AssertionSuccess();
}

bool is_of(const TensorType& type, const Array& array) {
  if (array.dtype() != type.dtype || array.rank() != type.shape.rank()) return false;
  for (int axis = 0; axis < array.rank(); ++axis) {
    const Dim& dim = type.shape[axis];
    if (dim.is_known() && dim.value() != array.sizes()[static_cast<std::size_t>(axis)]) return false;
  }
  return true;
}

testing::AssertionResult identical(const Array& actual, const Array& expected) {
  if (bit_equal(actual, expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << actual.type_string() << " " << actual.to_string() << " instead of "
                                     << expected.type_string() << " " << expected.to_string();
}

}  // namespace asg::test
