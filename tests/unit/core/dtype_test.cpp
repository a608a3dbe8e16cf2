#include "asg/core/dtype.h"

#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace asg {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

TEST(DType, TableOfProperties) {
  struct Row {
    DType dtype;
    const char* name;
    int bits;
    ComputeClass compute;
    DType wide;
  };
  const Row rows[] = {
      {DType::f32, "f32", 32, ComputeClass::real, DType::f64},
      {DType::f64, "f64", 64, ComputeClass::real, DType::f64},
      {DType::f16, "f16", 16, ComputeClass::real, DType::f64},
      {DType::bf16, "bf16", 16, ComputeClass::real, DType::f64},
      {DType::i8, "i8", 8, ComputeClass::signed_int, DType::i64},
      {DType::i16, "i16", 16, ComputeClass::signed_int, DType::i64},
      {DType::i32, "i32", 32, ComputeClass::signed_int, DType::i64},
      {DType::i64, "i64", 64, ComputeClass::signed_int, DType::i64},
      {DType::u8, "u8", 8, ComputeClass::unsigned_int, DType::u64},
      {DType::u16, "u16", 16, ComputeClass::unsigned_int, DType::u64},
      {DType::u32, "u32", 32, ComputeClass::unsigned_int, DType::u64},
      {DType::u64, "u64", 64, ComputeClass::unsigned_int, DType::u64},
      {DType::boolean, "bool", 8, ComputeClass::boolean, DType::boolean},
  };
  ASSERT_EQ(std::size(rows), all_dtypes().size());
  std::set<DType> seen;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(name_of(row.dtype), row.name);
    EXPECT_EQ(parse_dtype(row.name), row.dtype);
    EXPECT_EQ(bits_of(row.dtype), row.bits);
    EXPECT_EQ(bytes_of(row.dtype), row.bits / 8);
    EXPECT_EQ(compute_class(row.dtype), row.compute);
    EXPECT_EQ(compute_dtype(row.dtype), row.wide);
    EXPECT_EQ(is_float(row.dtype), row.compute == ComputeClass::real);
    EXPECT_EQ(is_signed_int(row.dtype), row.compute == ComputeClass::signed_int);
    EXPECT_EQ(is_unsigned_int(row.dtype), row.compute == ComputeClass::unsigned_int);
    EXPECT_EQ(is_integer(row.dtype), is_signed_int(row.dtype) || is_unsigned_int(row.dtype));
    seen.insert(row.dtype);
  }
  for (const DType dtype : all_dtypes()) EXPECT_TRUE(seen.count(dtype)) << name_of(dtype);
}

TEST(DType, UnknownNamesAreRefused) {
  for (const char* name : {"", "f", "f33", "F32", "float", "boolean", "f32 ", "i6"}) {
    EXPECT_FALSE(parse_dtype(name).has_value()) << name;
  }
}

TEST(DType, OfCppTypes) {
  EXPECT_EQ(dtype_of<float>(), DType::f32);
  EXPECT_EQ(dtype_of<double>(), DType::f64);
  EXPECT_EQ(dtype_of<std::int8_t>(), DType::i8);
  EXPECT_EQ(dtype_of<std::uint64_t>(), DType::u64);
  EXPECT_EQ(dtype_of<bool>(), DType::boolean);
}

// The value of a 16-bit float from its definition, with ldexp, independent of the code under test.
double defined_value(std::uint16_t bits, int mantissa_bits) {
  const int exponent_bits = 15 - mantissa_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits & 0x7FFF) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) return mantissa != 0 ? kNotANumber : sign * kInfinity;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
}

struct SmallFloatFunctions {
  const char* name;
  int mantissa_bits;
  float (*to_f32)(std::uint16_t);
  std::uint16_t (*from_f32)(float);
  std::uint16_t (*from_f64)(double);
};
const SmallFloatFunctions kSmallFloats[] = {
    {"f16", 10, f16_to_f32, f32_to_f16, f64_to_f16},
    {"bf16", 7, bf16_to_f32, f32_to_bf16, f64_to_bf16},
};

TEST(SmallFloat, EveryPatternGoesToF32AndBack) {
  for (const auto& type : kSmallFloats) {
    SCOPED_TRACE(type.name);
    for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
      const auto bits = static_cast<std::uint16_t>(pattern);
      const double expected = defined_value(bits, type.mantissa_bits);
      const float value = type.to_f32(bits);
      if (std::isnan(expected)) {
        // Sign and payload stay, signalling becomes quiet.
        const auto quiet = static_cast<std::uint16_t>(bits | 1u << (type.mantissa_bits - 1));
        ASSERT_TRUE(std::isnan(value)) << pattern;
        ASSERT_EQ(type.from_f32(value), quiet) << pattern;
        ASSERT_EQ(type.from_f64(static_cast<double>(value)), quiet) << pattern;
      } else {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(static_cast<double>(value)), std::bit_cast<std::uint64_t>(expected))
            << pattern;
        ASSERT_EQ(type.from_f32(value), bits);
        ASSERT_EQ(type.from_f64(static_cast<double>(value)), bits);
      }
    }
  }
}

