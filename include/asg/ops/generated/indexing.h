// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

struct GatherOptions {
  // the axis that the indices count along; -1 is the last
  std::int64_t axis = 0;
};

// Looks up slices of a tensor by their position: index 3 with axis 0 of a matrix gives its fourth row. The indices may
// have any shape and may repeat; that shape takes the place of the axis in the result.
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

struct GridSampleOptions {
  // how values between pixels are found: from four, one or sixteen of them
  std::string mode = "bilinear";
  // what stands outside the picture: zeros, its last pixels, or its mirror image
  std::string padding_mode = "zeros";
  // whether -1 and 1 are the middles of the corner pixels, or the edges of the picture
  bool align_corners = false;
};

// Looks at a picture at the places that a grid names, also between pixels, and builds a new picture of what it sees
// there. The places may come from the network itself: the gradient tells it where to look instead.
//   y_ncij = ∑_h ∑_w k(v_nij − h) k(u_nij − w) x_nchw
inline Tensor grid_sample(const Tensor& x, const Tensor& grid, const GridSampleOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("mode", options.mode);
  call.attrs.set("padding_mode", options.padding_mode);
  call.attrs.set("align_corners", options.align_corners);
  return add_node("GridSample", {x, grid}, std::move(call))[0];
}

struct OneHotOptions {
  // where the new axis stands in the result; -1 is the last place
  std::int64_t axis = -1;
  // the type of the result
  DType dtype = DType::f32;
};

// Turns each class number into a vector of `depth` numbers: 1 at the place of the class, 0 elsewhere. A number outside
// -depth to depth - 1 gives zeros only, which serves as an "ignore this" label.
//   y_jc = { 1, c = I_j; 0, otherwise }
// depth: the number of classes
inline Tensor one_hot(const Tensor& indices, std::int64_t depth, const OneHotOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("depth", depth);
  call.attrs.set("axis", options.axis);
  call.attrs.set("dtype", options.dtype);
  return add_node("OneHot", {indices}, std::move(call))[0];
}

// Counts: the integers from `start` in steps of `delta`, as long as they have not reached `limit`. From 0 to 4 by 1
// gives [0, 1, 2, 3].
//   y_k = s + k d,  0 ≤ k < ⌈(l − s) / d⌉
inline Tensor range(Graph& graph, const Ints& start, const Ints& limit, const Ints& delta,
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.graph = &graph;
  return add_node("Range", {start, limit, delta}, std::move(call))[0];
}

struct ScatterElementsOptions {
  // the axis that the indices count along; -1 is the last
  std::int64_t axis = 0;
  // none replaces elements, and no element may be named twice; add sums into them
  std::string reduction = "none";
};

// Writes elements into a copy of a tensor: each index says how far to go along one axis, while on the other axes the
// update's own place is kept. With reduction `add` the updates are added to what is there, and several may meet in one
// place.
//   y_(b I_bja a) = u_bja
inline Tensor scatter_elements(const Tensor& x, const Tensor& indices, const Tensor& updates,
                               const ScatterElementsOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("reduction", options.reduction);
  return add_node("ScatterElements", {x, indices, updates}, std::move(call))[0];
}

// Chooses between two tensors place by place: x where the condition is true, y elsewhere; all three are broadcast
// together. What is not chosen has no influence, NaN included, and gets no gradient.
//   z = { x, condition; y, otherwise }
inline Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y,
                    SourceLocation where = SourceLocation::current()) {
  return add_node("Where", {condition, x, y}, {.where = where})[0];
}

}  // namespace asg
