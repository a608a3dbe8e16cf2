// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Writes a product of tensors as physicists do, with a letter for every axis: axes with the same letter move together,
// and over a letter that does not appear in the result the products are summed. "ij,jk->ik" is the matrix product,
// "ij->ji" the transpose, "ii->i" the diagonal.
//   y_ik = ∑_j a_ij b_jk
// equation: letters for the axes of each operand and, after an arrow, for those of the result: "ij,jk->ik"; '...'
// stands for all axes that have no letter
inline Tensor einsum(const std::vector<Tensor>& operands, const std::string& equation,
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("equation", equation);
  return add_node("Einsum", node_inputs({}, operands), std::move(call))[0];
}

struct GemmOptions {
  // the factor of the product
  double alpha = 1.0;
  // the factor of c
  double beta = 1.0;
  // transpose a first
  bool trans_a = false;
  // transpose b first
  bool trans_b = false;
};

// The general matrix product of numerical libraries: two matrices are multiplied, each transposed first if asked, the
// product is scaled, and a scaled third matrix is added. The third may be a row, a column or one number, which is then
// spread over all.
//   y = α A B + β C
inline Tensor gemm(const Tensor& a, const Tensor& b, const Tensor& c = {}, const GemmOptions& options = {},
                   SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("alpha", options.alpha);
  call.attrs.set("beta", options.beta);
  call.attrs.set("transA", options.trans_a);
  call.attrs.set("transB", options.trans_b);
  return add_node("Gemm", {a, b, c}, std::move(call))[0];
}

// Multiplies matrices: each element of the result is a row of a times a column of b, summed. Axes before the last two
// are a batch and are broadcast, so one matrix can meet many. A vector counts as a row on the left and as a column on
// the right, and that axis is gone from the result.
//   y_ij = ∑_k a_ik b_kj
inline Tensor mat_mul(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("MatMul", {a, b}, {.where = where})[0];
}

struct TriluOptions {
  // keep the triangle above the diagonal (true) or below it (false)
  bool upper = true;
};

// Keeps the upper or the lower triangle of each matrix and sets the rest to zero. `k` moves the bounding diagonal to
// the right, or with a negative number to the left; the diagonal itself is kept.
//   y_ij = { x_ij, j ≥ i + k (upper); x_ij, j ≤ i + k (lower); 0, otherwise }
inline Tensor trilu(const Tensor& x, const Ints& k = {}, const TriluOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("upper", options.upper);
  return add_node("Trilu", {x, k}, std::move(call))[0];
}

}  // namespace asg
