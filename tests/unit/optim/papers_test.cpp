// Optimisers that PyTorch 1.13 does not have, against plain loops from the formulas of their papers.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/graph/formula.h"
#include "asg/ops/ops.h"
#include "asg/optim/card.h"
#include "unit/optim/small_training.h"

namespace asg::test {
namespace {

using Matrix = std::vector<std::vector<double>>;

// One parameter w; loss = Σ (w − target)², so the gradient is 2 (w − target).
Graph distance_to_target(const Sizes& sizes, const Array& first) {
  Graph graph("distance");
  const TensorType type{DType::f64, Shape::of(sizes)};
  const Tensor target = graph.input("target", type);
  const Tensor difference = graph.parameter("w", type, Initializer::given(first)) - target;
  graph.set_output("loss", reduce_sum(difference * difference, {}, {.keepdims = false}));
  return graph;
}

Matrix matrix_of(const Array& array) {
  const auto rows = static_cast<std::size_t>(array.sizes()[0]);
  const auto columns = static_cast<std::size_t>(array.sizes()[1]);
  Matrix result(rows, std::vector<double>(columns));
  for (std::size_t k = 0; k < rows * columns; ++k) {
    result[k / columns][k % columns] = array.get(static_cast<std::int64_t>(k));
  }
  return result;
}

Matrix turned(const Matrix& a) {
  Matrix result(a[0].size(), std::vector<double>(a.size()));
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t column = 0; column < a[0].size(); ++column) result[column][row] = a[row][column];
  }
  return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<double>(b[0].size(), 0));
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t column = 0; column < b[0].size(); ++column) {
      for (std::size_t k = 0; k < b.size(); ++k) result[row][column] += a[row][k] * b[k][column];
    }
  }
  return result;
}

// α A + β B
Matrix mixed(double alpha, const Matrix& a, double beta, const Matrix& b) {
  Matrix result = a;
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t column = 0; column < a[0].size(); ++column) {
      result[row][column] = alpha * a[row][column] + beta * b[row][column];
    }
  }
  return result;
}

double norm_of(const Matrix& a) {
  double sum = 0;
  for (const auto& row : a) {
    for (const double element : row) sum += element * element;
  }
  return std::sqrt(sum);
}

// Five times X ← 3.4445 X − 4.7750 X Xᵀ X + 2.0315 X Xᵀ X Xᵀ X, from X / ‖X‖. Written as the powers stand.
Matrix newton_schulz(const Matrix& given) {
  Matrix x = mixed(1 / std::max(norm_of(given), 1e-7), given, 0, given);
  for (int iteration = 0; iteration < 5; ++iteration) {
    const Matrix third = product(product(x, turned(x)), x);
    const Matrix fifth = product(product(third, turned(x)), x);
    x = mixed(1, mixed(3.4445, x, -4.7750, third), 2.0315, fifth);
  }
  return x;
}

struct MuonCase {
  const char* name;
  Sizes sizes;
  bool nesterov;
  bool match_adamw;
};

class Muon : public testing::TestWithParam<MuonCase> {};

