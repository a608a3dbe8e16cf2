#include "asg/core/dtype.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace asg {
namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  int bits;
  ComputeClass compute;
};

// In the order of the enum, so that a dtype is its own index.
constexpr std::array kRows = {
    DTypeRow{DType::f32, "f32", 32, ComputeClass::real},
    DTypeRow{DType::f64, "f64", 64, ComputeClass::real},
    DTypeRow{DType::f16, "f16", 16, ComputeClass::real},
    DTypeRow{DType::bf16, "bf16", 16, ComputeClass::real},
    DTypeRow{DType::i8, "i8", 8, ComputeClass::signed_int},
    DTypeRow{DType::i16, "i16", 16, ComputeClass::signed_int},
    DTypeRow{DType::i32, "i32", 32, ComputeClass::signed_int},
    DTypeRow{DType::i64, "i64", 64, ComputeClass::signed_int},
    DTypeRow{DType::u8, "u8", 8, ComputeClass::unsigned_int},
    DTypeRow{DType::u16, "u16", 16, ComputeClass::unsigned_int},
    DTypeRow{DType::u32, "u32", 32, ComputeClass::unsigned_int},
    DTypeRow{DType::u64, "u64", 64, ComputeClass::unsigned_int},
    DTypeRow{DType::boolean, "bool", 8, ComputeClass::boolean},
};

constexpr auto kDTypes = [] {
  std::array<DType, kRows.size()> dtypes{};
  for (std::size_t k = 0; k < kRows.size(); ++k) dtypes[k] = kRows[k].dtype;
  return dtypes;
}();

constexpr bool rows_in_order() {
  for (std::size_t k = 0; k < kRows.size(); ++k) {
    if (static_cast<std::size_t>(kRows[k].dtype) != k) return false;
  }
  return true;
}
static_assert(rows_in_order());

const DTypeRow& row_of(DType dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

// A binary float with a sign bit, `exponent_bits` and `mantissa_bits`, 16 bits in all.
template <int exponent_bits, int mantissa_bits>
struct SmallFloat {
  static constexpr int kBias = (1 << (exponent_bits - 1)) - 1;
  static constexpr int kLeastNormal = 1 - kBias;  // exponents
  static constexpr int kGreatest = kBias;
  static constexpr std::uint32_t kInfinity = ((1u << exponent_bits) - 1) << mantissa_bits;
  static constexpr std::uint32_t kQuiet = 1u << (mantissa_bits - 1);

  // Rounds once, to nearest even. A NaN keeps its sign and the top of its payload and becomes quiet.
  static std::uint16_t from_f64(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint32_t>(bits >> 63) << 15;
    return static_cast<std::uint16_t>(sign | magnitude(bits & ~(std::uint64_t{1} << 63)));
  }

 private:
  static std::uint32_t magnitude(std::uint64_t bits) {
    constexpr std::uint64_t kHidden = std::uint64_t{1} << 52;
    const std::uint64_t fraction = bits & (kHidden - 1);
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    if (exponent == 1024 && fraction != 0) {
      return kInfinity | kQuiet | static_cast<std::uint32_t>(fraction >> (52 - mantissa_bits));
    }
    if (exponent > kGreatest) return kInfinity;

    // Below the least normal number one more bit is lost per power of two.
    const bool subnormal = exponent < kLeastNormal;
    const int shift = 52 - mantissa_bits + (subnormal ? kLeastNormal - exponent : 0);
    if (shift > 53) return 0;  // under half of the least subnormal
    const std::uint64_t significand = fraction | kHidden;
    auto kept = static_cast<std::uint32_t>(significand >> shift);
    const std::uint64_t lost = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    if (lost > half || (lost == half && (kept & 1u) != 0)) ++kept;
    // The hidden bit of `kept` adds the last one to the exponent, and so does a carry out of the mantissa:
    // up to infinity, or from the greatest subnormal to the least normal number.
    return subnormal ? kept : (static_cast<std::uint32_t>(exponent + kBias - 1) << mantissa_bits) + kept;
  }
};

using Float16 = SmallFloat<5, 10>;
using BFloat16 = SmallFloat<8, 7>;

}  // namespace

int bits_of(DType dtype) { return row_of(dtype).bits; }
std::int64_t bytes_of(DType dtype) { return row_of(dtype).bits / 8; }
std::string_view name_of(DType dtype) { return row_of(dtype).name; }
std::span<const DType> all_dtypes() { return kDTypes; }

std::optional<DType> parse_dtype(std::string_view name) {
  for (const DTypeRow& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

ComputeClass compute_class(DType dtype) { return row_of(dtype).compute; }
bool is_float(DType dtype) { return compute_class(dtype) == ComputeClass::real; }
bool is_signed_int(DType dtype) { return compute_class(dtype) == ComputeClass::signed_int; }
bool is_unsigned_int(DType dtype) { return compute_class(dtype) == ComputeClass::unsigned_int; }

DType compute_dtype(DType dtype) {
  switch (compute_class(dtype)) {
    case ComputeClass::real:
      return DType::f64;
    case ComputeClass::signed_int:
      return DType::i64;
    case ComputeClass::unsigned_int:
      return DType::u64;
    case ComputeClass::boolean:
      break;
  }
  return DType::boolean;
}

float f16_to_f32(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t mantissa = bits & 0x3FFu;
  if (exponent == 0) {  // zero and subnormals: a multiple of 2^-24, exact in f32
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide_exponent = exponent == 0x1Fu ? 0xFFu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | mantissa << 13);
}

// f32 to f64 is exact, so the roundings below are single ones.
std::uint16_t f32_to_f16(float value) { return Float16::from_f64(static_cast<double>(value)); }
std::uint16_t f64_to_f16(double value) { return Float16::from_f64(value); }
std::uint16_t f64_to_bf16(double value) { return BFloat16::from_f64(value); }

float bf16_to_f32(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t f32_to_bf16(float value) {
  // bf16 is the upper half of f32: add just under half of the last kept bit, and all of it on odd.
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | BFloat16::kQuiet);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace asg
