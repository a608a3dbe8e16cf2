#include <algorithm>
#include <array>
#include <type_traits>

#include "core/stored_types.h"
#include "strided.h"

// Conversion in two halves: every dtype loads exactly into its compute dtype, and each of the four compute dtypes
// stores into every dtype, rounding once. So n dtypes need 5n loops and not n². From or to a compute dtype, which is
// what the interpreter does with every operand, one half falls away and the loop runs from memory to memory.
namespace asg {
namespace strided {
namespace {

using stored::BF16;
using stored::F16;
using stored::Flag;

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
  convert_loop<Wide, To>(wide, step, to, count, [](Wide value) { return stored::narrow<To>(value); });
}

Load load_of(DType dtype) {
  return stored::with_type(dtype, [](auto tag) -> Load { return &load<typename decltype(tag)::Type>; });
}

template <class Wide>
Store store_from(DType dtype) {
  return stored::with_type(dtype, [](auto tag) -> Store { return &store<Wide, typename decltype(tag)::Type>; });
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
