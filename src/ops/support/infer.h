#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "asg/graph/contexts.h"

// Type rules that many ops share. The functions named infer_… can stand in a card as they are.
namespace asg::ops {

// Output 0 has the type of input 0.
void infer_same(InferContext& ctx);
// The same, and its contents where they are known.
void infer_identity(InferContext& ctx);
// The dtype of the last input, the broadcast shape of all (the last, so that Where takes that of its values).
void infer_broadcast(InferContext& ctx);
void infer_broadcast_to_bool(InferContext& ctx);

// Small integer tensors, such as shapes, are followed while building: their contents as dims. What a rule computes
// of them: nothing where it cannot be told.
using KnownUnary = std::function<std::optional<Dim>(const Dim&)>;
using KnownBinary = std::function<std::optional<Dim>(const Dim&, const Dim&)>;

// Type rules with such a computation; the first has the type of input 0, the second broadcasts all inputs and folds
// their contents from the left.
std::function<void(InferContext&)> infer_known_unary(KnownUnary rule);
std::function<void(InferContext&)> infer_known_broadcast(KnownBinary rule);

// Sets the contents of an output whose type is set, if they are worth following: integers (i32, i64) of rank 0 or
// 1, at most kMostKnown of them, each in the range of the dtype. Lengths of unknown size are taken to be in range.
inline constexpr int kMostKnown = 64;
void set_known(InferContext& ctx, const TensorType& type, std::vector<Dim> contents);
// The contents of an array that `set_known` would accept.
std::optional<std::vector<Dim>> known_contents(const Array& array);

// The contents of an integer input that must be plain numbers while building. Throws missing_value where only dims
// with symbols are known.
std::vector<std::int64_t> need_integers(const InferContext& ctx, int index, std::string_view what);
// The axes that an op works on, normalised: those of input `index`, or all of input 0 where it is absent or empty.
std::vector<int> axes_or_all(const InferContext& ctx, int index);
// Input 0 reduced along the axes of input 1 (or all), by attribute `keepdims`.
void infer_reduction(InferContext& ctx);

}  // namespace asg::ops
