#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"
#include "ops/support/kernels.h"

// What the reductions over any axes have in common.
namespace asg::ops {

// The card of a reduction with everything but kernel or body, gradient rule, mappings, words and samples.
OpCard reduction_card(std::string name, DTypeSet dtypes);

// The samples of all reductions with numbers from another range than -1 to 1.
std::vector<Sample> reduction_samples(double low, double high);
// One exact case, forward only: each row of a matrix reduced to one number.
Sample exact_rows(std::string name, const std::vector<std::vector<double>>& rows, const std::vector<double>& expected,
                  Attrs attrs = {});

// Another reduction of `tensor` along the axes of this one and with its attributes.
Tensor reduce_same(const BodyContext& ctx, std::string_view op, const Tensor& tensor);

// Gives out the result of a body that kept the reduced axes, without them where `keepdims` says so.
void output_reduced(BodyContext& ctx, const Tensor& kept, const std::vector<std::int64_t>& axes);

// The number of elements of each group that a reduction of x along `axes` makes, less `less`: its reciprocal, as a
// scalar of the dtype of x. Lengths that are symbols are multiplied when the graph runs, in a dtype that holds large
// counts.
Tensor reciprocal_count(const Tensor& x, const std::vector<std::int64_t>& axes, std::int64_t less);

// A fold of f64 in two passes, for results that need to know something of their group first: pivots are folded by
// `first` from `start`, then term(x, pivot) is summed over each group.
struct Pivoted {
  Array pivots;  // of the sizes of the input, reduced axes as 1
  Array sums;    // the same
};
template <class First, class Term>
Pivoted fold_around_pivots(const Array& in, const std::vector<int>& axes, double start, First first, Term term) {
  Sizes kept = in.sizes();
  for (int axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  Pivoted result{Array(DType::f64, kept), Array(DType::f64, kept)};
  fold_axes<double>(in, axes, result.pivots, start, first);
  Array terms(DType::f64, in.sizes());
  binary_broadcast<double, double, double>(in, result.pivots, terms, term);
  fold_axes<double>(terms, axes, result.sums, 0, wrapping_add<double>);
  return result;
}

}  // namespace asg::ops
