#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace asg {

enum class DType : std::uint8_t { f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, boolean };

// The four types in which the reference kernels compute.
enum class ComputeClass : std::uint8_t { real, signed_int, unsigned_int, boolean };

int bits_of(DType dtype);
std::int64_t bytes_of(DType dtype);     // of one element; every dtype of today fills whole bytes
std::string_view name_of(DType dtype);  // "f32", "i64", "bool"
std::optional<DType> parse_dtype(std::string_view name);
std::span<const DType> all_dtypes();

bool is_float(DType dtype);
bool is_signed_int(DType dtype);
bool is_unsigned_int(DType dtype);
inline bool is_integer(DType dtype) { return is_signed_int(dtype) || is_unsigned_int(dtype); }

ComputeClass compute_class(DType dtype);
DType compute_dtype(DType dtype);  // f64, i64, u64 or bool: where the interpreter computes

// Conversions of one 16-bit float, round to nearest even. NaN stays NaN: it keeps its sign and as much of its
// payload as fits, and becomes quiet.
float f16_to_f32(std::uint16_t bits);
std::uint16_t f32_to_f16(float value);
std::uint16_t f64_to_f16(double value);  // rounds once, not through f32
float bf16_to_f32(std::uint16_t bits);
std::uint16_t f32_to_bf16(float value);
std::uint16_t f64_to_bf16(double value);  // rounds once

// The C++ type of a dtype: dtype_of<float>() == DType::f32.
template <class T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<float>() {
  return DType::f32;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::f64;
}
template <>
constexpr DType dtype_of<std::int8_t>() {
  return DType::i8;
}
template <>
constexpr DType dtype_of<std::int16_t>() {
  return DType::i16;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
  return DType::i32;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::i64;
}
template <>
constexpr DType dtype_of<std::uint8_t>() {
  return DType::u8;
}
template <>
constexpr DType dtype_of<std::uint16_t>() {
  return DType::u16;
}
template <>
constexpr DType dtype_of<std::uint32_t>() {
  return DType::u32;
}
template <>
constexpr DType dtype_of<std::uint64_t>() {
  return DType::u64;
}
template <>
constexpr DType dtype_of<bool>() {
  return DType::boolean;
}

}  // namespace asg
