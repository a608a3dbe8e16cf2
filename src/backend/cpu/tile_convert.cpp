#include "backend/cpu/tile_convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "asg/core/error.h"
#include "backend/cpu/tile_convert_vector.h"

namespace asg::cpu {
namespace {

// What stands in memory, where C++ has no type of its own.
struct F16 {
  std::uint16_t bits;
};
struct BF16 {
  std::uint16_t bits;
};

float widen(float value) { return value; }
double widen(double value) { return value; }
float widen(F16 value) { return f16_to_f32(value.bits); }
float widen(BF16 value) { return bf16_to_f32(value.bits); }
std::uint8_t widen(bool value) { return value ? 1 : 0; }
template <class T>
  requires std::is_integral_v<T>
std::int64_t widen(T value) {
  return static_cast<std::int64_t>(value);
}

template <class T>
struct Tag {
  using Type = T;
};

template <class Visit>
void with_stored_type(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::f32:
      return visit(Tag<float>{});
    case DType::f64:
      return visit(Tag<double>{});
    case DType::f16:
      return visit(Tag<F16>{});
    case DType::bf16:
      return visit(Tag<BF16>{});
    case DType::i8:
      return visit(Tag<std::int8_t>{});
    case DType::i16:
      return visit(Tag<std::int16_t>{});
    case DType::i32:
      return visit(Tag<std::int32_t>{});
    case DType::i64:
      return visit(Tag<std::int64_t>{});
    case DType::u8:
      return visit(Tag<std::uint8_t>{});
    case DType::u16:
      return visit(Tag<std::uint16_t>{});
    case DType::u32:
      return visit(Tag<std::uint32_t>{});
    case DType::boolean:
      return visit(Tag<bool>{});
    case DType::u64:
      break;
  }
  fail_internal("tiles do not hold u64");
}

// Truncates and saturates; NaN gives 0. The limits are compared as powers of two, which are exact.
template <class To>
To saturate(double value) {
  using Limits = std::numeric_limits<To>;
  constexpr double kBeyond = 2.0 * static_cast<double>(std::uint64_t{1} << (Limits::digits - 1));
  constexpr double kLowest = static_cast<double>(Limits::lowest());
  if (value >= kBeyond) return Limits::max();
  if (value > kLowest) return static_cast<To>(value);
  return value <= kLowest ? Limits::lowest() : To{0};
}

// An f64 that rounds to a shorter float as the integer itself does: what f64 cannot hold leaves a 1 in its last bit.
double to_odd(std::int64_t value) {
  constexpr std::uint64_t kLow = (std::uint64_t{1} << 11) - 1;
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  std::uint64_t size = negative ? std::uint64_t{0} - bits : bits;
  if (size >> 53 != 0) size = (size & ~kLow) | ((size & kLow) != 0 ? kLow + 1 : 0);
  const auto real = static_cast<double>(size);
  return negative ? -real : real;
}
double to_odd(float value) { return static_cast<double>(value); }
double to_odd(double value) { return value; }
double to_odd(std::uint8_t value) { return static_cast<double>(value); }

// One lane as the stored dtype, rounded once.
template <class To, class Wide>
To narrow(Wide value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != Wide{0};
  } else if constexpr (std::is_same_v<To, F16>) {
    return F16{f64_to_f16(to_odd(value))};
  } else if constexpr (std::is_same_v<To, BF16>) {
    return BF16{f64_to_bf16(to_odd(value))};
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<Wide>) {
    return saturate<To>(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
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
      elements[static_cast<std::int64_t>(k) * stride] = narrow<Stored>(lanes[k * tile_step]);
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
      for (std::size_t k = 0; k < count; ++k) results[k] = widen(narrow<Stored>(lanes[k]));
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
