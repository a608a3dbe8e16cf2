#include "ops/comparison/comparison_parts.h"

#include <utility>

#include "ops/support/elementwise.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {
namespace {

void set_flat(OpCard& own) {
  own.category = Category::comparison;
  own.outputs = bool_port();
  own.infer = infer_broadcast_to_bool;
  own.gradient_kind = GradientKind::zero;
  own.gradient_reason =
      "A comparison jumps between false and true and is flat elsewhere, so its slope is 0 wherever it has one.";
  own.tolerance = kExact;
}

}  // namespace

OpCard comparison(OpCard own, DTypeSet dtypes) {
  set_flat(own);
  return binary_op(std::move(own), dtypes);
}

OpCard question(OpCard own) {
  set_flat(own);
  return unary_op(std::move(own));
}

std::vector<Sample> comparison_samples(const std::vector<bool>& of_floats, const std::vector<bool>& of_integers) {
  return join({binary_samples({}, {}, false),
               {{.name = "ties_and_nan",
                 .inputs = {in_exact(reals({1, 2, kNan, kInfinity, 0, 3})), in_exact(reals({1, 1, 0, 5, -0.0, kNan}))},
                 .gradient = false,
                 .expected = {bools(of_floats)}},
                {.name = "integers",
                 .inputs = {in_ints({3}, {1, 2, -3}), in_ints({3}, {1, -2, -1})},
                 .gradient = false,
                 .expected = {bools(of_integers)}}}});
}

std::vector<Sample> question_samples(const std::vector<double>& extremes, const std::vector<bool>& expected,
                                     const Attrs& attrs) {
  std::vector<Sample> samples = unary_samples();
  samples.push_back({.name = "extremes", .inputs = {in_exact(reals(extremes))}, .expected = {bools(expected)}});
  for (Sample& sample : samples) sample.gradient = false;
  return with_attrs(std::move(samples), attrs);
}

}  // namespace asg::ops
