#pragma once

#include <cstddef>
#include <cstdint>

#include "asg/graph/scalar_op.h"
#include "backend/cpu/tile_compare.h"
#include "backend/cpu/tile_lane.h"

namespace asg::cpu {

// to[k] = op of integers of the dtype, wrapped to its width. Returns the faults met; their elements are 0.
std::uint32_t compute_integers(ScalarOp op, DType dtype, TileOperand<std::int64_t> a, TileOperand<std::int64_t> b,
                               std::int64_t* to, std::size_t count);

// to[k] = condition[k] ? a[k] : b[k], where no chain does it.
void choose_tiles(TileOperand<std::uint8_t> condition, TileOperand<std::int64_t> a, TileOperand<std::int64_t> b,
                  std::int64_t* to, std::size_t count);
void choose_tiles(TileOperand<std::uint8_t> condition, TileOperand<std::uint8_t> a, TileOperand<std::uint8_t> b,
                  std::uint8_t* to, std::size_t count);

}  // namespace asg::cpu
