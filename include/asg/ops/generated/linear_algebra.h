// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// Multiplies matrices: each element of the result is a row of a times a column of b, summed. Axes before the last two
// are a batch and are broadcast, so one matrix can meet many. A vector counts as a row on the left and as a column on
// the right.
//   y_ij = ∑_k a_ik b_kj
inline Tensor mat_mul(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("MatMul", {a, b}, {.where = where})[0];
}

struct TriluOptions {
  // keep the triangle above the diagonal (true) or below it (false)
  bool upper = true;
  // which diagonal bounds it: 0 the main one, 1 the one above, -1 the one below
  std::int64_t k = 0;
};

// Keeps the upper or the lower triangle of each matrix and sets the rest to zero. `k` moves the bounding diagonal to
// the right, or with a negative number to the left; the diagonal itself is kept.
//   y_ij = { x_ij, j ≥ i + k; 0, otherwise }
inline Tensor trilu(const Tensor& x, const TriluOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("upper", options.upper);
  call.attrs.set("k", options.k);
  return add_node("Trilu", {x}, std::move(call))[0];
}

}  // namespace asg
