// The vector functions against libm: of f32 in double, over all exponents; of f64 in long double.

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "backend/cpu/tile_maths.h"

namespace asg {
namespace {

template <class Wide>
Wide sigmoid(Wide x) {
  const Wide decay = std::exp(-std::fabs(x));
  return (x < 0 ? decay : 1) / (1 + decay);
}

template <class Wide>
Wide by_libm(ScalarOp op, Wide x) {
  switch (op) {
    case ScalarOp::exp:
      return std::exp(x);
    case ScalarOp::log:
      return std::log(x);
    case ScalarOp::tanh:
      return std::tanh(x);
    case ScalarOp::erf:
      return std::erf(x);
    case ScalarOp::sigmoid:
      return sigmoid(x);
    case ScalarOp::sin:
      return std::sin(x);
    case ScalarOp::cos:
      return std::cos(x);
    default:
      return std::atan(x);
  }
}

// The distance between neighbours of a number in T.
template <class T, class Wide>
Wide ulp_of(Wide exact) {
  using Limits = std::numeric_limits<T>;
  const int exponent = exact == 0 ? Limits::min_exponent : std::ilogb(exact);
  return std::ldexp(Wide(1), std::max(exponent, Limits::min_exponent - 1) - (Limits::digits - 1));
}

template <class T, class Wide>
void expect_within(ScalarOp op, const std::vector<T>& points, Wide allowed) {
  std::vector<T> results(points.size());
  cpu::apply_elementary(op, points.data(), results.data(), points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Wide exact = by_libm(op, static_cast<Wide>(points[k]));
    const T rounded = static_cast<T>(exact);
    if (std::isnan(rounded) || std::isinf(rounded)) {
      ASSERT_TRUE(rounded == results[k] || (std::isnan(rounded) && std::isnan(results[k])))
          << name_of(op) << " of " << points[k] << " is " << results[k] << ", not " << rounded;
      continue;
    }
    if (rounded == 0) {
      ASSERT_TRUE(std::signbit(rounded) == std::signbit(results[k])) << name_of(op) << " of " << points[k];
    }
    const Wide error = std::fabs(static_cast<Wide>(results[k]) - exact) / ulp_of<T>(exact);
    ASSERT_LE(error, allowed) << name_of(op) << " of " << points[k] << " is " << results[k] << ", not " << exact;
  }
}

constexpr ScalarOp kOps[] = {ScalarOp::exp,     ScalarOp::log, ScalarOp::tanh, ScalarOp::erf,
                             ScalarOp::sigmoid, ScalarOp::sin, ScalarOp::cos,  ScalarOp::atan};

TEST(VectorMath, f32_over_all_exponents) {
  std::vector<float> points;
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += 4099) {
    points.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float point : {0.0f, 1.0f, kInfinity, std::numeric_limits<float>::max(), 1e-45f}) {
    points.push_back(point);
    points.push_back(-point);
  }
  for (const ScalarOp op : kOps) expect_within<float, double>(op, points, 2.1);
}

TEST(VectorMath, f32_where_functions_bend) {
  std::vector<float> points;
  for (int k = -100000; k <= 100000; ++k) points.push_back(static_cast<float>(k) * 0.0011f);
  for (const ScalarOp op : kOps) expect_within<float, double>(op, points, 2.1);
}

TEST(VectorMath, f64_over_all_exponents) {
  std::vector<double> points;
  constexpr std::uint64_t kInfinity = 0x7FF0000000000000u;
  for (std::uint64_t bits = 0; bits <= kInfinity; bits += kInfinity / 100003) {
    points.push_back(std::bit_cast<double>(bits));
    points.push_back(-points.back());
  }
  points.push_back(std::numeric_limits<double>::quiet_NaN());
  for (const ScalarOp op : kOps) expect_within<double, long double>(op, points, 3);
}

TEST(VectorMath, f64_where_functions_bend) {
  std::vector<double> points;
  for (int k = -100000; k <= 100000; ++k) points.push_back(k * 0.000173);
  for (int k = -40000; k <= 40000; ++k) points.push_back(k * 0.0193);
  for (const ScalarOp op : kOps) expect_within<double, long double>(op, points, 3);
}

TEST(VectorMath, any_count_and_in_place) {
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<float> points(count + 1, 7.0f);
    for (std::size_t k = 0; k < count; ++k) points[k] = static_cast<float>(k) * 0.1f;
    cpu::apply_elementary(ScalarOp::exp, points.data(), points.data(), count);
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_NEAR(points[k], std::exp(static_cast<float>(k) * 0.1f), 1e-5f);
    }
    EXPECT_EQ(points[count], 7.0f);  // untouched
  }
}

template <class T>
void expect_alone_and_beside_others(ScalarOp op) {
  constexpr T kOthers[] = {0, 1e6, std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()};
  for (int k = 1; k < 2000; ++k) {
    const T point = static_cast<T>(k * 0.37);
    T alone = 0;
    cpu::apply_elementary(op, &point, &alone, 1);
    for (const T other : kOthers) {
      std::vector<T> points(19, other);
      points[static_cast<std::size_t>(k) % 19] = point;
      cpu::apply_elementary(op, points.data(), points.data(), points.size());
      ASSERT_EQ(points[static_cast<std::size_t>(k) % 19], alone)
          << name_of(op) << " of " << point << " beside " << other;
    }
  }
}

// Which elements share a vector depends on the number of threads.
TEST(VectorMath, an_element_has_the_same_bits_beside_any_other) {
  for (const ScalarOp op : kOps) {
    expect_alone_and_beside_others<float>(op);
    expect_alone_and_beside_others<double>(op);
  }
}

TEST(VectorMath, pow_of_f32) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> bases = {0.0f,       -0.0f, 1,      -1,      2,       -2,       0.5f,       -0.5f, kInfinity,
                              -kInfinity, kNan,  1e-45f, -1e-45f, 3.4e38f, -3.4e38f, 1.0000001f, 7.3f,  1e10f};
  std::vector<float> exponents = {0.0f,   -0.0f,       1,      -1,        2,          -2,        3,
                                  -3,     0.5f,        -0.5f,  kInfinity, -kInfinity, kNan,      1e30f,
                                  -1e30f, 16777215.0f, 100.5f, -7,        1e-40f,     8388609.0f};
  for (int k = 1; k < 300; ++k) bases.push_back(static_cast<float>(k) * 0.037f);
  for (int k = -300; k < 300; ++k) exponents.push_back(static_cast<float>(k) * 0.0411f);
  std::vector<float> powers(exponents.size());
  for (const float base : bases) {
    cpu::apply_pow(&base, 0, exponents.data(), 1, powers.data(), powers.size());
    for (std::size_t k = 0; k < powers.size(); ++k) {
      const double exact = std::pow(static_cast<double>(base), static_cast<double>(exponents[k]));
      const auto rounded = static_cast<float>(exact);
      if (std::isnan(rounded)) {
        EXPECT_TRUE(std::isnan(powers[k])) << base << " to " << exponents[k];
      } else if (std::isinf(rounded) || rounded == 0) {
        EXPECT_EQ(powers[k], rounded) << base << " to " << exponents[k];
        EXPECT_EQ(std::signbit(powers[k]), std::signbit(rounded)) << base << " to " << exponents[k];
      } else {
        EXPECT_LE(std::fabs(static_cast<double>(powers[k]) - exact), ulp_of<float>(exact))
            << base << " to " << exponents[k];
      }
    }
  }
}

}  // namespace
}  // namespace asg
