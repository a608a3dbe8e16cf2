#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/tile_lane.h"

namespace asg::cpu {

// `count` elements of an array, `stride` elements apart, widened into a tile of the dtype's lane.
void load_run(DType dtype, const std::byte* from, std::int64_t stride, std::byte* tile, std::size_t count);

// And back: rounds to nearest even; integers wrap. `tile_step` is 0 (one element for all) or 1.
void store_run(DType dtype, const std::byte* tile, std::size_t tile_step, std::byte* to, std::int64_t stride,
               std::size_t count);

// A tile of `from` as one of `to`, by the rules of Array::cast. A step of 0: one element for all.
void cast_tile(DType from, const std::byte* tile, DType to, std::byte* result, std::size_t count);

// Integers of an i64 tile as the dtype would hold them: wrapped to its width.
void wrap_tile(DType dtype, std::int64_t* tile, std::size_t count);

// One element for all.
void fill_tile(Lane lane, const std::byte* element, std::byte* tile, std::size_t count);

}  // namespace asg::cpu
