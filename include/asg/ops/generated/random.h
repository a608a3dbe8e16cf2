// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct DropoutOptions {
  // the probability with which an element is dropped
  double ratio = 0.5;
};

struct DropoutOutputs {
  // x with elements dropped and the rest scaled up
  Tensor y;
  // true where an element was kept
  Tensor mask;
};

// Sets each element to zero with probability `ratio` and divides the others by 1 - ratio, so that sums keep their
// expected value. Which elements go depends only on seed, step and the node, so a run can be repeated exactly; the mask
// is an output, because the gradient passes the same places.
//   y_i = m_i x_i / (1 − r),  P(m_i = 1) = 1 − r
inline DropoutOutputs dropout(const Tensor& x, const Tensor& seed, const Tensor& step,
                              const DropoutOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("ratio", options.ratio);
  const std::vector<Tensor> outputs = add_node("Dropout", {x, seed, step}, std::move(call));
  return {outputs[0], outputs[1]};
}

}  // namespace asg
