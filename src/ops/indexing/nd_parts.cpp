#include "ops/indexing/nd_parts.h"

#include <string>

#include "asg/graph/graph.h"
#include "ops/support/gradients.h"

namespace asg::ops {

Shape nd_slices(const Shape& x, const Shape& indices, int batch_dims) {
  const std::string given = "indices of shape " + indices.to_string() + " into a tensor of shape " + x.to_string();
  if (indices.rank() == 0 || !indices[indices.rank() - 1].is_known()) {
    fail(ErrorCode::bad_shape, given, "indices whose last axis has a length that is known while building");
  }
  const std::int64_t width = indices[indices.rank() - 1].value();
  if (batch_dims >= indices.rank() || batch_dims + width > x.rank()) {
    fail(ErrorCode::bad_shape,
         given + (batch_dims == 0 ? "" : ", with " + std::to_string(batch_dims) + " axes of a batch"),
         "rows of at most as many numbers as the tensor has axes after those of the batch");
  }
  for (int axis = 0; axis < batch_dims; ++axis) {
    if (!surely_differ(x[axis], indices[axis])) continue;
    fail(ErrorCode::bad_shape, given, "the same length for both on axis " + std::to_string(axis) + " of the batch");
  }
  std::vector<Dim> dims(indices.begin(), indices.end() - 1);
  dims.insert(dims.end(), x.begin() + batch_dims + width, x.end());
  return Shape(std::move(dims));
}

Tensor with_batch_places(const Tensor& indices, int batch_dims) {
  Graph& graph = indices.graph();
  const int last = indices.rank() - 1;
  const Tensor numbers = indices.dtype() == DType::i64 ? indices : add_op("Cast", {indices}, {{"to", DType::i64}});
  if (batch_dims == 0) return numbers;
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor one = graph.constant(Array::scalar_i64(1));
  const Tensor lead = add_op("Shape", {indices}, {{"end", last}});
  const Tensor target = add_op("Concat", {lead, ints(graph, {1})}, {{"axis", 0}});
  std::vector<Tensor> columns;
  for (int axis = 0; axis < batch_dims; ++axis) {
    const Tensor length = add_op("Squeeze", {length_of(indices, axis), ints(graph, {0})});
    const Tensor places = add_op("Range", {zero, length, one});
    std::vector<std::int64_t> along(static_cast<std::size_t>(indices.rank()), 1);
    along[static_cast<std::size_t>(axis)] = -1;
    columns.push_back(add_op("Expand", {add_op("Reshape", {places, ints(graph, along)}), target}));
  }
  columns.push_back(numbers);
  return add_op("Concat", columns, {{"axis", last}});
}

Port nd_indices() {
  return {
      .name = "indices",
      .dtypes = kIndex,
      .type = "I",
      .words = {"rows of numbers along the last axis: a place on the first axis, on the second, and so on; -1 is the "
                "last",
                "строки чисел вдоль последней оси: место на первой оси, на второй и так далее; −1 — последнее"},
      .differentiable = false};
}

}  // namespace asg::ops
