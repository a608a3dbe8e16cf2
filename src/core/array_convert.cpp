#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "strided.h"

// Conversion in two halves: every dtype loads exactly into its compute dtype, and each of the four compute dtypes
// stores into every dtype, rounding once. So n dtypes need 5n loops and not n². From or to a compute dtype, which is
// what the interpreter does with every operand, one half falls away and the loop runs from memory to memory.
namespace asg {
namespace strided {
namespace {

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

double widen(float value) { return static_cast<double>(value); }
double widen(double value) { return value; }
double widen(F16 value) { return static_cast<double>(f16_to_f32(value.bits)); }
double widen(BF16 value) { return static_cast<double>(bf16_to_f32(value.bits)); }
std::uint8_t widen(Flag value) { return value.byte != 0 ? 1 : 0; }
template <class T>
  requires std::is_integral_v<T>
auto widen(T value) {
  return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value);
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
double to_odd(std::uint64_t magnitude) {
  constexpr int kLost = 64 - 53;
  constexpr std::uint64_t kLow = (std::uint64_t{1} << kLost) - 1;
  if (magnitude >> 53 == 0) return static_cast<double>(magnitude);
  return static_cast<double>((magnitude & ~kLow) | ((magnitude & kLow) != 0 ? kLow + 1 : 0));
}
double to_odd(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? -to_odd(std::uint64_t{0} - bits) : to_odd(bits);
}
double to_odd(std::uint8_t value) { return static_cast<double>(value); }
double to_odd(double value) { return value; }

template <class To, class Wide>
To narrow(Wide value) {
  if constexpr (std::is_same_v<To, Flag>) {
    return Flag{static_cast<std::uint8_t>(value != Wide{0} ? 1 : 0)};
  } else if constexpr (std::is_same_v<To, F16>) {
    return F16{f64_to_f16(to_odd(value))};
  } else if constexpr (std::is_same_v<To, BF16>) {
    return BF16{f64_to_bf16(to_odd(value))};
  } else if constexpr (std::is_integral_v<To> && std::is_same_v<Wide, double>) {
    return saturate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

using Load = void (*)(const std::byte* from, std::int64_t step, std::byte* wide, std::int64_t count);
using Store = void (*)(const std::byte* wide, std::int64_t step, std::byte* to, std::int64_t count);

// The dense loop stands by itself so that the compiler makes vectors of it.
template <class From, class To, class Convert>
void convert_loop(const std::byte* from_bytes, std::int64_t step, std::byte* to_bytes, std::int64_t count,
                  Convert convert_one) {
  const auto* from = reinterpret_cast<const From*>(from_bytes);
  auto* to = reinterpret_cast<To*>(to_bytes);
  const auto end = static_cast<std::ptrdiff_t>(count);
  const auto stride = static_cast<std::ptrdiff_t>(step);
  if (stride == 1) {
    for (std::ptrdiff_t k = 0; k < end; ++k) to[k] = convert_one(from[k]);
  } else {
    for (std::ptrdiff_t k = 0; k < end; ++k) to[k] = convert_one(from[k * stride]);
  }
}

template <class From>
void load(const std::byte* from, std::int64_t step, std::byte* wide, std::int64_t count) {
  using Wide = decltype(widen(From{}));
  convert_loop<From, Wide>(from, step, wide, count, [](From value) { return widen(value); });
}

template <class Wide, class To>
void store(const std::byte* wide, std::int64_t step, std::byte* to, std::int64_t count) {
  convert_loop<Wide, To>(wide, step, to, count, [](Wide value) { return narrow<To>(value); });
}

template <class Stored>
struct Tag {
  using Type = Stored;
};

// The one place where a dtype meets its type in memory.
template <class Visit>
auto with_stored_type(DType dtype, Visit visit) {
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

Load load_of(DType dtype) {
  return with_stored_type(dtype, [](auto tag) -> Load { return &load<typename decltype(tag)::Type>; });
}

template <class Wide>
Store store_from(DType dtype) {
  return with_stored_type(dtype, [](auto tag) -> Store { return &store<Wide, typename decltype(tag)::Type>; });
}

Store store_of(ComputeClass wide, DType dtype) {
  switch (wide) {
    case ComputeClass::real:
      return store_from<double>(dtype);
    case ComputeClass::signed_int:
      return store_from<std::int64_t>(dtype);
    case ComputeClass::unsigned_int:
      return store_from<std::uint64_t>(dtype);
    case ComputeClass::boolean:
      break;
  }
  return store_from<std::uint8_t>(dtype);
}

}  // namespace

void convert(DType from_dtype, const std::byte* from, std::int64_t from_step, DType to_dtype, std::byte* to,
             std::int64_t count) {
  const DType wide = compute_dtype(from_dtype);
  if (to_dtype == wide) return load_of(from_dtype)(from, from_step, to, count);
  const Store store_run = store_of(compute_class(from_dtype), to_dtype);
  // A bool goes through its load even so, which makes 1 of whatever is not 0.
  if (from_dtype == wide && from_dtype != DType::boolean) return store_run(from, from_step, to, count);

  constexpr std::int64_t kBlock = 512;  // stays in the first cache
  alignas(64) std::array<std::byte, kBlock * 8> buffer;
  const Load load_run = load_of(from_dtype);
  const std::int64_t from_bytes = bytes_of(from_dtype) * from_step;
  const std::int64_t to_bytes = bytes_of(to_dtype);
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t size = std::min(kBlock, count - first);
    load_run(from + static_cast<std::ptrdiff_t>(first * from_bytes), from_step, buffer.data(), size);
    store_run(buffer.data(), 1, to + static_cast<std::ptrdiff_t>(first * to_bytes), size);
  }
}

}  // namespace strided

Array Array::cast(DType dtype) const {
  if (dtype == dtype_) return *this;
  Array result = uninitialised(dtype, sizes_);
  if (count_ == 0) return result;
  if (is_dense()) {
    strided::convert(dtype_, raw(), 1, dtype, result.raw(), count_);
    return result;
  }
  const std::int64_t to_bytes = bytes_of(dtype);
  // The result is dense, so that its runs are too.
  strided::for_each_run(strided::make_walk(sizes_, strides_, result.strides_), [&](const strided::Run& run) {
    strided::convert(dtype_, raw() + static_cast<std::ptrdiff_t>(run.from * bytes_of(dtype_)), run.from_step, dtype,
                     result.raw() + static_cast<std::ptrdiff_t>(run.to * to_bytes), run.count);
  });
  return result;
}

}  // namespace asg
