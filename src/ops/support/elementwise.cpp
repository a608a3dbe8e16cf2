#include "ops/support/elementwise.h"

#include <utility>

#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {
namespace {

// What all elementwise ops have in common.
void complete(OpCard& own, std::vector<Port> inputs, std::vector<Port> outputs, void (*infer)(InferContext&),
              std::vector<BadSample> bad_samples) {
  if (own.inputs.empty()) own.inputs = std::move(inputs);
  if (own.outputs.empty()) own.outputs = std::move(outputs);
  if (!own.infer) own.infer = infer;
  if (own.bad_samples.empty()) own.bad_samples = std::move(bad_samples);
  own.traits.elementwise = true;
  if (own.gradient) own.gradient_kind = GradientKind::rule;
}

}  // namespace

OpCard unary_op(OpCard own, DTypeSet dtypes) {
  const BadSample refusal = dtypes.contains(DType::i64) ? refuse_bools() : refuse_integers();
  complete(own, x_port(dtypes), y_port(dtypes), infer_same, {refusal});
  return own;
}

OpCard float_function(OpCard own, double (*f)(double)) {
  own.kernel = [f](KernelContext& ctx) { unary<double>(ctx, f); };
  return unary_op(std::move(own));
}

OpCard maths_function(OpCard own, double (*f)(double)) {
  own.category = Category::maths;
  if (!own.cost) own.cost = cost_per_output(kTranscendental);
  return float_function(std::move(own), f);
}

OpCard rounding(OpCard own, double (*f)(double)) {
  own.category = Category::arithmetic;
  own.gradient_kind = GradientKind::zero;
  own.tolerance = kExact;
  return float_function(std::move(own), f);
}

std::vector<Sample> rounding_samples(std::vector<double> inputs, std::vector<double> expected) {
  return {{.name = "rank_3", .inputs = {in({2, 3, 4}, -3, 3)}, .gradient = false},
          {.name = "no_elements", .inputs = {in({0, 2})}, .gradient = false},
          exact("steps", std::move(inputs), std::move(expected)),
          exact("extremes", {kInfinity, -kInfinity, kNan}, {kInfinity, -kInfinity, kNan})};
}

OpCard binary_op(OpCard own, DTypeSet dtypes) {
  complete(own, operand_ports(dtypes), broadcast_port(dtypes), infer_broadcast,
           {refuse_broadcast(), refuse_mixed_dtypes(), refuse_bool_operands()});
  return own;
}

OpCard variadic_op(OpCard own, DTypeSet dtypes) {
  own.category = Category::arithmetic;
  const BadSample refusal = dtypes.contains(DType::i64) ? refuse_mixed_dtypes() : refuse_integers();
  complete(own, variadic_ports(dtypes), broadcast_port(dtypes), infer_broadcast,
           {refuse_broadcast(), refusal, refuse_bools()});
  return own;
}

std::vector<Sample> variadic_samples() {
  return {
      {.name = "two", .inputs = {distinct({2, 3, 4}), in({2, 3, 4}, -2, 2)}},
      {.name = "three_broadcast", .inputs = {in({2, 3, 4}, -1, 1), in({3, 1}, -1, 1), in({}, -0.5, 0.5)}},
      {.name = "broadcast_first", .inputs = {in({4}), distinct({2, 3, 4}, -2, 2)}},
      {.name = "one", .inputs = {in({2, 3, 4})}},
      {.name = "scalars", .inputs = {in({}), in({})}, .gradient = false},
      {.name = "no_elements", .inputs = {in({2, 0}), in({1})}, .gradient = false},
  };
}

}  // namespace asg::ops
