// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Puts tensors behind each other along one axis. Their lengths on that axis add up; on all other axes they must be
// equal. Joining [2, 3] and [4, 3] along axis 0 gives [6, 3].
//   y = [x₁; x₂; …; x_n]
// axis: the axis along which they are joined; -1 is the last
inline Tensor concat(const std::vector<Tensor>& inputs, std::int64_t axis,
                     SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", axis);
  return add_node("Concat", node_inputs({}, inputs), std::move(call))[0];
}

// Repeats a tensor until it has the given shape: axes of length 1 are stretched and missing axes are added in front.
// The result is the same as broadcasting it against a tensor of that shape.
//   y_ij = x_0j
inline Tensor expand(const Tensor& x, const Ints& shape, SourceLocation where = SourceLocation::current()) {
  return add_node("Expand", {x, shape}, {.where = where})[0];
}

// Passes its input on unchanged. A compiler removes it.
//   y = x
inline Tensor identity(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Identity", {x}, {.where = where})[0];
}

// Adds a margin of one value around a tensor: for each axis so many elements before its first and so many after its
// last. Negative numbers cut elements off instead, so padding by the negated numbers undoes it.
//   y_i = { x_(i−b), 0 ≤ i − b < n; v, otherwise }
inline Tensor pad(const Tensor& x, const Ints& pads, const Tensor& value = {},
                  SourceLocation where = SourceLocation::current()) {
  return add_node("Pad", {x, pads, value}, {.where = where})[0];
}

// Reads the same elements, in the same row-major order, as a tensor of another shape. No element moves or changes, so
// the number of elements must stay the same. In the target a 0 keeps the length of that axis and a single -1 stands for
// whatever is left.
//   y_(flat(j)) = x_(flat(i)),  flat(i) = flat(j)
inline Tensor reshape(const Tensor& x, const Ints& shape, SourceLocation where = SourceLocation::current()) {
  return add_node("Reshape", {x, shape}, {.where = where})[0];
}

struct ResizeOptions {
  // copies the nearest element, or mixes two (linear) or four (cubic) along each axis
  std::string mode = "nearest";
  // which place of the input an output position looks at: elements as areas (half_pixel and its relatives), first and
  // last as fixed points (align_corners), multiples of the step (asymmetric), a region of interest (tf_crop_and_resize)
  std::string coordinate_transformation_mode = "half_pixel";
  // how `nearest` rounds a place between two elements
  std::string nearest_mode = "round_prefer_floor";
  // the slope of the cubic's tail: -0.75 as in PyTorch, -0.5 as in TensorFlow
  double cubic_coeff_a = -0.75;
  // whether elements beyond the border weigh nothing; else the last element is repeated there
  bool exclude_outside = false;
  // whether shrinking with linear or cubic mixes all elements in between instead of skipping some
  bool antialias = false;
  // the axes that scales, sizes and roi speak of; empty is all
  std::vector<std::int64_t> axes = {};
  // whether sizes are met exactly, or all axes take the scale with which none is larger, or smaller, than asked
  std::string keep_aspect_ratio_policy = "stretch";
  // the result where tf_crop_and_resize looks outside the input
  double extrapolation_value = 0.0;
};

// Lengthens or shortens the axes of a tensor by interpolation. Every output position looks at a place of the input that
// may lie between elements, and takes the nearest element or a weighted mean of the elements around; axis after axis.
//   y_p = ∑_i k(s(p) − i) x_i,  s(p) = (p + 1 / 2) / S − 1 / 2
inline Tensor resize(const Tensor& x, const Tensor& roi = {}, const Tensor& scales = {}, const Ints& sizes = {},
                     const ResizeOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("mode", options.mode);
  call.attrs.set("coordinate_transformation_mode", options.coordinate_transformation_mode);
  call.attrs.set("nearest_mode", options.nearest_mode);
  call.attrs.set("cubic_coeff_a", options.cubic_coeff_a);
  call.attrs.set("exclude_outside", options.exclude_outside);
  call.attrs.set("antialias", options.antialias);
  call.attrs.set("axes", options.axes);
  call.attrs.set("keep_aspect_ratio_policy", options.keep_aspect_ratio_policy);
  call.attrs.set("extrapolation_value", options.extrapolation_value);
  return add_node("Resize", {x, roi, scales, sizes}, std::move(call))[0];
}

struct ResizeGradOptions {
  // copies the nearest element, or mixes two (linear) or four (cubic) along each axis
  std::string mode = "nearest";
  // which place of the input an output position looks at: elements as areas (half_pixel and its relatives), first and
  // last as fixed points (align_corners), multiples of the step (asymmetric), a region of interest (tf_crop_and_resize)
  std::string coordinate_transformation_mode = "half_pixel";
  // how `nearest` rounds a place between two elements
  std::string nearest_mode = "round_prefer_floor";
  // the slope of the cubic's tail: -0.75 as in PyTorch, -0.5 as in TensorFlow
  double cubic_coeff_a = -0.75;
  // whether elements beyond the border weigh nothing; else the last element is repeated there
  bool exclude_outside = false;
  // whether shrinking with linear or cubic mixes all elements in between instead of skipping some
  bool antialias = false;
  // the axes that scales, sizes and roi speak of; empty is all
  std::vector<std::int64_t> axes = {};
  // whether sizes are met exactly, or all axes take the scale with which none is larger, or smaller, than asked
  std::string keep_aspect_ratio_policy = "stretch";
  // the region of interest of the Resize
  std::vector<double> roi = {};
  // its scales, where it was told those
  std::vector<double> scales = {};
  // its sizes, where it was told those; the gradient has them where both are empty
  std::vector<std::int64_t> sizes = {};
};

