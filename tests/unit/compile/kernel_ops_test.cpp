// Single instructions of the reference against the C library, and against values that were worked out by hand.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

const std::vector<double> kReals = {0,    -0.0, 0.5,  -0.5, 1.5,    2.5,       -1.25,      3.75,
                                    1e-9, 700,  -700, 30.0, -100.0, kInfinity, -kInfinity, kNan};

Array reals(const std::vector<double>& values) {
  return Array::of<double>({static_cast<std::int64_t>(values.size())}, values);
}

template <class T>
Array list(const std::vector<T>& values) {
  return Array::of<T>({static_cast<std::int64_t>(values.size())}, values);
}

struct OfOne {
  ScalarOp op;
  std::function<double(double)> expected;
};

class RealFunction : public testing::TestWithParam<OfOne> {};

TEST_P(RealFunction, IsThatOfTheCLibrary) {
  const Array result = run_op(GetParam().op, DType::f64, {reals(kReals)});
  for (std::size_t k = 0; k < kReals.size(); ++k) {
    const double expected = GetParam().expected(kReals[k]);
    const double value = result.data<double>()[k];
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << kReals[k];
    } else {
      EXPECT_EQ(value, expected) << kReals[k];
      EXPECT_EQ(std::signbit(value), std::signbit(expected)) << kReals[k];
    }
  }
}

TEST_P(RealFunction, IsRoundedOnceToANarrowDtype) {
  const Array narrow = reals(kReals).cast(DType::f32);
  const Array result = run_op(GetParam().op, DType::f32, {narrow});
  for (std::size_t k = 0; k < kReals.size(); ++k) {
    const auto expected = static_cast<float>(GetParam().expected(static_cast<double>(narrow.data<float>()[k])));
    const float value = result.data<float>()[k];
    EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << kReals[k];
  }
}

