#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "asg/graph/variable.h"

namespace asg {
namespace {

constexpr std::uint64_t kSeed = 7;

Variable variable_of(Initializer init, const Sizes& sizes, DType dtype = DType::f64, std::uint32_t id = 1) {
  return {VarId{id}, "v", {dtype, Shape::of(sizes)}, std::move(init)};
}

std::vector<double> values_of(const Array& array) {
  std::vector<double> values;
  for (std::int64_t position = 0; position < array.count(); ++position) values.push_back(array.get(position));
  return values;
}

struct Statistics {
  double mean = 0;
  double deviation = 0;
  double least = 0;
  double most = 0;
};

Statistics statistics(const std::vector<double>& values) {
  Statistics result{0, 0, values[0], values[0]};
  for (const double value : values) {
    result.mean += value / static_cast<double>(values.size());
    result.least = std::min(result.least, value);
    result.most = std::max(result.most, value);
  }
  for (const double value : values) {
    result.deviation += (value - result.mean) * (value - result.mean) / static_cast<double>(values.size());
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

struct StatisticsCase {
  Initializer init;
  Sizes sizes;
  double mean;
  double deviation;
  double bound;  // no value is farther from the mean; 0: no bound
};

// Kaiming with the gain of ReLU: deviation sqrt(2 / fan_in). Xavier: sqrt(2 / (fan_in + fan_out)).
const StatisticsCase kStatistics[] = {
    {Initializer::uniform(-1, 3), {200, 200}, 1, 4 / std::sqrt(12.0), 2},
    {Initializer::normal(2, 0.5), {200, 200}, 2, 0.5, 0},
    {Initializer::truncated_normal(1, 0.5), {200, 200}, 1, 0.5 * 0.87962566, 1},
    {Initializer::xavier_uniform(), {300, 100}, 0, std::sqrt(2.0 / 400), std::sqrt(6.0 / 400)},
    {Initializer::xavier_uniform(0), {300, 100}, 0, std::sqrt(2.0 / 400), std::sqrt(6.0 / 400)},
    {Initializer::xavier_normal(3), {300, 100}, 0, 3 * std::sqrt(2.0 / 400), 0},
    {Initializer::kaiming_uniform(), {300, 100}, 0, std::sqrt(2.0 / 300), std::sqrt(6.0 / 300)},
    {Initializer::kaiming_uniform(1), {300, 100}, 0, std::sqrt(1.0 / 300), std::sqrt(3.0 / 300)},
    {Initializer::kaiming_normal(), {300, 100}, 0, std::sqrt(2.0 / 300), 0},
    // A convolution: [out, in / groups, kernel…].
    {Initializer::kaiming_normal(1), {64, 16, 5, 3}, 0, std::sqrt(1.0 / 240), 0},
    {Initializer::xavier_normal(), {64, 16, 5, 3}, 0, std::sqrt(2.0 / (240 + 960)), 0},
    {Initializer::kaiming_normal(1), {10000}, 0, 0.01, 0},
    {Initializer::kaiming_normal(0, Initializer::Fan::out), {300, 100}, 0, std::sqrt(2.0 / 100), 0},
    {Initializer::kaiming_uniform(1, Initializer::Fan::out),
     {64, 16, 5, 3},
     0,
     std::sqrt(1.0 / 960),
     std::sqrt(3.0 / 960)},
};

TEST(InitialValue, HasTheRightStatistics) {
  for (const StatisticsCase& row : kStatistics) {
    SCOPED_TRACE(row.init.to_string());
    const auto values = values_of(initial_value(variable_of(row.init, row.sizes), kSeed));
    const Statistics found = statistics(values);
    const double error = row.deviation / std::sqrt(static_cast<double>(values.size()));
    EXPECT_NEAR(found.mean, row.mean, 5 * error);
    EXPECT_NEAR(found.deviation, row.deviation, 5 * error);
    if (row.bound == 0) continue;
    EXPECT_GE(found.least, row.mean - row.bound);
    EXPECT_LE(found.most, row.mean + row.bound);
    EXPECT_GT(found.most - found.least, 1.95 * row.bound);
  }
}

TEST(InitialValue, OfAScalarHasFansOfOne) {
  for (std::uint32_t id = 1; id < 50; ++id) {
    const Array value = initial_value(variable_of(Initializer::xavier_uniform(), {}, DType::f64, id), kSeed);
    EXPECT_EQ(value.rank(), 0);
    EXPECT_LE(std::abs(value.get(0)), std::sqrt(3.0));
  }
}

struct ExactCase {
  Initializer init;
  DType dtype;
  Sizes sizes;
  std::vector<double> values;
};

const ExactCase kExact[] = {
    {Initializer::zeros(), DType::f32, {2}, {0, 0}},
    {Initializer::zeros(), DType::boolean, {2}, {0, 0}},
    {Initializer::ones(), DType::f16, {2}, {1, 1}},
    {Initializer::ones(), DType::boolean, {1}, {1}},
    {Initializer::constant(-3), DType::i8, {3}, {-3, -3, -3}},
    {Initializer::constant(0.1), DType::f32, {1}, {static_cast<double>(0.1f)}},
    {Initializer::constant(7), DType::u64, {}, {7}},
    {Initializer::identity(), DType::f32, {2, 3}, {1, 0, 0, 0, 1, 0}},
    {Initializer::identity(), DType::bf16, {3, 2}, {1, 0, 0, 1, 0, 0}},
    {Initializer::given(Array::of<double>({2}, {0.1, 2})), DType::f32, {2}, {static_cast<double>(0.1f), 2}},
    {Initializer::given(Array::ints({1, 2})), DType::i64, {2}, {1, 2}},
    {Initializer::normal(0, 1), DType::f32, {0, 3}, {}},
    {Initializer::orthogonal(), DType::f32, {0, 3}, {}},
    {Initializer::orthogonal(), DType::f32, {3, 0}, {}},
};

TEST(InitialValue, OfPlainKindsIsExact) {
  for (const ExactCase& row : kExact) {
    SCOPED_TRACE(row.init.to_string());
    const Array value = initial_value(variable_of(row.init, row.sizes, row.dtype), kSeed);
    EXPECT_EQ(value.dtype(), row.dtype);
    EXPECT_EQ(value.sizes(), row.sizes);
    EXPECT_EQ(values_of(value), row.values);
  }
}

TEST(InitialValue, OwnsItsMemory) {
  const Array original = Array::ints({1, 2});
  Array value = initial_value(variable_of(Initializer::given(original), {2}, DType::i64), kSeed);
  value.set_i64(0, 9);
  EXPECT_EQ(original.get_i64(0), 1);
}

TEST(InitialValue, DependsOnSeedIdAndNothingElse) {
  const Initializer inits[] = {Initializer::uniform(0, 1), Initializer::truncated_normal(0, 1),
                               Initializer::kaiming_normal(), Initializer::orthogonal()};
  for (const Initializer& init : inits) {
    SCOPED_TRACE(init.to_string());
    const Variable variable = variable_of(init, {4, 5});
    Variable renamed = variable;
    renamed.name = "other";
    renamed.trainable = false;
    Variable other = variable;
    other.id = VarId{2};
    const Array value = initial_value(variable, kSeed);
    EXPECT_TRUE(bit_equal(value, initial_value(variable, kSeed)));
    EXPECT_TRUE(bit_equal(value, initial_value(renamed, kSeed)));
    EXPECT_FALSE(bit_equal(value, initial_value(other, kSeed)));
    EXPECT_FALSE(bit_equal(value, initial_value(variable, kSeed + 1)));
  }
}

// Saved models start from these numbers: a change here changes what every seed means.
TEST(InitialValue, NeverChanges) {
  const auto values = values_of(initial_value(variable_of(Initializer::uniform(0, 1), {3}), kSeed));
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0], 0x1.a272c0a5b791bp-1);
  EXPECT_EQ(values[1], 0x1.b05598e2682d4p-1);
  EXPECT_EQ(values[2], 0x1.c9861e4960518p-3);
}

TEST(InitialValue, IsRoundedOnceFromF64) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const Variable exact = variable_of(Initializer::normal(0, 1), {50});
    Variable rounded = exact;
    rounded.type.dtype = dtype;
    EXPECT_TRUE(bit_equal(initial_value(rounded, kSeed), initial_value(exact, kSeed).cast(dtype)));
  }
}

