#include "backend/cpu/tile_convert.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "asg/core/error.h"
#include "backend/cpu/tile_convert_vector.h"
#include "core/stored_types.h"

namespace asg::cpu {
namespace {

using stored::BF16;
using stored::F16;
using stored::Flag;
using stored::Tag;

float widen(float value) { return value; }
double widen(double value) { return value; }
float widen(F16 value) { return f16_to_f32(value.bits); }
float widen(BF16 value) { return bf16_to_f32(value.bits); }
std::uint8_t widen(Flag value) { return value.byte != 0 ? 1 : 0; }
template <class T>
  requires std::is_integral_v<T>
std::int64_t widen(T value) {
  return static_cast<std::int64_t>(value);
}

template <class Visit>
void with_stored_type(DType dtype, Visit visit) {
  internal_check(dtype != DType::u64, "tiles do not hold u64");
  stored::with_type(dtype, visit);
}

template <class T>
const T* as(const std::byte* bytes) {
  return reinterpret_cast<const T*>(bytes);
}
template <class T>
T* as(std::byte* bytes) {
  return reinterpret_cast<T*>(bytes);
}

template <class Visit>
void with_lane_type(Lane lane, Visit visit) {
  switch (lane) {
    case Lane::f32:
      return visit(Tag<float>{});
    case Lane::f64:
      return visit(Tag<double>{});
    case Lane::i64:
      return visit(Tag<std::int64_t>{});
    case Lane::boolean:
      break;
  }
  visit(Tag<std::uint8_t>{});
}

bool load_by_vectors(DType dtype, const std::byte* from, std::byte* tile, std::size_t count) {
  if (dtype == DType::f16) {
    widen_f16(as<std::uint16_t>(from), as<float>(tile), count);
  } else if (dtype == DType::bf16) {
    widen_bf16(as<std::uint16_t>(from), as<float>(tile), count);
  } else if (is_lane_itself(dtype)) {
    if (count > 0) std::memcpy(tile, from, count * static_cast<std::size_t>(bytes_of(dtype)));
  } else {
    return false;
  }
  return true;
}

bool store_by_vectors(DType dtype, const std::byte* tile, std::byte* to, std::size_t count) {
  if (dtype == DType::f16) {
    narrow_f16(as<float>(tile), as<std::uint16_t>(to), count);
  } else if (dtype == DType::bf16) {
    narrow_bf16(as<float>(tile), as<std::uint16_t>(to), count);
  } else if (is_lane_itself(dtype)) {
    if (count > 0) std::memcpy(to, tile, count * static_cast<std::size_t>(bytes_of(dtype)));
  } else {
    return false;
  }
  return true;
}

bool cast_by_vectors(DType from, const std::byte* tile, DType to, std::byte* result, std::size_t count) {
  const Lane lane = lane_of(from);
  if (to == DType::f32 && lane == Lane::boolean) {
    flags_to_f32(as<std::uint8_t>(tile), as<float>(result), count);
  } else if (to == DType::f32 && lane == Lane::f64) {
    narrow_f64(as<double>(tile), as<float>(result), count);
  } else if (to == DType::f64 && lane == Lane::f32) {
    widen_f32(as<float>(tile), as<double>(result), count);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void load_run(DType dtype, const std::byte* from, std::int64_t stride, std::byte* tile, std::size_t count) {
  if (stride == 1 && load_by_vectors(dtype, from, tile, count)) return;
  with_stored_type(dtype, [&](auto tag) {
    using Stored = typename decltype(tag)::Type;
    using Wide = decltype(widen(Stored{}));
    const auto* elements = as<Stored>(from);
    auto* lanes = as<Wide>(tile);
    if (stride == 0) {
      std::fill_n(lanes, count, widen(*elements));
      return;
    }
    for (std::size_t k = 0; k < count; ++k) lanes[k] = widen(elements[static_cast<std::int64_t>(k) * stride]);
  });
}

void store_run(DType dtype, const std::byte* tile, std::size_t tile_step, std::byte* to, std::int64_t stride,
               std::size_t count) {
  if (stride == 1 && tile_step == 1 && store_by_vectors(dtype, tile, to, count)) return;
  with_stored_type(dtype, [&](auto tag) {
    using Stored = typename decltype(tag)::Type;
    using Wide = decltype(widen(Stored{}));
    const auto* lanes = as<Wide>(tile);
    auto* elements = as<Stored>(to);
    for (std::size_t k = 0; k < count; ++k) {
      elements[static_cast<std::int64_t>(k) * stride] = stored::narrow<Stored>(lanes[k * tile_step]);
    }
  });
}

void cast_tile(DType from, const std::byte* tile, DType to, std::byte* result, std::size_t count) {
  if (cast_by_vectors(from, tile, to, result, count)) return;
  with_lane_type(lane_of(from), [&](auto lane_tag) {
    using Wide = typename decltype(lane_tag)::Type;
    const auto* lanes = as<Wide>(tile);
    with_stored_type(to, [&](auto stored_tag) {
      using Stored = typename decltype(stored_tag)::Type;
      using Result = decltype(widen(Stored{}));
      auto* results = as<Result>(result);
      for (std::size_t k = 0; k < count; ++k) results[k] = widen(stored::narrow<Stored>(lanes[k]));
    });
  });
}

void wrap_tile(DType dtype, std::int64_t* tile, std::size_t count) {
  if (dtype == DType::i64) return;
  auto* bytes = reinterpret_cast<std::byte*>(tile);
  cast_tile(DType::i64, bytes, dtype, bytes, count);
}

void fill_tile(Lane lane, const std::byte* element, std::byte* tile, std::size_t count) {
  if (lane == Lane::f32) return fill_f32(*as<float>(element), as<float>(tile), count);
  with_lane_type(lane, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::fill_n(as<T>(tile), count, *as<T>(element));
  });
}

}  // namespace asg::cpu
