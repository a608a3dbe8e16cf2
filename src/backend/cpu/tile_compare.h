#pragma once

#include <cstddef>
#include <cstdint>

#include "asg/graph/scalar_op.h"

namespace asg::cpu {

// Operands of a loop over a tile: a step of 0 means one element for all.
template <class T>
struct TileOperand {
  const T* values = nullptr;
  std::size_t step = 1;

  T operator[](std::size_t k) const { return values[k * step]; }
};

// to[k] = a[k] op b[k], 0 or 1; is_nan takes `a` alone. Comparisons with NaN are false.
void compare_tiles(ScalarOp op, TileOperand<float> a, TileOperand<float> b, std::uint8_t* to, std::size_t count);
void compare_tiles(ScalarOp op, TileOperand<double> a, TileOperand<double> b, std::uint8_t* to, std::size_t count);
void compare_tiles(ScalarOp op, TileOperand<std::int64_t> a, TileOperand<std::int64_t> b, std::uint8_t* to,
                   std::size_t count);
void compare_tiles(ScalarOp op, TileOperand<std::uint8_t> a, TileOperand<std::uint8_t> b, std::uint8_t* to,
                   std::size_t count);

// Logic of booleans; logical_not takes `a` alone.
void join_flags(ScalarOp op, TileOperand<std::uint8_t> a, TileOperand<std::uint8_t> b, std::uint8_t* to,
                std::size_t count);

}  // namespace asg::cpu
