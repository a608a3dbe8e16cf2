#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "asg/core/array.h"

namespace asg {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(ArrayCast, FloatToIntTruncatesAndSaturates) {
  struct Row {
    double value;
    DType to;
    const char* text;
  };
  const Row rows[] = {
      {2.9, DType::i32, "2"},
      {-2.9, DType::i32, "-2"},
      {-0.9, DType::u8, "0"},
      {-3.0, DType::u64, "0"},
      {127.9, DType::i8, "127"},
      {128.0, DType::i8, "127"},
      {-128.9, DType::i8, "-128"},
      {-129.0, DType::i8, "-128"},
      {255.5, DType::u8, "255"},
      {256.0, DType::u8, "255"},
      {-40000.0, DType::i16, "-32768"},
      {70000.0, DType::u16, "65535"},
      {2147483647.5, DType::i32, "2147483647"},
      {2147483648.0, DType::i32, "2147483647"},
      {4294967295.5, DType::u32, "4294967295"},
      {4294967296.0, DType::u32, "4294967295"},
      {0x1.fffffffffffffp62, DType::i64, "9223372036854774784"},
      {0x1p63, DType::i64, "9223372036854775807"},
      {-0x1p63, DType::i64, "-9223372036854775808"},
      {-0x1.0000000000001p63, DType::i64, "-9223372036854775808"},
      {0x1.fffffffffffffp63, DType::u64, "18446744073709549568"},
      {0x1p64, DType::u64, "18446744073709551615"},
      {kInf, DType::i64, "9223372036854775807"},
      {-kInf, DType::i64, "-9223372036854775808"},
      {kInf, DType::u8, "255"},
      {-kInf, DType::u8, "0"},
      {kNaN, DType::i8, "0"},
      {kNaN, DType::i64, "0"},
      {kNaN, DType::u64, "0"},
      {-0.0, DType::i64, "0"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Array::scalar(DType::f64, row.value).cast(row.to).to_string(), row.text) << row.value;
    EXPECT_EQ(Array::scalar(row.to, row.value).to_string(), row.text) << row.value;  // set() by the same rules
  }
  EXPECT_EQ(Array::scalar(DType::bf16, 300).cast(DType::i8).to_string(), "127");
  EXPECT_EQ(Array::scalar(DType::f16, kInf).cast(DType::u32).to_string(), "4294967295");
  EXPECT_EQ(Array::scalar(DType::f32, 1e30).get_i64(0), kMost);
}

TEST(ArrayCast, IntToIntWraps) {
  struct Row {
    std::int64_t value;
    DType to;
    const char* text;
  };
  const Row rows[] = {
      {128, DType::i8, "-128"},
      {255, DType::i8, "-1"},
      {-1, DType::u8, "255"},
      {256, DType::u8, "0"},
      {-1, DType::u64, "18446744073709551615"},
      {kLeast, DType::u64, "9223372036854775808"},
      {65536 + 5, DType::i16, "5"},
      {kMost, DType::i32, "-1"},
      {kLeast, DType::i32, "0"},
      {-1, DType::u32, "4294967295"},
      {-129, DType::i8, "127"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Array::scalar_i64(row.value).cast(row.to).to_string(), row.text) << row.value;
    Array set_array(row.to, {1});
    set_array.set_i64(0, row.value);
    EXPECT_EQ(set_array.to_string(), "[" + std::string(row.text) + "]");
  }
  const Array unsigned_most = Array::of<std::uint64_t>({1}, {~std::uint64_t{0}});
  EXPECT_EQ(unsigned_most.cast(DType::i64).get_i64(0), -1);
  EXPECT_EQ(unsigned_most.get_i64(0), -1);
  EXPECT_EQ(unsigned_most.get(0), 0x1p64);
}

TEST(ArrayCast, ToBoolIsNotZero) {
  const Array floats = Array::of<double>({7}, {0.0, -0.0, 1.0, 0.1, -5.0, kNaN, 5e-324});
  const char* const expected = "[false, false, true, true, true, true, true]";
  EXPECT_EQ(floats.cast(DType::boolean).to_string(), expected);
  EXPECT_EQ(Array::ints({0, 256, -1, kLeast}).cast(DType::boolean).to_string(), "[false, true, true, true]");
  EXPECT_EQ(Array::of<std::uint8_t>({2}, {0, 128}).cast(DType::boolean).to_string(), "[false, true]");
  for (const DType dtype : all_dtypes()) {
    const Array flags = Array::of<bool>({2}, {false, true}).cast(dtype);
    EXPECT_EQ(flags.get(0), 0.0);
    EXPECT_EQ(flags.get(1), 1.0);
  }
  // Memory of the user may hold other bytes.
  std::uint8_t bytes[3] = {0, 1, 200};
  const Array wrapped = Array::wrap(DType::boolean, {3}, bytes, nullptr);
  EXPECT_EQ(wrapped.to_string(), "[false, true, true]");
  EXPECT_EQ(wrapped.cast(DType::f32).get(2), 1.0);
  EXPECT_EQ(wrapped.cast(DType::u8).get(2), 1.0);
}

TEST(ArrayCast, ToFloatsRoundsOnce) {
  struct Row {
    double value;
    DType to;
    double expected;
  };
  const Row rows[] = {
      {1.0 + 0x1p-24, DType::f32, 1.0},  // a middle: to even
      {1.0 + 0x1p-24 + 0x1p-50, DType::f32, 1.0 + 0x1p-23},
      {1e300, DType::f32, kInf},
      {0x1p-150, DType::f32, 0.0},
      {0x1.8p-150, DType::f32, 0x1p-149},
      {1.0 + 0x1p-11 + 0x1p-40, DType::f16, 1.0 + 0x1p-10},
      {65520.0, DType::f16, kInf},
      {1.0 + 0x1p-8 + 0x1p-40, DType::bf16, 1.0 + 0x1p-7},
      {-kInf, DType::bf16, -kInf},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Array::scalar(DType::f64, row.value).cast(row.to).get(0), row.expected) << row.value;
    EXPECT_EQ(Array::scalar(row.to, row.value).get(0), row.expected) << row.value;
  }
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    EXPECT_TRUE(std::isnan(Array::scalar(DType::f64, kNaN).cast(dtype).get(0)));
  }
}

