// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

struct CompressOptions {
  // the axis of the slices; by default x is flattened and single elements are kept
  std::int64_t axis = 9223372036854775807;
};

// Keeps the slices along an axis whose condition is true and drops the others, so that the axis gets shorter; how much
// shorter, only the data decide. Without an axis it keeps single elements of the flattened tensor.
//   y = (x_i : c_i)
inline Tensor compress(const Tensor& x, const Tensor& condition, const CompressOptions& options = {},
                       SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Compress", {x, condition}, std::move(call))[0];
}

struct GatherOptions {
  // the axis that the indices count along; -1 is the last
  std::int64_t axis = 0;
};

// Looks up slices of a tensor by their position: index 3 with axis 0 of a matrix gives its fourth row. The indices may
// have any shape and may repeat; that shape takes the place of the axis in the result. An index beyond the axis is an
// error.
//   y_bja = x_(b I_j a)
inline Tensor gather(const Tensor& x, const Tensor& indices, const GatherOptions& options = {},
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Gather", {x, indices}, std::move(call))[0];
}

struct GatherElementsOptions {
  // the axis that the indices count along; -1 is the last
  std::int64_t axis = 0;
};

// Picks single elements: each index says how far to go along one axis, while on the other axes the element's own place
// is kept. So every row can pick another column, which Gather cannot do.
//   y_bja = x_(b I_bja a)
inline Tensor gather_elements(const Tensor& x, const Tensor& indices, const GatherElementsOptions& options = {},
                              SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("GatherElements", {x, indices}, std::move(call))[0];
}

struct GatherGradOptions {
  // the axis that the indices count along
  std::int64_t axis = 0;
};

// Starts with zeros of the given shape and adds each slice of the gradient at the position it was picked from. A
// position that was picked twice receives both contributions, one never picked stays zero.
//   y_bia = ∑_(j:I_j=i) g_bja
inline Tensor gather_grad(const Tensor& grad, const Tensor& indices, const Ints& shape,
                          const GatherGradOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("GatherGrad", {grad, indices, shape}, std::move(call))[0];
}

struct GatherNDOptions {
  // how many axes at the front are those of a batch: the rows of a batch element pick only from that element
  std::int64_t batch_dims = 0;
};

// Picks by several coordinates at once: each row of the indices is an address, its first number a place on the first
// axis, its second on the next. A row as long as the rank leads to one element, a shorter one to a slice.
//   y_ja = x_(I_j0 I_j1 … a)
inline Tensor gather_nd(const Tensor& x, const Tensor& indices, const GatherNDOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("batch_dims", options.batch_dims);
  return add_node("GatherND", {x, indices}, std::move(call))[0];
}

struct GridSampleOptions {
  // how values between pixels are found: from four, one or sixteen of them
  std::string mode = "bilinear";
  // what stands outside the picture: zeros, its last pixels, or its mirror image
  std::string padding_mode = "zeros";
  // whether -1 and 1 are the middles of the corner pixels, or the edges of the picture
  bool align_corners = false;
};

// Looks at a picture at the places that a grid names, also between pixels, and builds a new picture of what it sees
// there. In the formula u and v are the places in pixels and k is the weight that `mode` gives to a distance. Places
// get gradients too, so a network can learn where to look.
//   y_ncij = ∑_h ∑_w k(v_nij − h) k(u_nij − w) x_nchw
inline Tensor grid_sample(const Tensor& x, const Tensor& grid, const GridSampleOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("mode", options.mode);
  call.attrs.set("padding_mode", options.padding_mode);
  call.attrs.set("align_corners", options.align_corners);
  return add_node("GridSample", {x, grid}, std::move(call))[0];
}

// Lists in row-major order where the elements stand that are not 0, or are true; NaN is not 0. Each column of the
// result holds the coordinates of one of them. How many there are depends on the data, so the length of the result is
// known only in a run.
//   y = {i : x_i ≠ 0}
inline Tensor non_zero(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("NonZero", {x}, {.where = where})[0];
}

struct OneHotOptions {
  // where the new axis stands in the result; -1 is the last place
  std::int64_t axis = -1;
};

// Turns each class number into a vector of `depth` numbers: with the values 0 and 1 it is 1 at the place of the class
// and 0 elsewhere. A number outside -depth to depth - 1 marks no place, which serves as an "ignore this" label.
//   y_jc = { v₁, c = I_j; v₀, otherwise }
inline Tensor one_hot(const Tensor& indices, const Tensor& depth, const Tensor& values,
                      const OneHotOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("OneHot", {indices, depth, values}, std::move(call))[0];
}

