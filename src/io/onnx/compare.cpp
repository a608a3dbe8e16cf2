#include "io/onnx/compare.h"

#include <cmath>

#include "asg/graph/attributes.h"

namespace asg::io {
namespace {

struct Bounds {
  double relative = 1e-3;
  double absolute = 1e-5;
};

// The official bounds fit f32 and f16; f64 can be held to more. The data were cut off to bf16, where this engine
// rounds: a step of bf16 is between the two.
Bounds bounds_of(DType dtype) {
  if (dtype == DType::f64) return {1e-7, 1e-9};
  if (dtype == DType::bf16) return {1.0 / 128, 1e-5};
  return {};
}

bool close(double got, double expected, const Bounds& bounds) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (std::isinf(got) || std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= bounds.absolute + bounds.relative * std::abs(expected);
}

std::string number(const Array& array, std::int64_t position) {
  return is_float(array.dtype()) ? Attr(array.get(position)).to_string() : std::to_string(array.get_i64(position));
}

}  // namespace

std::string difference(const Array& got, const Array& expected) {
  if (got.dtype() != expected.dtype() || got.sizes() != expected.sizes()) {
    return got.type_string() + " instead of " + expected.type_string();
  }
  const bool exact = !is_float(got.dtype());
  const Bounds bounds = bounds_of(got.dtype());
  std::int64_t wrong = 0;
  std::int64_t first = 0;
  for (std::int64_t position = 0; position < got.count(); ++position) {
    const bool same = exact ? got.get_i64(position) == expected.get_i64(position)
                            : close(got.get(position), expected.get(position), bounds);
    if (same) continue;
    if (wrong++ == 0) first = position;
  }
  if (wrong == 0) return "";
  return std::to_string(wrong) + " of " + std::to_string(got.count()) + " elements differ, the first at " +
         std::to_string(first) + ": " + number(got, first) + " instead of " + number(expected, first);
}

}  // namespace asg::io