struct OrthogonalCase {
  Sizes sizes;
  double gain;
};

TEST(InitialValue, OrthogonalHasOrthonormalRowsOrColumns) {
  const OrthogonalCase rows[] = {{{5, 5}, 1}, {{7, 3}, 1},      {{3, 7}, 2},  {{1, 6}, 1},
                                 {{6, 1}, 0}, {{4, 3, 2}, 0.5}, {{40, 40}, 1}};
  for (const OrthogonalCase& row : rows) {
    const Array value = initial_value(variable_of(Initializer::orthogonal(row.gain), row.sizes), kSeed);
    const std::int64_t height = row.sizes[0];
    const std::int64_t width = value.count() / height;
    const std::int64_t count = std::min(height, width);
    const double gain = row.gain == 0 ? 1 : row.gain;
    const auto entry = [&](std::int64_t vector, std::int64_t k) {
      return value.get(height <= width ? vector * width + k : k * width + vector);
    };
    for (std::int64_t a = 0; a < count; ++a) {
      for (std::int64_t b = 0; b <= a; ++b) {
        double product = 0;
        for (std::int64_t k = 0; k < std::max(height, width); ++k) product += entry(a, k) * entry(b, k);
        EXPECT_NEAR(product, a == b ? gain * gain : 0, 1e-13) << value.type_string() << ' ' << a << ' ' << b;
      }
    }
  }
}