// Counts: the numbers from `start` in steps of `delta`, as long as they have not reached `limit`. From 0 to 4 by 1
// gives [0, 1, 2, 3]; a `delta` that leads away from `limit` gives nothing, and a `delta` of 0 is an error. Floats work
// too: each is computed from the start, so that no error adds up.
//   y_k = s + k d,  0 ≤ k < ⌈(l − s) / d⌉
inline Tensor range(const Tensor& start, const Tensor& limit, const Tensor& delta,
                    SourceLocation where = SourceLocation::current()) {
  return add_node("Range", {start, limit, delta}, {.where = where})[0];
}

struct ScatterElementsOptions {
  // the axis that the indices count along; -1 is the last
  std::int64_t axis = 0;
  // none replaces elements, and no element may be named twice; the others combine all updates of a place with what
  // stands there
  std::string reduction = "none";
};

// Writes elements into a copy of a tensor: each index says how far to go along one axis, while on the other axes the
// update's own place is kept. By default they replace what is there, and two for one place are an error; with a
// reduction several may meet and are added to it, multiplied with it, or compared with it.
//   y_(b I_bja a) = u_bja
inline Tensor scatter_elements(const Tensor& x, const Tensor& indices, const Tensor& updates,
                               const ScatterElementsOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("reduction", options.reduction);
  return add_node("ScatterElements", {x, indices, updates}, std::move(call))[0];
}

struct ScatterNDOptions {
  // none replaces elements, and no element may be named twice; the others combine all updates of a place with what
  // stands there
  std::string reduction = "none";
};

// Writes slices into a copy of a tensor at addresses of several coordinates: GatherND backwards. By default slices
// replace what is there; where two rows lead to one place, a reduction must say how they meet: by sum, product, maximum
// or minimum.
//   y_(I_j0 I_j1 … a) = u_ja
inline Tensor scatter_nd(const Tensor& x, const Tensor& indices, const Tensor& updates,
                         const ScatterNDOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("reduction", options.reduction);
  return add_node("ScatterND", {x, indices, updates}, std::move(call))[0];
}

struct SortOptions {
  // the axis along which to sort; -1 is the last
  std::int64_t axis = -1;
  // whether the largest comes first
  bool descending = false;
};

struct SortOutputs {
  // the numbers in order
  Tensor values;
  // where along the axis each of them stood
  Tensor indices;
};

// Puts the elements along an axis into rising or falling order and tells where each of them came from. Equal elements
// keep their order, and NaN counts as larger than every number. The gradient takes every element back to its old place.
//   y_j = x_(I_j),  y₀ ≤ y₁ ≤ … ≤ y_(n−1)
inline SortOutputs sort(const Tensor& x, const SortOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("descending", options.descending);
  const std::vector<Tensor> outputs = add_node("Sort", {x}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct TopKOptions {
  // the axis along which to choose; -1 is the last
  std::int64_t axis = -1;
  // choose the largest (true) or the smallest (false)
  bool largest = true;
  // the most extreme one first (true), or in the order in which they stood (false)
  bool sorted = true;
};

struct TopKOutputs {
  // the chosen elements
  Tensor values;
  // where along the axis they stood
  Tensor indices;
};

// Picks the k largest, or smallest, elements along an axis, and tells where each of them stood. Of equal elements the
// one with the lower position is preferred; NaN counts as larger than every number. Only the chosen elements receive a
// gradient.
//   y_j = x_(I_j),  x_(I₀) ≥ x_(I₁) ≥ … ≥ x_(I_(k−1))
inline TopKOutputs top_k(const Tensor& x, const Ints& k, const TopKOptions& options = {},
                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("largest", options.largest);
  call.attrs.set("sorted", options.sorted);
  const std::vector<Tensor> outputs = add_node("TopK", {x, k}, std::move(call));
  return {outputs[0], outputs[1]};
}

// Chooses between two tensors place by place: x where the condition is true, y elsewhere; all three are broadcast
// together. What is not chosen has no influence, NaN included, and gets no gradient.
//   z = { x, condition; y, otherwise }
inline Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y,
                    SourceLocation where = SourceLocation::current()) {
  return add_node("Where", {condition, x, y}, {.where = where})[0];
}

}  // namespace asg