TEST_P(Muon, FollowsTheFormulaForMatrices) {
  const auto& [name, sizes, nesterov, match_adamw] = GetParam();
  const double rate = 0.05;
  const double decay = 0.1;
  const double momentum = 0.9;
  const optim::Optimizer optimizer = optim::optimizer_named("muon", {{"learning_rate", rate},
                                                                     {"weight_decay", decay},
                                                                     {"momentum", momentum},
                                                                     {"nesterov", nesterov},
                                                                     {"match_adamw", match_adamw}});
  SmallTraining training(distance_to_target(sizes, wave(sizes, 1)), optimizer);
  Matrix w = matrix_of(wave(sizes, 1));
  Matrix velocity = mixed(0, w, 0, w);
  const double widening = static_cast<double>(sizes[1]) / static_cast<double>(sizes[0]);
  const double size = match_adamw ? 0.2 * std::sqrt(static_cast<double>(std::max(sizes[0], sizes[1])))
                                  : std::sqrt(std::max(1.0, widening));
  for (int step = 1; step <= 20; ++step) {
    const Array target = wave(sizes, step % 3 + 5);
    ASSERT_TRUE(training.step({{"target", target}}));
    const Matrix gradient = mixed(2, w, -2, matrix_of(target));
    velocity = mixed(momentum, velocity, 1 - momentum, gradient);
    const Matrix followed = nesterov ? mixed(momentum, velocity, 1 - momentum, gradient) : velocity;
    w = mixed(1 - rate * decay, w, -rate * size, newton_schulz(followed));
    const Matrix ours = matrix_of(training.read("w"));
    EXPECT_LT(norm_of(mixed(1, ours, -1, w)), 1e-9) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Muon,
                         testing::Values(MuonCase{"wide", {3, 5}, true, false}, MuonCase{"tall", {5, 2}, true, false},
                                         MuonCase{"square_plain", {4, 4}, false, false},
                                         MuonCase{"like_adamw", {3, 4}, true, true},
                                         MuonCase{"row", {1, 4}, true, false}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(MuonOfOthers, IsAdamWAtItsShareOfTheLearningRate) {
  optim::Optimizer muon = optim::optimizer_named(
      "muon", {{"learning_rate", 0.2}, {"weight_decay", 0.05}, {"adam_factor", 0.25}, {"beta2", 0.99}});
  muon.groups = {{.match = "second.weight", .settings = {{"orthogonal", false}}}};
  optim::Optimizer adamw = optim::Optimizer::adamw(0.05, 0.05).set("beta2", 0.99);
  for (optim::Optimizer* each : {&muon, &adamw}) each->groups.push_back({.match = "first.weight", .frozen = true});
  SmallTraining first(small_model(), muon);
  SmallTraining second(small_model(), adamw);
  for (int step = 0; step < 10; ++step) {
    const NamedArrays batch = {{"x", wave({4, 3}, step)}, {"y", wave({4, 2}, step + 50)}};
    first.step(batch);
    second.step(batch);
    EXPECT_NEAR(first.loss(), second.loss(), 1e-12);
  }
}

TEST(Lion, FollowsTheFormula) {
  const double rate = 0.03;
  const double decay = 0.1;
  const double beta1 = 0.9;
  const double beta2 = 0.99;
  const optim::Optimizer optimizer = optim::optimizer_named("lion", {{"learning_rate", rate}, {"weight_decay", decay}});
  SmallTraining training(distance_to_target({5}, wave({5}, 1)), optimizer);
  std::vector<double> w(5);
  std::vector<double> mean(5, 0);
  for (std::size_t k = 0; k < 5; ++k) w[k] = wave({5}, 1).get(static_cast<std::int64_t>(k));
  for (int step = 1; step <= 50; ++step) {
    const Array target = wave({5}, step % 4 + 9);
    ASSERT_TRUE(training.step({{"target", target}}));
    const Array ours = training.read("w");
    for (std::size_t k = 0; k < 5; ++k) {
      const double gradient = 2 * (w[k] - target.get(static_cast<std::int64_t>(k)));
      const double mixture = beta1 * mean[k] + (1 - beta1) * gradient;
      const double sign = mixture > 0 ? 1.0 : (mixture < 0 ? -1.0 : 0.0);
      w[k] -= rate * (sign + decay * w[k]);
      mean[k] = beta2 * mean[k] + (1 - beta2) * gradient;
      EXPECT_NEAR(ours.get(static_cast<std::int64_t>(k)), w[k], 1e-9) << "step " << step;
    }
  }
}

// A parameter of one number with a gradient of always 1: running means of ones, which the correction divides out.
Graph model_with_gradient_one(DType dtype) {
  Graph graph("gradient_one");
  const Tensor x = graph.input("x", {DType::f32, {}});
  const Tensor w = graph.parameter("w", {dtype, {}}, Initializer::zeros());
  graph.set_output("loss", add_op("Cast", {w}, {{"to", DType::f32}}) * x);
  return graph;
}

// 1 − βᵗ in f32 would be off by 1e-5 after the first update, and so would every step of Adam.
TEST(Adam, BiasCorrectionKeepsTheDigitsOfF32) {
  for (const char* kind : {"adam", "adamw"}) {
    for (const double beta2 : {0.0, 0.9, 0.999, 0.9999, 0.999999}) {
      SCOPED_TRACE(std::string(kind) + " with beta2 " + std::to_string(beta2));
      const Attrs settings = {{"learning_rate", 0.125}, {"weight_decay", 0.0}, {"beta2", beta2}, {"epsilon", 1e-30}};
      SmallTraining training(model_with_gradient_one(DType::f32), optim::optimizer_named(kind, settings), "cpu");
      double expected = 0;
      double square = 0;
      for (int step = 1; step <= 300; ++step) {
        ASSERT_TRUE(training.step({{"x", Array::scalar(DType::f32, 1)}}));
        // What the running mean holds, with its own rounding: only the correction is looked at.
        square = training.read("optimizer/w.square").get(0);
        const double corrected = square / (1 - std::pow(beta2, step));
        const double mean = training.read("optimizer/w.mean").get(0) / (1 - std::pow(0.9, step));
        const double next = expected - 0.125 * mean / std::sqrt(corrected);
        const double now = training.read("w").get(0);
        const double rounding = std::abs(now) * 0x1p-24;
        EXPECT_NEAR(now - expected, next - expected, 0.125 * 1e-6 + rounding) << "step " << step;
        expected = now;
      }
    }
  }
}

// A count in the type of the parameter would stop at 256.
TEST(Adam, CountsUpdatesOfParametersInBf16) {
  SmallTraining training(model_with_gradient_one(DType::bf16), optim::optimizer_named("adam"), "cpu");
  for (int step = 0; step < 300; ++step) ASSERT_TRUE(training.step({{"x", Array::scalar(DType::f32, 1)}}));
  EXPECT_EQ(training.read("optimizer/w.count").get(0), 300);
}

TEST(Cards, AreWhole) {
  std::vector<std::string> names;
  for (const optim::OptimizerCard& card : optim::optimizers()) {
    SCOPED_TRACE(card.name);
    names.emplace_back(card.name);
    EXPECT_FALSE(card.what.en.empty() || card.what.ru.empty());
    EXPECT_FALSE(formula_to_text(card.formula).empty());
    EXPECT_EQ(card.settings.at(0).name, "learning_rate");
    EXPECT_EQ(card.settings.at(1).name, "weight_decay");
    for (const optim::Setting& setting : card.settings) {
      EXPECT_FALSE(setting.words.en.empty() || setting.words.ru.empty()) << setting.name;
      EXPECT_TRUE(setting.fallback.has_value()) << setting.name;
    }
    EXPECT_NO_THROW(optim::check_optimizer(optim::optimizer_named(card.name)));
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names, optim::optimizer_names());
  for (const optim::ScheduleCard& card : optim::schedules()) {
    EXPECT_FALSE(card.what.empty()) << card.name;
    EXPECT_FALSE(formula_to_text(card.formula).empty()) << card.name;
  }
}

// Every kind moves every parameter, in f32 too, and on both backends to the same numbers.
TEST(Cards, TrainOnEveryBackend) {
  for (const std::string& name : optim::optimizer_names()) {
    SCOPED_TRACE(name);
    SmallTraining first(small_model(), optim::optimizer_named(name), "interp");
    SmallTraining second(small_model(), optim::optimizer_named(name), "cpu");
    for (int step = 0; step < 3; ++step) {
      const NamedArrays batch = {{"x", wave({4, 3}, step)}, {"y", wave({4, 2}, step + 50)}};
      ASSERT_TRUE(first.step(batch));
      ASSERT_TRUE(second.step(batch));
    }
    for (const VarId id : first.graph().parameters) {
      const Array now = first.read(id);
      const Array other = second.read(id);
      const Array before = initial_value(first.graph().graph.variable(id), 1);
      for (std::int64_t k = 0; k < now.count(); ++k) {
        EXPECT_NE(now.get(k), before.get(k));
        EXPECT_NEAR(now.get(k), other.get(k), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace asg::test
