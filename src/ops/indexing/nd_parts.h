#pragma once

#include <string_view>

#include "asg/graph/card.h"
#include "ops/support/indexing.h"

// What GatherND and ScatterND have in common: rows of numbers that lead to a slice of a tensor.
namespace asg::ops {

// The lengths of one slice for each row of indices. Throws bad_shape.
Shape nd_slices(const Shape& x, const Shape& indices, int batch_dims);

// Rows of indices that say where in the batch they stand, so that no axes are shared any more.
Tensor with_batch_places(const Tensor& indices, int batch_dims);

// Calls visit(number of the row, offset of its slice) for each row of indices into a dense array of `sizes`, of which
// the first `batch_dims` axes are those of the indices themselves.
template <class Visit>
void for_each_nd_index(const Array& indices, const Sizes& sizes, int batch_dims, std::string_view op, Visit visit) {
  const std::span<const std::int64_t> all(indices.sizes());
  const auto batch = static_cast<std::size_t>(batch_dims);
  const auto width = static_cast<std::size_t>(all.back());
  const std::int64_t rows = element_count(all.first(all.size() - 1));
  const std::int64_t batches = element_count(all.first(batch));
  const Sizes strides = dense_strides(sizes);
  const std::int64_t batch_stride = element_count(std::span(sizes).subspan(batch));
  const std::int64_t* numbers = indices.data<std::int64_t>().data();
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t offset = row / (rows / batches) * batch_stride;
    for (std::size_t k = 0; k < width; ++k)
      offset += wrapped_index(*numbers++, sizes[batch + k], op) * strides[batch + k];
    visit(row, offset);
  }
}

Port nd_indices();

}  // namespace asg::ops
