#include "ops/arithmetic/extreme_parts.h"

#include <utility>

#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {

OpCard extreme_op(OpCard own, std::string_view comparison) {
  own.body = [comparison](BodyContext& ctx) {
    variadic_body(ctx, [comparison](const Tensor& result, const Tensor& next) {
      const Tensor beyond = add_op(comparison, {next, result});
      // NaN, which must win, is the one value that differs from itself.
      const Tensor is_nan = add_op("Not", {add_op("Equal", {next, next})});
      return choose(add_op("Or", {beyond, is_nan}), next, result);
    });
  };
  own.gradient = gradient_to_first_chosen;
  own.peer_differences = {
      {{"ties_nan_and_infinity"}, "the first of tied inputs takes the whole gradient; PyTorch shares it among them"}};
  own.tolerance = kExact;
  return variadic_op(std::move(own));
}

std::vector<Sample> extreme_samples(const std::vector<std::int64_t>& of_integers,
                                    std::vector<double> of_special_values) {
  return join({variadic_samples(),
               {{.name = "integers",
                 .inputs = {in_ints({3}, {1, -2, 3}), in_ints({3}, {2, -5, 3})},
                 .gradient = false,
                 .expected = {Array::ints(of_integers)}},
                exact2("ties_nan_and_infinity", {1, kNan, 1, -kInfinity, 2}, {1, 1, kNan, 0, kInfinity},
                       std::move(of_special_values))}});
}

}  // namespace asg::ops
