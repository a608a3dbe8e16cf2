// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/builder.h"

namespace asg {

// Cuts every spatial axis into `output_size` windows, as even as can be, and takes the mean of each. Where the length
// is not a multiple of the size, neighbouring windows may overlap by one element, so that every element is used; a size
// larger than the length is allowed too.
//   y_ncp = (1 / (b_p − a_p)) ∑_(i=a_p)^(b_p−1) x_nci,  a_p = ⌊p L / S⌋, b_p = ⌈(p + 1) L / S⌉
// output_size: the spatial lengths of the result, one for each spatial axis
inline Tensor adaptive_average_pool(const Tensor& x, const std::vector<std::int64_t>& output_size,
                                    SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("output_size", output_size);
  return add_node("AdaptiveAveragePool", {x}, std::move(call))[0];
}

// Spreads the gradient of each window of an adaptive average pool evenly over the elements of that window. An element
// that two windows share receives from both.
//   y_nci = ∑_(p:a_p≤i<b_p) (g_ncp / (b_p − a_p))
// output_size: the spatial lengths of the result, one for each spatial axis
inline Tensor adaptive_average_pool_grad(const Tensor& grad, const Ints& shape,
                                         const std::vector<std::int64_t>& output_size,
                                         SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("output_size", output_size);
  return add_node("AdaptiveAveragePoolGrad", {grad, shape}, std::move(call))[0];
}

struct AdaptiveMaxPoolOutputs {
  // one number for each position of the window, [batch, channels, …]
  Tensor y;
  // the place of each maximum among all elements of x; the first of equal ones
  Tensor indices;
};

// Cuts every spatial axis into `output_size` windows that cover it, and keeps the largest number of each window
// together with its place. The window lengths follow from the input and differ by at most one; a NaN in a window is its
// maximum.
//   y_ncp = max_(⌊pL/S⌋≤i<⌈(p+1)L/S⌉) x_nci
// output_size: the spatial lengths of the result, one for each spatial axis
inline AdaptiveMaxPoolOutputs adaptive_max_pool(const Tensor& x, const std::vector<std::int64_t>& output_size,
                                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("output_size", output_size);
  const std::vector<Tensor> outputs = add_node("AdaptiveMaxPool", {x}, std::move(call));
  return {outputs[0], outputs[1]};
}

struct AveragePoolOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // how far windows may reach beyond the beginnings of all spatial axes, then beyond their ends; empty is not at all
  std::vector<std::int64_t> pads = {};
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // whether a last window that only partly covers the padded input counts too; one that would begin in the padding at
  // the end does not. Without effect beside `auto_pad`
  bool ceil_mode = false;
  // whether padding counts as zeros in the average; else only elements of the input do
  bool count_include_pad = false;
};

// Slides a window over each channel and takes the mean of the numbers under it. Where a window reaches beyond the
// border, the mean is that of the elements inside, unless `count_include_pad` counts the padding as zeros; what
// `ceil_mode` adds beyond the padding never counts.
//   y_ncp = (1 / |W_p|) ∑_(i∈W_p) x_nci
// kernel_shape: the lengths of the window, one for each spatial axis
inline Tensor average_pool(const Tensor& x, const std::vector<std::int64_t>& kernel_shape,
                           const AveragePoolOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("kernel_shape", kernel_shape);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("ceil_mode", options.ceil_mode);
  call.attrs.set("count_include_pad", options.count_include_pad);
  return add_node("AveragePool", {x}, std::move(call))[0];
}

struct AveragePoolGradOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // how far windows may reach beyond the beginnings of all spatial axes, then beyond their ends; empty is not at all
  std::vector<std::int64_t> pads = {};
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // whether a last window that only partly covers the padded input counts too; one that would begin in the padding at
  // the end does not. Without effect beside `auto_pad`
  bool ceil_mode = false;
  // whether padding counts as zeros in the average; else only elements of the input do
  bool count_include_pad = false;
};

// Gives each element of an average pool's input its share of the gradient. Every window divides its gradient by the
// number of elements that it averaged, padding included where `count_include_pad` says so, and each of them receives
// that much from every window it lies in.
//   y_nci = ∑_(p:i∈W_p) (g_ncp / |W_p|)
// kernel_shape: the lengths of the window, one for each spatial axis
inline Tensor average_pool_grad(const Tensor& grad, const Ints& shape, const std::vector<std::int64_t>& kernel_shape,
                                const AveragePoolGradOptions& options = {},
                                SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("kernel_shape", kernel_shape);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("ceil_mode", options.ceil_mode);
  call.attrs.set("count_include_pad", options.count_include_pad);
  return add_node("AveragePoolGrad", {grad, shape}, std::move(call))[0];
}

// Replaces each channel of each picture by the mean of all its elements; the spatial axes stay, with length 1. [8, 512,
// 7, 7] becomes [8, 512, 1, 1], and a single NaN makes the mean of its channel NaN.
//   y_nc = (1 / L) ∑_(i=1)^L x_nci
inline Tensor global_average_pool(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("GlobalAveragePool", {x}, {.where = where})[0];
}

struct GlobalLpPoolOptions {
  // the order of the norm: 1 sums magnitudes, 2 is the length of the vector
  std::int64_t p = 2;
};

