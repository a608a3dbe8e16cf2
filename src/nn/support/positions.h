#pragma once

#include <vector>

#include "asg/graph/card.h"

// What codes of positions have in common. All are computed for the length that the input has, so none needs to know a
// longest one; an offset says at which position the input begins.
namespace asg::nn {

// The optional input `offset`.
Port offset_port();
// offset, offset + 1, … along an axis of `x`, as i64[length]; `offset` may be absent.
Tensor positions(const Tensor& x, int axis, const Tensor& offset);

// The angles position · base^(−2k / width) as [length, width / 2], in f32 or f64, for an input [… , length, width].
// Throws bad_shape where the width is not known or odd.
Tensor position_angles(const BodyContext& ctx, const Tensor& x, const Tensor& offset, double base);

// [… , n] and [… , n] → [… , 2n], taking turns: a0, b0, a1, b1, …
Tensor taking_turns(const Tensor& a, const Tensor& b, std::int64_t count);

// Refuses an input without the axes length and width.
void check_sequence(const Tensor& x);

AttrSpec base_attribute();
// Lengths 1, 3 and none, ranks 2 to 4, and an offset.
std::vector<Sample> position_samples(const Attrs& attrs = {});
std::vector<BadSample> bad_position_samples();

}  // namespace asg::nn