struct BadInitializer {
  Variable variable;
  ErrorCode code;
  std::string given;
};

TEST(InitialValue, RefusesWhatCannotBe) {
  Variable unknown = variable_of(Initializer::zeros(), {});
  unknown.type.shape = Shape{Dim::symbol("batch"), 3};
  const double infinity = std::numeric_limits<double>::infinity();
  const BadInitializer rows[] = {
      {unknown, ErrorCode::bad_dim, "the variable \"v\" : f64[batch, 3]"},
      {variable_of(Initializer::normal(0, 1), {2}, DType::i64), ErrorCode::bad_dtype,
       "normal(0, 1) for the variable \"v\" : i64[2]"},
      {variable_of(Initializer::identity(), {2, 2}, DType::boolean), ErrorCode::bad_dtype,
       "identity for the variable \"v\" : bool[2, 2]"},
      {variable_of(Initializer::identity(), {2, 2, 2}), ErrorCode::bad_shape,
       "identity for the variable \"v\" : f64[2, 2, 2]"},
      {variable_of(Initializer::orthogonal(), {4}), ErrorCode::bad_shape, "orthogonal for the variable \"v\" : f64[4]"},
      {variable_of(Initializer::constant(0.5), {1}, DType::i32), ErrorCode::bad_attribute,
       "constant(0.5) for the variable \"v\" : i32[1]"},
      {variable_of(Initializer::constant(300), {1}, DType::u8), ErrorCode::bad_attribute,
       "constant(300) for the variable \"v\" : u8[1]"},
      {variable_of(Initializer::uniform(1, 0), {1}), ErrorCode::bad_attribute,
       "uniform(1, 0) for the variable \"v\" : f64[1]"},
      {variable_of(Initializer::uniform(0, infinity), {1}), ErrorCode::bad_attribute,
       "uniform(0, inf) for the variable \"v\" : f64[1]"},
      {variable_of(Initializer::normal(0, -1), {1}), ErrorCode::bad_attribute,
       "normal(0, -1) for the variable \"v\" : f64[1]"},
      {variable_of(Initializer::given(Array::ints({1, 2})), {3}, DType::i64), ErrorCode::bad_shape,
       "given(i64[2]) for the variable \"v\" : i64[3]"},
      {variable_of({Initializer::Kind::given, 0, 0, {}}, {3}), ErrorCode::missing_value,
       "given(nothing) for the variable \"v\" : f64[3]"},
  };
  for (const BadInitializer& row : rows) {
    try {
      initial_value(row.variable, kSeed);
      ADD_FAILURE() << row.given;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << error.what();
      EXPECT_EQ(error.detail().given, row.given);
      EXPECT_FALSE(error.detail().needed.empty());
    }
  }
}

}  // namespace
}  // namespace asg
