#include "asg/graph/samples.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace asg {
namespace {

std::vector<double> sorted_values(const Array& array) {
  std::vector<double> values;
  for (std::int64_t position = 0; position < array.count(); ++position) values.push_back(array.get(position));
  std::sort(values.begin(), values.end());
  return values;
}

TEST(SampleValue, LiesBetweenItsBoundsAndFillsThem) {
  const Array value = sample_value(in({20, 50}, 2, 5), "Add", "plain", 0);
  EXPECT_EQ(value.dtype(), DType::f64);
  EXPECT_EQ(value.sizes(), (Sizes{20, 50}));
  const auto values = sorted_values(value);
  EXPECT_GE(values.front(), 2);
  EXPECT_LE(values.back(), 5);
  EXPECT_GT(values.back() - values.front(), 2.95);
}

TEST(SampleValue, DependsOnOpSampleAndIndexOnly) {
  const SampleInput input = in({8});
  const Array value = sample_value(input, "Add", "plain", 0);
  EXPECT_TRUE(bit_equal(value, sample_value(input, "Add", "plain", 0)));
  EXPECT_FALSE(bit_equal(value, sample_value(input, "Sub", "plain", 0)));
  EXPECT_FALSE(bit_equal(value, sample_value(input, "Add", "other", 0)));
  EXPECT_FALSE(bit_equal(value, sample_value(input, "Add", "plain", 1)));
  EXPECT_FALSE(bit_equal(value, sample_value(input, "Addp", "lain", 0)));
}

TEST(SampleValue, DistinctValuesKeepAMargin) {
  for (const std::int64_t count : {1, 2, 7, 24, 101}) {
    const Array value = sample_value(distinct({count}, -3, 3), "Max", "ties", 0);
    const auto values = sorted_values(value);
    const double step = 6.0 / static_cast<double>(count);
    for (std::size_t k = 1; k < values.size(); ++k) EXPECT_NEAR(values[k] - values[k - 1], step, 1e-12);
    EXPECT_GE(values.front(), -3);
    EXPECT_LE(values.back(), 3);
    // Magnitudes differ as well, and none is near 0.
    std::vector<double> magnitudes;
    for (const double one : values) magnitudes.push_back(std::abs(one));
    std::sort(magnitudes.begin(), magnitudes.end());
    EXPECT_GT(magnitudes.front(), 0.19 * step);
    for (std::size_t k = 1; k < magnitudes.size(); ++k) EXPECT_GT(magnitudes[k] - magnitudes[k - 1], 0.3 * step);
  }
}

TEST(SampleValue, DistinctValuesAreShuffled) {
  const Array value = sample_value(distinct({50}), "Max", "ties", 0);
  const Array other = sample_value(distinct({50}), "Max", "ties", 1);
  EXPECT_FALSE(bit_equal(value, other));
  int falling = 0;
  for (std::int64_t position = 1; position < 50; ++position) {
    if (value.get(position) < value.get(position - 1)) ++falling;
  }
  EXPECT_GT(falling, 10);
  EXPECT_LT(falling, 40);
}

TEST(SampleValue, OfOtherDtypes) {
  SampleInput integers = in({200}, -2, 3);
  integers.dtype = DType::i32;
  const auto values = sorted_values(sample_value(integers, "Gather", "indices", 1));
  EXPECT_EQ(values.front(), -2);
  EXPECT_EQ(values.back(), 3);
  for (const double value : values) EXPECT_EQ(value, std::round(value));

  SampleInput booleans = in({100});
  booleans.dtype = DType::boolean;
  const auto truths = sorted_values(sample_value(booleans, "Where", "condition", 0));
  EXPECT_EQ(truths.front(), 0);
  EXPECT_EQ(truths.back(), 1);

  SampleInput order = distinct({5}, 0, 9);
  order.dtype = DType::i64;
  EXPECT_EQ(sorted_values(sample_value(order, "Sort", "integers", 0)), (std::vector<double>{0, 2, 4, 6, 8}));
}

TEST(SampleValue, GivenOnesAreExact) {
  EXPECT_TRUE(
      bit_equal(sample_value(in_ints({2, 1}, {3, -4}), "op", "s", 0), Array::of<std::int64_t>({2, 1}, {3, -4})));
  EXPECT_TRUE(bit_equal(sample_value(in_bools({3}, {true, false, true}), "op", "s", 0),
                        Array::of<bool>({3}, {true, false, true})));
  const Array exact = Array::of<float>({2}, {0.1f, 0.2f});
  const SampleInput input = in_exact(exact);
  EXPECT_EQ(input.dtype, DType::f32);
  EXPECT_EQ(input.sizes, (Sizes{2}));
  EXPECT_TRUE(bit_equal(sample_value(input, "op", "s", 0), exact));
  EXPECT_TRUE(absent().absent);
  EXPECT_EQ(sample_value(absent(), "op", "s", 0).count(), 0);
}

TEST(SampleValue, RefusesBoundsThatDoNotFit) {
  SampleInput crowded = distinct({10}, 0, 3);
  crowded.dtype = DType::i64;
  SampleInput between = in({1}, 0.2, 0.8);
  between.dtype = DType::i64;
  SampleInput truths = distinct({2});
  truths.dtype = DType::boolean;
  for (const SampleInput& input : {crowded, between, truths, distinct({2}, 1, 1)}) {
    try {
      sample_value(input, "op", "s", 0);
      ADD_FAILURE() << name_of(input.dtype);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_card);
    }
  }
}

}  // namespace
}  // namespace asg
