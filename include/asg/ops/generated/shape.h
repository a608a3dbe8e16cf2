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

struct ConstantOfShapeOptions {
  // a tensor with one element, which also gives the type; 0 of f32 by default
  Array value = Array::scalar(DType::f32, 0.0);
};

// Makes a tensor of the given shape in which every element is the same number. Unlike a Constant it takes the shape as
// an input, so the size may be computed while the graph runs.
//   y_i = v
inline Tensor constant_of_shape(Graph& graph, const Ints& shape, const ConstantOfShapeOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.graph = &graph;
  call.attrs.set("value", options.value);
  return add_node("ConstantOfShape", {shape}, std::move(call))[0];
}

struct DepthToSpaceOptions {
  // whether the place in the block (DCR) or the channel of the result (CRD) changes slowest along the channels of x
  std::string mode = "DCR";
};

// Builds larger pictures from channels: every group of b·b channels becomes a block of b by b pixels. [1, 8, 5, 5]
// with b = 2 turns into [1, 2, 10, 10]; no number changes. The mode decides which channels form a group; CRD is what
// PyTorch calls pixel shuffle.
//   y_(c, bh+i, bw+j) = x_((ib+j)C+c, h, w)
// blocksize: the height and width of a block
inline Tensor depth_to_space(const Tensor& x, std::int64_t blocksize, const DepthToSpaceOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("blocksize", blocksize);
  call.attrs.set("mode", options.mode);
  return add_node("DepthToSpace", {x}, std::move(call))[0];
}

// Repeats a tensor until it has the given shape: axes of length 1 are stretched and missing axes are added in front, as
// when broadcasting against a tensor of that shape. A 1 in the shape keeps the length that x has, so the result may be
// larger than asked.
//   y_ij = x_0j
inline Tensor expand(const Tensor& x, const Ints& shape, SourceLocation where = SourceLocation::current()) {
  return add_node("Expand", {x, shape}, {.where = where})[0];
}

struct EyeLikeOptions {
  // which diagonal: 0 the main one, 1 the one above it, -1 the one below
  std::int64_t k = 0;
};

// An identity matrix of the shape of the given one: ones where row and column number agree, zeros elsewhere. It need
// not be square, and `k` moves the ones to another diagonal.
//   y_ij = { 1, j = i + k; 0, otherwise }
inline Tensor eye_like(const Tensor& x, const EyeLikeOptions& options = {},
                       SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("k", options.k);
  return add_node("EyeLike", {x}, std::move(call))[0];
}

struct FlattenOptions {
  // the axes before it become the rows, it and those after it the columns
  std::int64_t axis = 1;
};

// Makes a matrix of a tensor of any rank: all axes before `axis` are merged into the rows, all from it on into the
// columns. [2, 3, 4] becomes [2, 12] with axis 1; with axis 0 there is a single row, with axis 3 a single column.
//   y ∈ ℝ^(d₀ ⋯ d_(a−1)×d_a ⋯ d_(r−1))
inline Tensor flatten(const Tensor& x, const FlattenOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Flatten", {x}, std::move(call))[0];
}

// Passes its input on unchanged, whatever its dtype, and the gradient back unchanged. It costs nothing: a compiler
// removes it.
//   y = x
inline Tensor identity(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Identity", {x}, {.where = where})[0];
}

struct PadOptions {
  // what stands in the margin: one value, the elements mirrored at the first and last, the first and last repeated, or
  // the other end of the axis
  std::string mode = "constant";
};

// Adds a margin around a tensor: for each axis so many elements before its first and so many after its last. The margin
// holds one value, or by mode the tensor's own elements: mirrored, repeated, or from the other end; to mirror or wrap,
// an axis must be long enough. Negative numbers cut elements off; that is done first, so a margin is copied from what
// is left.
//   y_i = { x_(i−b), 0 ≤ i − b < n; v, otherwise }
inline Tensor pad(const Tensor& x, const Ints& pads, const Tensor& value = {}, const Tensor& axes = {},
                  const PadOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("mode", options.mode);
  return add_node("Pad", {x, pads, value, axes}, std::move(call))[0];
}

struct ReshapeOptions {
  // a 0 in the target means a length of 0, and copies nothing
  bool allowzero = false;
};