// Between each two neighbours: the middle goes to the even one, and the least f64 beside it to its own side.
TEST(SmallFloat, EveryMiddleRoundsOnceToEven) {
  for (const auto& type : kSmallFloats) {
    SCOPED_TRACE(type.name);
    const auto infinity = static_cast<std::uint16_t>(0x7FFF & ~((1 << type.mantissa_bits) - 1));
    for (std::uint16_t low = 0; low < infinity; ++low) {
      const auto high = static_cast<std::uint16_t>(low + 1);
      const double below = defined_value(low, type.mantissa_bits);
      // Infinity rounds as if the range went on: its middle is half a step above the greatest number.
      const double step = high == infinity
                              ? below - defined_value(static_cast<std::uint16_t>(low - 1), type.mantissa_bits)
                              : defined_value(high, type.mantissa_bits) - below;
      const double middle = below + step / 2;
      const std::uint16_t even = low % 2 == 0 ? low : high;
      ASSERT_EQ(type.from_f64(middle), even) << low;
      ASSERT_EQ(type.from_f64(-middle), even | 0x8000) << low;
      // f32 in between would lose these: the double rounding that f64_to_* must not do.
      ASSERT_EQ(type.from_f64(std::nextafter(middle, kInfinity)), high) << low;
      ASSERT_EQ(type.from_f64(std::nextafter(middle, -kInfinity)), low) << low;

      const auto narrow = static_cast<float>(middle);
      if (static_cast<double>(narrow) != middle) continue;  // below the subnormals of f32
      ASSERT_EQ(type.from_f32(narrow), even) << low;
      ASSERT_EQ(type.from_f32(std::nextafter(narrow, std::numeric_limits<float>::infinity())), high) << low;
      ASSERT_EQ(type.from_f32(std::nextafter(narrow, -1.0f)), low) << low;
    }
  }
}

TEST(SmallFloat, NamedValues) {
  struct Row {
    double value;
    std::uint16_t f16;
    std::uint16_t bf16;
  };
  const Row rows[] = {
      {0.0, 0x0000, 0x0000},
      {-0.0, 0x8000, 0x8000},
      {1.0, 0x3C00, 0x3F80},
      {-2.0, 0xC000, 0xC000},
      {65504.0, 0x7BFF, 0x4780},
      {65519.999, 0x7BFF, 0x4780},
      {65520.0, 0x7C00, 0x4780},
      {1e300, 0x7C00, 0x7F80},
      {-1e300, 0xFC00, 0xFF80},
      {kInfinity, 0x7C00, 0x7F80},
      {-kInfinity, 0xFC00, 0xFF80},
      {0x1p-24, 0x0001, 0x3380},  // least subnormal of f16
      {0x1p-25, 0x0000, 0x3300},  // its half: to even
      {0x1.0000000000001p-25, 0x0001, 0x3300},
      {0x1p-14, 0x0400, 0x3880},  // least normal of f16
      {0x1.ffffffp-15, 0x0400, 0x3880},
      {0x1p-133, 0x0000, 0x0001},  // least subnormal of bf16
      {0x1p-134, 0x0000, 0x0000},
      {0x1p-1074, 0x0000, 0x0000},  // least subnormal of f64
      {-0x1p-1074, 0x8000, 0x8000},
      // A middle of the short type plus less than f32 can hold: through f32 these would go to even, the wrong way.
      {1.0 + 0x1p-11 + 0x1p-40, 0x3C01, 0x3F80},
      {1.0 + 0x1p-8 + 0x1p-40, 0x3C04, 0x3F81},
      {1.0 + 0x3p-11 - 0x1p-40, 0x3C01, 0x3F80},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(f64_to_f16(row.value), row.f16) << row.value;
    EXPECT_EQ(f64_to_bf16(row.value), row.bf16) << row.value;
  }
}

// f32 has two ways to bf16 here, a short one and the one through f64; they must agree.
TEST(SmallFloat, BothWaysFromF32Agree) {
  std::uint32_t bits = 1;
  for (int k = 0; k < 200000; ++k) {
    bits = bits * 1664525u + 1013904223u;
    const auto value = std::bit_cast<float>(bits);
    ASSERT_EQ(f32_to_bf16(value), f64_to_bf16(static_cast<double>(value))) << bits;
    ASSERT_EQ(f32_to_f16(value), f64_to_f16(static_cast<double>(value))) << bits;
  }
}

}  // namespace
}  // namespace asg