// Replaces each channel of each picture by the p-norm of all its elements: how strong the channel is as a whole,
// whatever the signs. It is a sum and not a mean, so larger pictures give larger numbers; the spatial axes stay, with
// length 1.
//   y_nc = (∑_i |x_nci|^p)^(1/p)
inline Tensor global_lp_pool(const Tensor& x, const GlobalLpPoolOptions& options = {},
                             SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("p", options.p);
  return add_node("GlobalLpPool", {x}, std::move(call))[0];
}

// Keeps, of each channel of each picture, only the largest element. Its gradient goes to that element, shared evenly
// where several are equally large.
//   y_nc = max_i x_nci
inline Tensor global_max_pool(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("GlobalMaxPool", {x}, {.where = where})[0];
}

struct LpPoolOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // how far windows may reach beyond the beginnings of all spatial axes, then beyond their ends; empty is not at all
  std::vector<std::int64_t> pads = {};
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // whether a last window that only partly covers the padded input counts too; one that would begin in the padding at
  // the end does not. Without effect beside `auto_pad`
  bool ceil_mode = false;
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // the order of the norm: 1 sums magnitudes, 2 is the length of the window as a vector
  std::int64_t p = 2;
};

// Slides a window over each channel and takes the p-norm of the numbers under it; padding counts as zeros. With p = 1
// it adds up magnitudes, with p = 2 it measures the length of the window as a vector, and for large p it comes close to
// the largest magnitude. Signs are lost.
//   y_nci = (∑_t |x_(nc, is+td−q)|^p)^(1/p)
// kernel_shape: the lengths of the window, one for each spatial axis
inline Tensor lp_pool(const Tensor& x, const std::vector<std::int64_t>& kernel_shape, const LpPoolOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("kernel_shape", kernel_shape);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("ceil_mode", options.ceil_mode);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("p", options.p);
  return add_node("LpPool", {x}, std::move(call))[0];
}

struct MaxPoolOptions {
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // how far windows may reach beyond the beginnings of all spatial axes, then beyond their ends; empty is not at all
  std::vector<std::int64_t> pads = {};
  // NOTSET uses `pads`; SAME keeps ceil(size / stride) positions, an odd zero at the end (UPPER) or beginning (LOWER);
  // VALID adds nothing
  std::string auto_pad = "NOTSET";
  // whether a last window that only partly covers the padded input counts too; one that would begin in the padding at
  // the end does not. Without effect beside `auto_pad`
  bool ceil_mode = false;
  // distance between the taps of the window on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> dilations = {};
  // whether the indices count the elements of a picture by rows (0) or by columns (1)
  std::int64_t storage_order = 0;
};

struct MaxPoolOutputs {
  // one number for each position of the window, [batch, channels, …]
  Tensor y;
  // where each maximum stands in x, counted over all its elements; of equal ones the first
  Tensor indices;
};

// Slides a window over each channel and keeps the largest number under it. Padding never wins: outside the input there
// is nothing to choose. The second output tells where each maximum was found; a NaN under the window is passed on.
//   y_ncp = max_t x_(nc, ps+td−q)
// kernel_shape: the lengths of the window, one for each spatial axis
inline MaxPoolOutputs max_pool(const Tensor& x, const std::vector<std::int64_t>& kernel_shape,
                               const MaxPoolOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("kernel_shape", kernel_shape);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  call.attrs.set("auto_pad", options.auto_pad);
  call.attrs.set("ceil_mode", options.ceil_mode);
  call.attrs.set("dilations", options.dilations);
  call.attrs.set("storage_order", options.storage_order);
  const std::vector<Tensor> outputs = add_node("MaxPool", {x}, std::move(call));
  return {outputs[0], outputs[1]};
}

// Sends each gradient of a pool that keeps maxima back to the element that won. An element that won in several windows
// that overlap receives all of their gradients, one that never won stays zero.
//   y_i = ∑_(k:I_k=i) g_k
inline Tensor max_pool_grad(const Tensor& grad, const Ints& indices, const Ints& shape,
                            SourceLocation where = SourceLocation::current()) {
  return add_node("MaxPoolGrad", {grad, indices, shape}, {.where = where})[0];
}

struct MaxUnpoolOptions {
  // the whole shape of the result; more zeros follow at the ends where it is larger, but the indices count in the shape
  // without them
  Ints output_shape = {};
  // how far the window moves on each spatial axis; empty is 1 everywhere
  std::vector<std::int64_t> strides = {};
  // the padding of that pool
  std::vector<std::int64_t> pads = {};
};

// Undoes a MaxPool as far as that is possible: each value returns to the place where the pool found it, and what the
// pool threw away becomes zero. An index that occurs twice, as overlapping windows give it, is an error.
//   y_(I_k) = x_k,  y_i = 0 elsewhere
// kernel_shape: the window of the pool that is undone
inline Tensor max_unpool(const Tensor& x, const Ints& indices, const std::vector<std::int64_t>& kernel_shape,
                         const MaxUnpoolOptions& options = {}, SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("kernel_shape", kernel_shape);
  call.attrs.set("strides", options.strides);
  call.attrs.set("pads", options.pads);
  return add_node("MaxUnpool", {x, indices, options.output_shape}, std::move(call))[0];
}

}  // namespace asg