// Gives every element of a Resize's input the sum of the gradients of all output positions that it had a part in, each
// times the weight of that part. It is the Resize as a matrix, transposed.
//   y_i = ∑_p k(s(p) − i) g_p
inline Tensor resize_grad(const Tensor& grad, const Ints& shape, const ResizeGradOptions& options = {},
                          SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("mode", options.mode);
  call.attrs.set("coordinate_transformation_mode", options.coordinate_transformation_mode);
  call.attrs.set("nearest_mode", options.nearest_mode);
  call.attrs.set("cubic_coeff_a", options.cubic_coeff_a);
  call.attrs.set("exclude_outside", options.exclude_outside);
  call.attrs.set("antialias", options.antialias);
  call.attrs.set("axes", options.axes);
  call.attrs.set("keep_aspect_ratio_policy", options.keep_aspect_ratio_policy);
  call.attrs.set("roi", options.roi);
  call.attrs.set("scales", options.scales);
  call.attrs.set("sizes", options.sizes);
  return add_node("ResizeGrad", {grad, shape}, std::move(call))[0];
}

// Gives the lengths of a tensor's axes as a vector of integers. A matrix of 2 rows and 3 columns gives [2, 3]; a scalar
// gives an empty vector.
//   y = (d₀, d₁, …, d_(r−1))
inline Tensor shape(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Shape", {x}, {.where = where})[0];
}

// Takes a regular part of a tensor: on each named axis the elements from `starts` up to, but not including, `ends`,
// every `steps`-th of them. Negative positions count from the end, and positions outside the axis are cut off instead
// of being an error.
//   y_k = x_(s+kt),  0 ≤ k < ⌈(e − s) / t⌉
inline Tensor slice(const Tensor& x, const Ints& starts, const Ints& ends, const Ints& axes = {},
                    const Ints& steps = {}, SourceLocation where = SourceLocation::current()) {
  return add_node("Slice", {x, starts, ends, axes, steps}, {.where = where})[0];
}

// Makes a tensor of zeros of the given shape and puts another tensor into the place that Slice with the same positions
// and steps would read. It is the transpose of Slice as a linear map.
//   y_(s+kt) = g_k,  y_i = 0 elsewhere
inline Tensor slice_grad(const Tensor& grad, const Ints& shape, const Ints& starts, const Ints& ends,
                         const Ints& axes = {}, const Ints& steps = {},
                         SourceLocation where = SourceLocation::current()) {
  return add_node("SliceGrad", {grad, shape, starts, ends, axes, steps}, {.where = where})[0];
}

struct SplitOptions {
  // the axis that is cut; -1 is the last
  std::int64_t axis = 0;
  // the number of equal parts; 0 takes it from `split`
  std::int64_t num_outputs = 0;
};

// Cuts a tensor along one axis into consecutive parts: of the given lengths, or into a given number of equal ones, of
// which the last is smaller when the length does not divide. It has as many outputs as there are parts, and Concat
// undoes it.
//   x = [y₁; y₂; …; y_n]
inline std::vector<Tensor> split(const Tensor& x, const Ints& split = {}, const SplitOptions& options = {},
                                 SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  call.attrs.set("num_outputs", options.num_outputs);
  return add_node("Split", {x, split}, std::move(call));
}

// Removes axes of length 1: [2, 1, 3] becomes [2, 3]. The elements and their order stay as they are. Naming the axes is
// safer than removing all of length 1, which may be more than you meant.
//   y_ij = x_i0j
inline Tensor squeeze(const Tensor& x, const Ints& axes = {}, SourceLocation where = SourceLocation::current()) {
  return add_node("Squeeze", {x, axes}, {.where = where})[0];
}

struct TransposeOptions {
  // axis k of the result is axis perm[k] of the input; empty reverses all axes
  std::vector<std::int64_t> perm = {};
};

// Puts the axes into another order; without `perm` they are reversed, which turns the rows of a matrix into columns.
// The elements stay the same, only which index belongs to which axis changes.
//   y_(i_(p(0)) i_(p(1)) …) = x_(i₀ i₁ …)
inline Tensor transpose(const Tensor& x, const TransposeOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("perm", options.perm);
  return add_node("Transpose", {x}, std::move(call))[0];
}

// Inserts axes of length 1 at the given places of the result: a vector [3] becomes a row [1, 3] with axis 0, or a
// column [3, 1] with axis 1. The elements and their order stay as they are.
//   y_i0j = x_ij
inline Tensor unsqueeze(const Tensor& x, const Ints& axes, SourceLocation where = SourceLocation::current()) {
  return add_node("Unsqueeze", {x, axes}, {.where = where})[0];
}

}  // namespace asg
