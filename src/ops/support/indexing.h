#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/contexts.h"
#include "ops/support/kernels.h"

// Index arithmetic that the ops of the families `shape` and `indexing` share.
namespace asg::ops {

// Axes normalised in the order they were given; naming one twice is refused (bad_index).
std::vector<int> distinct_axes(const std::vector<std::int64_t>& axes, int rank);

// The elements start, start + step, … that a slice takes from an axis.
struct SliceRange {
  std::int64_t start = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

// NumPy's rule: negative positions count from the end, and what lies outside the axis is cut off. `step` is not 0.
SliceRange slice_range(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size);
// The number of elements where positions or size may be symbols; nothing where their signs cannot be told.
std::optional<Dim> slice_count(const Dim& start, const Dim& end, std::int64_t step, const Dim& size);

// Slice and its gradient take the inputs starts, ends, axes? and steps? from input `first` on.
// The shape of that part of `shape`: lengths that cannot be told while building become fresh symbols.
Shape slice_shape(InferContext& ctx, const Shape& shape, int first);
// The axes that such a slice cuts, of a tensor of the given rank, as the body of an op sees them.
std::vector<int> sliced_axes(const BodyContext& ctx, int first, int rank);
// The ranges of a slice of known numbers, one for each axis of `sizes`.
std::vector<SliceRange> slice_ranges(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& ends,
                                     const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& steps,
                                     const Sizes& sizes);
// That part of `array` as a view.
Array slice_view(const KernelContext& ctx, const Array& array, int first);

// An index into an axis of length `size`, where -1 is the last. Throws computation_error.
std::int64_t wrapped_index(std::int64_t index, std::int64_t size, std::string_view op);

// GatherElements and ScatterElements: an index for each element, counted along `axis` of a tensor of shape `x`; on the
// other axes the index stands where its element does. Throws bad_shape.
void check_element_indices(const Shape& x, const Shape& indices, int axis);

// Calls visit(position of the index, offset of the element in a dense array of `sizes`) for each index, in order.
template <class Visit>
void for_each_element_index(const Array& indices, const Sizes& sizes, int axis, std::string_view op, Visit visit) {
  const auto along = static_cast<std::size_t>(axis);
  const std::int64_t* numbers = indices.data<std::int64_t>().data();
  Sizes strides = dense_strides(sizes);
  const std::int64_t stride = std::exchange(strides[along], 0);
  const auto walk = make_walk<2>(indices.sizes(), {dense_strides(indices.sizes()), strides});
  for_each_run(walk, [&](const auto& offsets, const auto& steps, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t position = offsets[0] + k * steps[0];
      visit(position, offsets[1] + k * steps[1] + wrapped_index(numbers[position], sizes[along], op) * stride);
    }
  });
}

// The length of one axis as an integer vector of one element, for rules that build targets of other ops.
Tensor length_of(const Tensor& tensor, int axis);

// max(0, dim), without a trace of the 0 where the dim is never negative.
Dim not_negative(const Dim& dim);

// Whether two lengths are certainly different: both known, or one expression that cannot be the other.
bool surely_differ(const Dim& a, const Dim& b);

}  // namespace asg::ops