// An integer beyond 53 bits does not fit f64; through it, these would be rounded twice.
TEST(ArrayCast, LongIntsToShortFloatsRoundOnce) {
  constexpr std::int64_t kTop = std::int64_t{1} << 62;
  constexpr std::int64_t kBf16Half = std::int64_t{1} << 54;  // half of the last bit of bf16 at 2^62
  constexpr std::int64_t kF32Half = std::int64_t{1} << 38;
  struct Row {
    std::int64_t value;
    DType to;
    double expected;
  };
  const Row rows[] = {
      {kTop + kBf16Half, DType::bf16, 0x1p62},
      {kTop + kBf16Half + 1, DType::bf16, 0x1p62 + 0x1p55},
      {kTop + kBf16Half - 1, DType::bf16, 0x1p62},
      {-kTop - kBf16Half - 1, DType::bf16, -0x1p62 - 0x1p55},
      {kTop + 3 * kBf16Half - 1, DType::bf16, 0x1p62 + 0x1p55},
      {kTop + 3 * kBf16Half, DType::bf16, 0x1p62 + 0x1p56},
      {kMost, DType::bf16, 0x1p63},
      {kLeast, DType::bf16, -0x1p63},
      {kTop + kF32Half, DType::f32, 0x1p62},
      {kTop + kF32Half + 1, DType::f32, 0x1p62 + 0x1p39},
      {-kTop - kF32Half - 1, DType::f32, -0x1p62 - 0x1p39},
      {(std::int64_t{1} << 53) + 1, DType::f64, 0x1p53},
      {(std::int64_t{1} << 53) + 3, DType::f64, 0x1p53 + 4},
      {65519, DType::f16, 65504},
      {65520, DType::f16, kInf},
      {kLeast, DType::f16, -kInf},
      {2049, DType::f16, 2048},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Array::scalar_i64(row.value).cast(row.to).get(0), row.expected) << row.value;
    if (row.value < 0) continue;
    const Array as_unsigned = Array::of<std::uint64_t>({1}, {static_cast<std::uint64_t>(row.value)});
    EXPECT_EQ(as_unsigned.cast(row.to).get(0), row.expected) << row.value;
  }
  const Array top = Array::of<std::uint64_t>({1}, {(std::uint64_t{1} << 63) + (std::uint64_t{1} << 55) + 1});
  EXPECT_EQ(top.cast(DType::bf16).get(0), 0x1p63 + 0x1p56);
}

// Every pair of dtypes, by values that all of them hold, over lengths around the inner block.
TEST(ArrayCast, AllPairsKeepSmallIntegers) {
  for (const std::int64_t count : {1, 2, 511, 512, 513, 1500}) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::int64_t>(k * k % 128);
    const Array source = Array::ints(values);
    for (const DType from : all_dtypes()) {
      const Array first = source.cast(from);
      for (const DType to : all_dtypes()) {
        const Array second = first.cast(to);
        ASSERT_EQ(second.dtype(), to);
        for (std::int64_t k = 0; k < count; ++k) {
          const bool flag = from == DType::boolean || to == DType::boolean;
          const std::int64_t value = values[static_cast<std::size_t>(k)];
          ASSERT_EQ(second.get_i64(k), flag ? static_cast<std::int64_t>(value != 0) : value)
              << name_of(from) << " to " << name_of(to) << " at " << k;
        }
        // A view backwards takes the strided loops.
        const Array backwards = first.sliced(0, count - 1, count, -1).cast(to);
        ASSERT_TRUE(bit_equal(backwards.sliced(0, count - 1, count, -1), second));
      }
    }
  }
}

TEST(ArrayCast, EverySmallFloatSurvivesWiderTypes) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    Array array(dtype, {65536});
    auto* const words = reinterpret_cast<std::uint16_t*>(array.raw());
    for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) words[pattern] = static_cast<std::uint16_t>(pattern);
    for (const DType wide : {DType::f32, DType::f64}) {
      const Array back = array.cast(wide).cast(dtype);
      for (std::int64_t k = 0; k < 65536; ++k) {
        const auto bits = reinterpret_cast<const std::uint16_t*>(back.raw())[k];
        if (std::isnan(array.get(k))) {
          ASSERT_TRUE(std::isnan(back.get(k)));
        } else {
          ASSERT_EQ(bits, words[k]);
        }
      }
    }
  }
}

TEST(ArrayCast, ShapesStay) {
  for (const Sizes& sizes : {Sizes{}, Sizes{0}, Sizes{2, 0, 3}, Sizes{2, 3}}) {
    EXPECT_EQ(Array(DType::f32, sizes).cast(DType::i8).sizes(), sizes);
  }
  const Array array(DType::f32, {2});
  EXPECT_EQ(array.cast(DType::f32).raw(), array.raw());
}

}  // namespace
}  // namespace asg
