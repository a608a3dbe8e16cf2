#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/contexts.h"
#include "asg/graph/tensor.h"

// Pieces of graph from which gradient rules and bodies are built. A rule must be differentiable itself, so that
// higher orders follow; GradientContext::set_summed reduces over broadcast axes.
namespace asg::ops {

Tensor ints(Graph& graph, std::vector<std::int64_t> numbers);
// A scalar of the dtype of `like`.
Tensor scalar_like(const Tensor& like, double value);
// The lengths of a tensor: a constant where all are known while building.
Tensor shape_of(const Tensor& tensor);
Tensor expand_like(const Tensor& tensor, const Tensor& like);
Tensor zeros_like(const Tensor& like);

Tensor choose(const Tensor& condition, const Tensor& then, const Tensor& otherwise);
// `tensor` where the condition holds, else 0; what is not chosen is not looked at, so NaN there does no harm.
Tensor where_or_zero(const Tensor& condition, const Tensor& tensor);
Tensor zero_where(const Tensor& condition, const Tensor& tensor);
// The bool tensor as 0 and 1 of the dtype of `like`.
Tensor as_numbers(const Tensor& condition, const Tensor& like);

// Axes of a reduction or of another op with an optional input of axes: normalised, all of input 0 where it is
// absent or empty.
std::vector<std::int64_t> axes_or_all(const GradientContext& ctx, int index);
// The result of a reduction, or its gradient, with the reduced axes as 1 again when `keepdims` had dropped them.
Tensor with_reduced_axes(const GradientContext& ctx, const Tensor& reduced);
Tensor reduce_keeping(std::string_view op, const Tensor& tensor, std::vector<std::int64_t> axes);

// Gradient rule of Max and Min: each gradient goes to the first input that was chosen.
void gradient_to_first_chosen(GradientContext& ctx);
// Gradient rule of ReduceMax and ReduceMin: each gradient is shared evenly among the elements that reach the extreme.
void gradient_to_extremes(GradientContext& ctx);

}  // namespace asg::ops
