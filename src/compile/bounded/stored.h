#pragma once

#include <optional>
#include <span>

#include "asg/compile/bounded.h"
#include "asg/core/array.h"

namespace asg::bounded {

// An axis as it comes from an input: its places are those of its length, the first ones.
StoredAxis plain_axis(const Dim& length, std::int64_t stored);
StoredShape plain_shape(const Shape& lengths, const Shape& stored);

std::int64_t stored_length(const StoredAxis& axis);
Dim length_of(const StoredAxis& axis);
bool is_ragged(const StoredAxis& axis);
bool is_ragged(const StoredShape& shape);

// The same places under other axes, as Reshape has it; nothing where a bounded digit would be cut or an axis is empty.
std::optional<StoredShape> regrouped(const StoredShape& shape, std::span<const std::int64_t> sizes);

// For each place of an axis its digit number `digit`, as i64 of the shape [n, 1, …] with `trailing` ones.
Array digits_along(const StoredAxis& axis, std::size_t digit, int trailing);

}  // namespace asg::bounded
