#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "asg/graph/contexts.h"
#include "ops/support/infer.h"

// Integer operands: axes, counts, and what is known of them.
namespace asg::ops {

// The axes that an op works on, normalised: those that are given. None given mean all, or none where the attribute
// `noop_with_empty_axes` says so.
std::vector<int> axes_or_all(const AttrReader& attributes, const std::vector<std::int64_t>& given, int rank);
// The same where the tensor `axes`, which may be absent, names axes of x.
std::vector<std::int64_t> axes_or_all(const AttrReader& attributes, const Tensor& x, const Tensor& axes);

// The contents of an integer operand by which its op was typed.
std::vector<std::int64_t> known_ints(const Tensor& operand);

// Refuses an operand that is not a scalar or a vector of one element (k, an axis).
void check_one_number(const InferContext& ctx, int index);

// The type rule of a reduction; where all of a small vector is reduced, its contents too.
std::function<void(InferContext&)> infer_known_reduction(KnownBinary rule);

}  // namespace asg::ops
