#pragma once

#include <cstddef>
#include <cstdint>

#include "asg/core/dtype.h"

namespace asg::cpu {

// The types in which tiles are computed: f32 for all floats but f64, i64 for all integers, a byte for bool.
enum class Lane : std::uint8_t { f32, f64, i64, boolean };

constexpr Lane lane_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
    case DType::f16:
    case DType::bf16:
      return Lane::f32;
    case DType::f64:
      return Lane::f64;
    case DType::boolean:
      return Lane::boolean;
    default:
      return Lane::i64;
  }
}

constexpr std::int64_t bytes_of(Lane lane) {
  if (lane == Lane::boolean) return 1;
  return lane == Lane::f32 ? 4 : 8;
}

// Whether an array of the dtype is a tile as it lies in memory.
constexpr bool is_lane_itself(DType dtype) {
  return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::i64 || dtype == DType::boolean;
}

// What can go wrong inside a tile. Workers only note it; the run reports it when all are done.
inline constexpr std::uint32_t kNoFault = 0;
inline constexpr std::uint32_t kDivisionByZero = 1;
inline constexpr std::uint32_t kZeroToNegativePower = 2;
inline constexpr std::uint32_t kIndexOutOfRange = 4;

}  // namespace asg::cpu
