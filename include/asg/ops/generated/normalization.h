// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

struct LayerNormalizationOptions {
  // the first axis to normalise over; all after it are included
  std::int64_t axis = -1;
  // added to the variance, so that equal numbers do not divide by zero
  double epsilon = 1e-05;
};

// Brings the numbers of each row (of the axes from `axis` on) to mean 0 and variance 1, then multiplies them by a scale
// and adds a bias, both learned. Every row is treated on its own, so the result does not depend on the rest of the
// batch.
//   y = ((x − μ) / √(σ² + ε)) · γ + β
inline Tensor layer_normalization(const Tensor& x, const Tensor& scale, const Tensor& bias = {},
                                  const LayerNormalizationOptions& options = {},
                                  SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("epsilon", options.epsilon);
  return add_node("LayerNormalization", {x, scale, bias}, std::move(call))[0];
}

}  // namespace asg