double sign_of(double x) { return std::isnan(x) ? x : (x > 0) - (x < 0); }
double sigmoid_of(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

INSTANTIATE_TEST_SUITE_P(Ops, RealFunction,
                         testing::Values(OfOne{ScalarOp::neg, [](double x) { return -x; }},
                                         OfOne{ScalarOp::abs, [](double x) { return std::abs(x); }},
                                         OfOne{ScalarOp::sign, sign_of},
                                         OfOne{ScalarOp::sqrt, [](double x) { return std::sqrt(x); }},
                                         OfOne{ScalarOp::exp, [](double x) { return std::exp(x); }},
                                         OfOne{ScalarOp::log, [](double x) { return std::log(x); }},
                                         OfOne{ScalarOp::tanh, [](double x) { return std::tanh(x); }},
                                         OfOne{ScalarOp::erf, [](double x) { return std::erf(x); }},
                                         OfOne{ScalarOp::sigmoid, sigmoid_of},
                                         OfOne{ScalarOp::sin, [](double x) { return std::sin(x); }},
                                         OfOne{ScalarOp::cos, [](double x) { return std::cos(x); }},
                                         OfOne{ScalarOp::atan, [](double x) { return std::atan(x); }},
                                         OfOne{ScalarOp::floor, [](double x) { return std::floor(x); }},
                                         OfOne{ScalarOp::ceil, [](double x) { return std::ceil(x); }},
                                         OfOne{ScalarOp::round, [](double x) { return std::rint(x); }}),
                         [](const auto& row) { return std::string(name_of(row.param.op)); });

struct Exact {
  std::string name;
  ScalarOp op;
  DType dtype;
  std::vector<Array> operands;
  Array expected;
};

class ExactOp : public testing::TestWithParam<Exact> {};

TEST_P(ExactOp, GivesTheseValues) {
  const Exact& row = GetParam();
  const Array result = run_op(row.op, row.dtype, row.operands);
  EXPECT_EQ(result.to_string(), row.expected.to_string());
  EXPECT_EQ(result.dtype(), row.expected.dtype());
}

INSTANTIATE_TEST_SUITE_P(
    Reals, ExactOp,
    testing::Values(
        Exact{"add",
              ScalarOp::add,
              DType::f64,
              {reals({1, kInfinity, 0.25}), reals({2, -kInfinity, kNan})},
              reals({3, kNan, kNan})},
        Exact{"sub", ScalarOp::sub, DType::f64, {reals({1, kInfinity}), reals({2, kInfinity})}, reals({-1, kNan})},
        Exact{"mul", ScalarOp::mul, DType::f64, {reals({3, 0}), reals({-2, kInfinity})}, reals({-6, kNan})},
        Exact{"div",
              ScalarOp::div,
              DType::f64,
              {reals({1, -1, 0}), reals({0, 0, 0})},
              reals({kInfinity, -kInfinity, kNan})},
        Exact{"pow",
              ScalarOp::pow,
              DType::f64,
              {reals({2, -2, -1, 0, kNan}), reals({-1, 3, 0.5, 0, 0})},
              reals({0.5, -8, kNan, 1, 1})},
        Exact{"min",
              ScalarOp::min,
              DType::f64,
              {reals({1, kNan, 3, -kInfinity}), reals({2, 1, kNan, 0})},
              reals({1, kNan, kNan, -kInfinity})},
        Exact{"max",
              ScalarOp::max,
              DType::f64,
              {reals({1, kNan, 3, kInfinity}), reals({2, 1, kNan, 0})},
              reals({2, kNan, kNan, kInfinity})},
        Exact{"add_of_f16",
              ScalarOp::add,
              DType::f16,
              {reals({65504, 2048}).cast(DType::f16), reals({32, 1}).cast(DType::f16)},
              reals({kInfinity, 2048}).cast(DType::f16)},
        Exact{"mul_of_bf16",
              ScalarOp::mul,
              DType::bf16,
              {reals({1.0078125}).cast(DType::bf16), reals({1.0078125}).cast(DType::bf16)},
              reals({1.015625}).cast(DType::bf16)}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Integers, ExactOp,
    testing::Values(Exact{"add_wraps",
                          ScalarOp::add,
                          DType::i64,
                          {Array::ints({kGreatest, 1}), Array::ints({1, 2})},
                          Array::ints({kLeast, 3})},
                    Exact{"sub_wraps",
                          ScalarOp::sub,
                          DType::u8,
                          {list<std::uint8_t>({0, 9}), list<std::uint8_t>({1, 4})},
                          list<std::uint8_t>({255, 5})},
                    Exact{"mul_wraps",
                          ScalarOp::mul,
                          DType::i8,
                          {list<std::int8_t>({100, -3}), list<std::int8_t>({2, 5})},
                          list<std::int8_t>({-56, -15})},
                    Exact{"div_truncates",
                          ScalarOp::div,
                          DType::i64,
                          {Array::ints({7, -7, 7, kLeast}), Array::ints({2, 2, -2, -1})},
                          Array::ints({3, -3, -3, kLeast})},
                    Exact{"pow",
                          ScalarOp::pow,
                          DType::i64,
                          {Array::ints({3, 2, -1, 2, 1, -1}), Array::ints({4, 64, -3, -1, -2, -2})},
                          Array::ints({81, 0, -1, 0, 1, 1})},
                    Exact{"neg", ScalarOp::neg, DType::i64, {Array::ints({5, kLeast})}, Array::ints({-5, kLeast})},
                    Exact{"abs", ScalarOp::abs, DType::i64, {Array::ints({-5, kLeast})}, Array::ints({5, kLeast})},
                    Exact{"sign", ScalarOp::sign, DType::i64, {Array::ints({-5, 0, 3})}, Array::ints({-1, 0, 1})},
                    Exact{"max_of_u64",
                          ScalarOp::max,
                          DType::u64,
                          {list<std::uint64_t>({1, ~0ULL}), list<std::uint64_t>({2, 1})},
                          list<std::uint64_t>({2, ~0ULL})}),
    [](const auto& row) { return row.param.name; });

Array flags(const std::vector<int>& values) {
  Array result(DType::boolean, {static_cast<std::int64_t>(values.size())});
  for (std::size_t k = 0; k < values.size(); ++k) result.set(static_cast<std::int64_t>(k), values[k]);
  return result;
}

const Array kLeft = reals({1, 2, 2, kNan});
const Array kRight = reals({2, 2, 1, kNan});
const Array kYesNo = flags({0, 0, 1, 1});
const Array kNoYes = flags({0, 1, 0, 1});

INSTANTIATE_TEST_SUITE_P(
    Booleans, ExactOp,
    testing::Values(
        Exact{"equal", ScalarOp::equal, DType::boolean, {kLeft, kRight}, flags({0, 1, 0, 0})},
        Exact{"equal_of_booleans", ScalarOp::equal, DType::boolean, {kYesNo, kNoYes}, flags({1, 0, 0, 1})},
        Exact{"less", ScalarOp::less, DType::boolean, {kLeft, kRight}, flags({1, 0, 0, 0})},
        Exact{"less_or_equal", ScalarOp::less_or_equal, DType::boolean, {kLeft, kRight}, flags({1, 1, 0, 0})},
        Exact{"greater", ScalarOp::greater, DType::boolean, {kLeft, kRight}, flags({0, 0, 1, 0})},
        Exact{"greater_or_equal", ScalarOp::greater_or_equal, DType::boolean, {kLeft, kRight}, flags({0, 1, 1, 0})},
        Exact{"is_nan", ScalarOp::is_nan, DType::boolean, {reals({1, kNan, kInfinity})}, flags({0, 1, 0})},
        Exact{"logical_not", ScalarOp::logical_not, DType::boolean, {kNoYes}, flags({1, 0, 1, 0})},
        Exact{"logical_and", ScalarOp::logical_and, DType::boolean, {kYesNo, kNoYes}, flags({0, 0, 0, 1})},
        Exact{"logical_or", ScalarOp::logical_or, DType::boolean, {kYesNo, kNoYes}, flags({0, 1, 1, 1})},
        Exact{"logical_xor", ScalarOp::logical_xor, DType::boolean, {kYesNo, kNoYes}, flags({0, 1, 1, 0})},
        Exact{"select",
              ScalarOp::select,
              DType::f64,
              {flags({1, 0}), reals({1, kNan}), reals({kInfinity, 2})},
              reals({1, 2})},
        Exact{"select_of_booleans", ScalarOp::select, DType::boolean, {kYesNo, kNoYes, kYesNo}, flags({0, 0, 0, 1})}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Casts, ExactOp,
    testing::Values(
        Exact{"float_to_integer",
              ScalarOp::cast,
              DType::i8,
              {reals({-1.9, 300, -300, kNan})},
              list<std::int8_t>({-1, 127, -128, 0})},
        Exact{"integer_to_integer", ScalarOp::cast, DType::u8, {Array::ints({300, -1})}, list<std::uint8_t>({44, 255})},
        Exact{"float_to_boolean", ScalarOp::cast, DType::boolean, {reals({0, -0.0, 0.5, kNan})}, flags({0, 0, 1, 1})},
        Exact{"boolean_to_float", ScalarOp::cast, DType::f32, {flags({0, 1})}, list<float>({0, 1})},
        Exact{"integer_to_float",
              ScalarOp::cast,
              DType::f32,
              {Array::ints({16777217, 16777219})},
              list<float>({16777216, 16777220})}),
    [](const auto& row) { return row.param.name; });

TEST(IntegerOps, RefuseWhatHasNoValue) {
  EXPECT_THROW(run_op(ScalarOp::div, DType::i32, {list<std::int32_t>({1}), list<std::int32_t>({0})}), UserError);
  EXPECT_THROW(run_op(ScalarOp::pow, DType::i64, {Array::ints({0}), Array::ints({-1})}), UserError);
}

}  // namespace
}  // namespace asg::test
