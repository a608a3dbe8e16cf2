// Optimizers with parameters in f32 beside the same in f64, over long runs: what f32 loses must stay near its rounding.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/ops/ops.h"
#include "asg/optim/schedule.h"
#include "support/amount.h"
#include "unit/optim/small_training.h"

namespace asg::test {
namespace {

const Sizes kSizes = {4, 8};
constexpr int kLongRun = amount(10'000, 300);
constexpr std::int64_t kVeryLate = 10'000'000;

// A parameter whose gradient is the input.
Graph model_with_given_gradient(DType dtype) {
  Graph graph("given_gradient");
  const Tensor x = graph.input("x", {dtype, Shape::of(kSizes)});
  const Tensor w = graph.parameter("w", {dtype, Shape::of(kSizes)}, Initializer::zeros());
  graph.set_output("loss", reduce_sum(w * x, {}, {.keepdims = false}));
  return graph;
}

// The same numbers for both: all of them are numbers of f32. `swing` is how much of a gradient changes from step to
// step.
Array gradient_at(std::int64_t step, double swing) {
  Array values(DType::f64, kSizes);
  for (std::int64_t k = 0; k < values.count(); ++k) {
    const double wave = std::sin(7.0 * static_cast<double>(step) + static_cast<double>(k));
    values.set(k, static_cast<double>(static_cast<float>(0.1 * (1 + swing * wave))));
  }
  return values;
}

struct LongRunCase {
  const char* name;
  const char* kind;
  Attrs settings;
  double bound;  // of the difference between the steps in f32 and f64, relative to the latter
  double swing = 0.75;
};

void PrintTo(const LongRunCase& run, std::ostream* out) { *out << run.name; }

class LongRun : public testing::TestWithParam<LongRunCase> {};

double largest_difference(const Array& narrow, const Array& wide) {
  double largest = 0;
  for (std::int64_t k = 0; k < wide.count(); ++k) {
    largest = std::max(largest, std::fabs(narrow.get(k) - wide.get(k)) / std::fabs(wide.get(k)));
  }
  return largest;
}

TEST_P(LongRun, StepsInF32AreThoseInF64) {
  const LongRunCase& run = GetParam();
  optim::Optimizer optimizer = optim::optimizer_named(run.kind, run.settings);
  SmallTraining narrow(model_with_given_gradient(DType::f32), optimizer, "cpu");
  SmallTraining wide(model_with_given_gradient(DType::f64), optimizer, "cpu");
  // From zero a parameter holds the step alone, without the rounding of what it was.
  const auto step_from_zero = [&](std::int64_t number) {
    const Array gradient = gradient_at(number, run.swing);
    narrow.write("w", Array(DType::f32, kSizes));
    wide.write("w", Array(DType::f64, kSizes));
    ASSERT_TRUE(narrow.step({{"x", gradient.cast(DType::f32)}}));
    ASSERT_TRUE(wide.step({{"x", gradient}}));
    EXPECT_LT(largest_difference(narrow.read("w"), wide.read("w")), run.bound) << "step " << number;
  };
  for (int number = 1; number <= kLongRun; ++number) {
    if (number == 1 || number == 50 || number == kLongRun) {
      step_from_zero(number);
    } else {
      const Array gradient = gradient_at(number, run.swing);
      ASSERT_TRUE(narrow.step({{"x", gradient.cast(DType::f32)}}));
      ASSERT_TRUE(wide.step({{"x", gradient}}));
    }
  }
  const std::string count = "optimizer/w.count";
  if (!narrow.graph().graph.find_variable(count)) return;
  for (SmallTraining* each : {&narrow, &wide}) each->write(count, Array::scalar_i64(kVeryLate - 1));
  step_from_zero(kVeryLate);
}

const LongRunCase kRuns[] = {
    {"sgd", "sgd", {}, 1e-6},
    {"sgd_momentum", "sgd", {{"momentum", 0.9}}, 2e-6},
    {"sgd_dampening", "sgd", {{"momentum", 0.9}, {"dampening", 0.5}}, 2e-6},
    {"adam", "adam", {}, 3e-6},
    {"adam_slow", "adam", {{"beta2", 0.9999}}, 3e-5},
    {"adam_amsgrad", "adam", {{"amsgrad", true}}, 3e-6},
    {"adamw", "adamw", {{"weight_decay", 0.1}}, 3e-6},
    {"rmsprop", "rmsprop", {}, 3e-6},
    {"rmsprop_momentum", "rmsprop", {{"momentum", 0.9}}, 3e-6},
    // Gradients that change by a thousandth: the difference of mean square and squared mean would be noise.
    {"rmsprop_centered", "rmsprop", {{"centered", true}}, 2e-3, 1e-3},
    {"adagrad", "adagrad", {}, 3e-6},
    {"adagrad_decay", "adagrad", {{"learning_rate_decay", 1e-3}}, 3e-6},
    {"adagrad_initial_sum", "adagrad", {{"initial_sum", 0.5}}, 3e-6},
    {"lion", "lion", {}, 1e-6},
    {"muon_of_others", "muon", {{"orthogonal", false}}, 3e-6},
};

INSTANTIATE_TEST_SUITE_P(Optimizers, LongRun, testing::ValuesIn(kRuns),
                         [](const auto& run) { return std::string(run.param.name); });

// A sum of squares in f32 is off by a thousandth after a million updates: each of them rounds it by half a unit.
TEST(Adagrad, KeepsTheSumOfManySquares) {
  SmallTraining narrow(model_with_given_gradient(DType::f32), optim::optimizer_named("adagrad"), "cpu");
  Array gradient(DType::f32, kSizes);
  for (std::int64_t k = 0; k < gradient.count(); ++k) gradient.set(k, 0.1);
  for (int number = 1; number <= kLongRun; ++number) {
    if (number == kLongRun) narrow.write("w", Array(DType::f32, kSizes));
    ASSERT_TRUE(narrow.step({{"x", gradient}}));
  }
  const double g = gradient.get(0);
  const double expected = -0.01 * g / std::sqrt(kLongRun * g * g);
  EXPECT_NEAR(narrow.read("w").get(0) / expected, 1, 1e-6);
}

// In f32 the number after 2²⁴ is 2²⁴ again.
TEST(Adam, CountsUpdatesBeyondTheIntegersOfF32) {
  constexpr std::int64_t kMostOfF32 = std::int64_t{1} << 24;
  for (const char* kind : {"adam", "adagrad"}) {
    optim::Optimizer optimizer = optim::optimizer_named(kind);
    optimizer.ema = {.decay = 0.999, .warmup = true};
    SmallTraining training(model_with_given_gradient(DType::f32), optimizer, "cpu");
    for (const char* count : {"optimizer/w.count", "optimizer/ema.count"}) {
      training.write(count, Array::scalar_i64(kMostOfF32));
    }
    ASSERT_TRUE(training.step({{"x", gradient_at(1, 0.5).cast(DType::f32)}}));
    EXPECT_EQ(training.read("optimizer/w.count").get_i64(0), kMostOfF32 + 1) << kind;
    EXPECT_EQ(training.read("optimizer/ema.count").get_i64(0), kMostOfF32 + 1) << kind;
  }
}

TEST(Ema, InF32FollowsThatInF64) {
  optim::Optimizer optimizer = optim::Optimizer::sgd(1e-3);
  optimizer.ema = {.decay = 0.999, .warmup = true};
  SmallTraining narrow(model_with_given_gradient(DType::f32), optimizer, "cpu");
  SmallTraining wide(model_with_given_gradient(DType::f64), optimizer, "cpu");
  for (int number = 1; number <= kLongRun; ++number) {
    const Array gradient = gradient_at(number, 0.75);
    ASSERT_TRUE(narrow.step({{"x", gradient.cast(DType::f32)}}));
    ASSERT_TRUE(wide.step({{"x", gradient}}));
    // The mean is compared, not the sum of all steps that the parameter is.
    narrow.write("w", wide.read("w").cast(DType::f32));
    if (number == 1 || number == 50 || number == kLongRun) {
      EXPECT_LT(largest_difference(narrow.read("optimizer/w.ema"), wide.read("optimizer/w.ema")), 2e-5)
          << "step " << number;
    }
  }
}

// ---- Schedules, against their formulas in long double

TEST(Schedules, KeepTheirDigitsLate) {
  const long double pi = std::acos(-1.0L);
  const std::int64_t all = 20'000'000;
  const auto factor = [](const char* kind, Attrs settings, std::int64_t step) {
    return static_cast<long double>(optim::factor_at(optim::schedule_named(kind, std::move(settings)), step, {}));
  };
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{50}, std::int64_t{10'000}, kVeryLate}) {
    SCOPED_TRACE(step);
    const long double share = static_cast<long double>(step) / all;
    const auto agrees = [](long double ours, long double expected) {
      EXPECT_LT(std::fabs(ours / expected - 1), 1e-12L) << static_cast<double>(ours);
    };
    agrees(factor("cosine", {{"steps", all}}, step), (1 + std::cos(pi * share)) / 2);
    agrees(factor("polynomial", {{"steps", all}, {"power", 2.0}}, step), (1 - share) * (1 - share));
    agrees(factor("exponential", {{"gamma", 0.9999999}}, step),
           std::pow(static_cast<long double>(0.9999999), static_cast<long double>(step)));
    agrees(factor("step", {{"period", 1000}, {"gamma", 0.9999}}, step),
           std::pow(static_cast<long double>(0.9999), static_cast<long double>(step / 1000)));
    agrees(factor("constant", {{"warmup", all}}, step), share);
  }
}

}  // namespace
}  // namespace asg::test
