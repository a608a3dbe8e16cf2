#include <clocale>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "asg/core/array.h"

namespace asg {
namespace {

TEST(ArrayPrint, FloatsByTheFewestDigits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Row {
    DType dtype;
    double value;
    const char* text;
  };
  const Row rows[] = {
      {DType::f32, 0.1, "0.1"},
      {DType::f64, 0.1, "0.1"},
      {DType::f16, 0.1, "0.1"},
      {DType::bf16, 0.1, "0.1"},
      {DType::f64, 0.1 + 0.2, "0.30000000000000004"},
      {DType::f32, 1.0 / 3, "0.33333334"},
      {DType::f64, 1.0 / 3, "0.3333333333333333"},
      {DType::f16, 1.0 / 3, "0.3333"},
      {DType::bf16, 1.0 / 3, "0.334"},
      {DType::f32, 1, "1"},
      {DType::f32, -0.0, "-0"},
      {DType::f32, 16777216, "16777216"},
      {DType::f32, 10, "10"},
      {DType::f32, 1e10, "10000000000"},
      {DType::f64, 1e15, "1000000000000000"},
      {DType::f64, 1e16, "1e+16"},
      {DType::f64, 9007199254740992, "9007199254740992"},
      {DType::f32, 0.0001, "0.0001"},
      {DType::f32, 0.00001, "1e-05"},
      {DType::f32, 0.00012345, "0.00012345"},
      {DType::f32, 3.4028234663852886e38, "3.4028235e+38"},
      {DType::f32, 1e-45, "1e-45"},
      {DType::f64, 5e-324, "5e-324"},
      {DType::f16, 65504, "65504"},
      {DType::f64, 1e22, "1e+22"},
      {DType::f64, -123.456, "-123.456"},
      {DType::f32, infinity, "inf"},
      {DType::f16, -infinity, "-inf"},
      {DType::f64, std::numeric_limits<double>::quiet_NaN(), "nan"},
  };
  for (const Row& row : rows) EXPECT_EQ(Array::scalar(row.dtype, row.value).to_string(), row.text);
}

TEST(ArrayPrint, OtherDtypes) {
  EXPECT_EQ(Array::of<std::int8_t>({2}, {-128, 127}).to_string(), "[-128, 127]");
  EXPECT_EQ(Array::of<std::uint64_t>({1}, {~std::uint64_t{0}}).to_string(), "[18446744073709551615]");
  EXPECT_EQ(Array::of<bool>({2}, {true, false}).to_string(), "[true, false]");
}

TEST(ArrayPrint, Brackets) {
  struct Row {
    Sizes sizes;
    std::int64_t most;
    const char* text;
  };
  const Row rows[] = {
      {{}, 64, "0"},
      {{1}, 64, "[0]"},
      {{0}, 64, "[]"},
      {{2, 0}, 64, "[]"},
      {{2, 2}, 64, "[[0, 1],\n [2, 3]]"},
      {{2, 1, 2}, 64, "[[[0, 1]],\n [[2, 3]]]"},
      {{2, 2, 2}, 64, "[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]"},
      {{100}, 4, "[0, 1, ..., 98, 99]"},
      {{100}, 5, "[0, 1, ..., 98, 99]"},
      {{100}, 6, "[0, 1, 2, ..., 97, 98, 99]"},
      {{5}, 5, "[0, 1, 2, 3, 4]"},
      {{5}, 4, "[0, 1, ..., 3, 4]"},
      {{100}, 0, "[0, ..., 99]"},
      {{100}, -1, "[0, ..., 99]"},
      {{2}, 1, "[0, 1]"},  // nothing to leave out between both ends
      {{10, 10}, 4, "[[0, ..., 9],\n ...,\n [90, ..., 99]]"},
      {{2, 100}, 8, "[[0, 1, ..., 98, 99],\n [100, 101, ..., 198, 199]]"},
      {{4, 2}, 4, "[[0, 1],\n ...,\n [6, 7]]"},
      {{3, 3, 3}, 8, "[[[0, ..., 2],\n  ...,\n  [6, ..., 8]],\n ...,\n [[18, ..., 20],\n  ...,\n  [24, ..., 26]]]"},
  };
  for (const Row& row : rows) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(element_count(row.sizes)));
    std::iota(values.begin(), values.end(), 0);
    EXPECT_EQ(Array::of<std::int64_t>(row.sizes, values).to_string(row.most), row.text);
  }
}

TEST(ArrayPrint, LargeArraysAreQuick) {
  const Array array(DType::f32, {1000, 1000});
  EXPECT_LT(array.to_string().size(), 400u);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Array::scalar(DType::u8, 1).broadcast_to({most / 4, 4}).to_string(2),
            "[[1, ..., 1],\n ...,\n [1, ..., 1]]");
}

TEST(ArrayPrint, VeryHighRank) {
  constexpr std::size_t kRank = 100000;
  const std::string text = Array(DType::f32, Sizes(kRank, 1)).to_string();
  EXPECT_EQ(text, std::string(kRank, '[') + "0" + std::string(kRank, ']'));
}

TEST(ArrayPrint, AnotherLocaleChangesNothing) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;  // not on this machine
    EXPECT_EQ(Array::scalar(DType::f64, -1234.5).to_string(), "-1234.5");
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

}  // namespace
}  // namespace asg
