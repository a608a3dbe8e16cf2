#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "asg/core/dtype.h"

// How the elements of each dtype stand in memory, and how numbers are rounded into them: the one place where a dtype
// meets its type. Conversions differ only in what they compute with, which is theirs to say.
namespace asg::stored {

// What stands in memory where C++ has no type of its own.
struct F16 {
  std::uint16_t bits;
};
struct BF16 {
  std::uint16_t bits;
};
struct Flag {
  std::uint8_t byte;  // of a user's memory perhaps more than 1
};

template <class Stored>
struct Tag {
  using Type = Stored;
};

// Calls visit(Tag<the stored type>).
template <class Visit>
auto with_type(DType dtype, Visit visit) {
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
    case DType::u64:
      return visit(Tag<std::uint64_t>{});
    case DType::boolean:
      break;
  }
  return visit(Tag<Flag>{});
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

// An f64 that rounds to any float of at most 51 bits as the integer itself does: what f64 cannot hold leaves a 1 in
// its last bit ("round to odd"), which keeps a value off the middle between two shorter floats.
inline double to_odd(std::uint64_t magnitude) {
  constexpr int kLost = 64 - 53;
  constexpr std::uint64_t kLow = (std::uint64_t{1} << kLost) - 1;
  if (magnitude >> 53 == 0) return static_cast<double>(magnitude);
  return static_cast<double>((magnitude & ~kLow) | ((magnitude & kLow) != 0 ? kLow + 1 : 0));
}
inline double to_odd(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? -to_odd(std::uint64_t{0} - bits) : to_odd(bits);
}
inline double to_odd(std::uint8_t value) { return static_cast<double>(value); }
inline double to_odd(float value) { return static_cast<double>(value); }
inline double to_odd(double value) { return value; }

// A number of one of the types that are computed with, as a stored one: rounded once.
template <class To, class Wide>
To narrow(Wide value) {
  if constexpr (std::is_same_v<To, Flag>) {
    return Flag{static_cast<std::uint8_t>(value != Wide{0} ? 1 : 0)};
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

}  // namespace asg::stored