// Reads the same elements, in the same row-major order, as a tensor of another shape. No element moves or changes, so
// the number of elements must stay the same. In the target a 0 keeps the length of that axis and a single -1 stands for
// whatever is left.
//   y_j = x_i,  flat(j) = flat(i)
inline Tensor reshape(const Tensor& x, const Ints& shape, const ReshapeOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("allowzero", options.allowzero);
  return add_node("Reshape", {x, shape}, std::move(call))[0];
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
// may lie between elements, and takes the nearest element (the default) or a weighted mean of the elements around; axis
// after axis. An axis that keeps its length is left alone.
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

struct ReverseSequenceOptions {
  // the axis of the sequences
  std::int64_t batch_axis = 1;
  // the axis along which each of them runs
  std::int64_t time_axis = 0;
};

// Reverses the beginning of every sequence, as many elements as its own length says, and leaves the padding behind them
// alone. [1, 2, 3, 0] with length 3 becomes [3, 2, 1, 0]; a length beyond the time axis is an error.
//   y_tb = { x_(l_b−1−t, b), t < l_b; x_tb, otherwise }
inline Tensor reverse_sequence(const Tensor& x, const Ints& sequence_lens, const ReverseSequenceOptions& options = {},
                               SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("batch_axis", options.batch_axis);
  call.attrs.set("time_axis", options.time_axis);
  return add_node("ReverseSequence", {x, sequence_lens}, std::move(call))[0];
}

struct ShapeOptions {
  // the first axis to tell; negative ones count from the end
  std::int64_t start = 0;
  // the axis before which to stop; by default all that follow are told
  std::int64_t end = 9223372036854775807;
};

// Gives the lengths of a tensor's axes as a vector of integers. A matrix of 2 rows and 3 columns gives [2, 3]; a scalar
// gives an empty vector. With `start` and `end` only a part of the axes is told.
//   y = (d₀, d₁, …, d_(r−1))
inline Tensor shape(const Tensor& x, const ShapeOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("start", options.start);
  call.attrs.set("end", options.end);
  return add_node("Shape", {x}, std::move(call))[0];
}

// Counts the elements of a tensor: the product of the lengths of its axes. A tensor of shape [2, 3] has 6, a scalar has
// 1, and one with an axis of length 0 has none.
//   y = ∏_k d_k
inline Tensor size(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Size", {x}, {.where = where})[0];
}

// Takes a regular part of a tensor: on each named axis the elements from `starts` up to, but not including, `ends`,
// every `steps`-th of them. Negative positions count from the end; positions outside the axis are moved to its nearer
// end instead of being an error, so the part may be empty.
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

// Cuts pictures into blocks of b by b pixels and stacks the pixels of a block as channels: [1, 3, 8, 8] with b = 2
// becomes [1, 12, 4, 4]. The new channels are grouped by the place in the block, unlike in PyTorch's pixel_unshuffle;
// DepthToSpace in its mode DCR undoes it.
//   y_((ib+j)C+c, h, w) = x_(c, bh+i, bw+j)
// blocksize: the height and width of a block
inline Tensor space_to_depth(const Tensor& x, std::int64_t blocksize,
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("blocksize", blocksize);
  return add_node("SpaceToDepth", {x}, std::move(call))[0];
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

struct StackOptions {
  // where the new axis stands in the result; -1 is the last place
  std::int64_t axis = 0;
};

// Puts tensors of one shape on top of each other along a new axis: three vectors of length 5 become a matrix [3, 5], or
// [5, 3] with axis 1. Concat, in contrast, joins them along an axis they have.
//   y_ki = x_i^((k))
inline Tensor stack(const std::vector<Tensor>& tensors, const StackOptions& options = {},
                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("axis", options.axis);
  return add_node("Stack", node_inputs({}, tensors), std::move(call))[0];
}

// Lays copies of a tensor side by side, so many along each axis, as tiles on a floor: [1, 2] three times is [1, 2, 1,
// 2, 1, 2]. Expand repeats axes of length 1 only; this repeats axes of any length, and 0 copies leave nothing.
//   y_i = x_(imodd)
inline Tensor tile(const Tensor& x, const Ints& repeats, SourceLocation where = SourceLocation::current()) {
  return add_node("Tile", {x, repeats}, {.where = where})[0];
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
