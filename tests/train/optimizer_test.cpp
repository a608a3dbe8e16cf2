#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "train/models.h"

namespace asg::train {
namespace {

constexpr std::array<double, 2> kTarget = {3.0, -0.5};

struct Case {
  const char* name;
  optim::Optimizer optimizer;
};

// The formulas as the papers write them, for one number in f64.
class ByHand {
 public:
  explicit ByHand(const optim::Optimizer& optimizer)
      : optimizer_(optimizer), rate_(static_cast<double>(static_cast<float>(optimizer.learning_rate))) {}

  double step(double w, double target) {
    const bool decays_apart = optimizer_.kind == optim::Kind::adamw;
    const double g = 2 * (w - target) + (decays_apart ? 0 : optimizer_.weight_decay * w);
    if (optimizer_.kind == optim::Kind::sgd) {
      velocity_ = optimizer_.momentum * velocity_ + g;
      return w - rate_ * (optimizer_.nesterov ? g + optimizer_.momentum * velocity_ : velocity_);
    }
    ++count_;
    mean_ = optimizer_.beta1 * mean_ + (1 - optimizer_.beta1) * g;
    square_ = optimizer_.beta2 * square_ + (1 - optimizer_.beta2) * g * g;
    const double mean = mean_ / (1 - std::pow(optimizer_.beta1, count_));
    const double square = square_ / (1 - std::pow(optimizer_.beta2, count_));
    const double kept = decays_apart ? w - rate_ * optimizer_.weight_decay * w : w;
    return kept - rate_ * mean / (std::sqrt(square) + optimizer_.epsilon);
  }

 private:
  optim::Optimizer optimizer_;
  double rate_;  // the learning rate is an f32 variable
  double velocity_ = 0;
  double mean_ = 0;
  double square_ = 0;
  int count_ = 0;
};

class Trajectory : public testing::TestWithParam<Case> {};

TEST_P(Trajectory, FollowsTheFormula) {
  Trainer trainer(test::quadratic(), std::make_shared<Interpreter>(), {.optimizer = GetParam().optimizer});
  std::array<ByHand, 2> by_hand = {ByHand(GetParam().optimizer), ByHand(GetParam().optimizer)};
  std::array<double, 2> expected = {1, 1};
  const NamedArrays batch = {{"target", Array::of<double>({2}, {kTarget[0], kTarget[1]})}};
  for (int step = 1; step <= 20; ++step) {
    trainer.step(batch);
    const Array w = trainer.read("w");
    for (std::size_t element = 0; element < 2; ++element) {
      expected[element] = by_hand[element].step(expected[element], kTarget[element]);
      EXPECT_NEAR(w.get(static_cast<std::int64_t>(element)), expected[element], 1e-12) << "step " << step;
    }
  }
}

optim::Optimizer with_decay(optim::Optimizer optimizer) {
  optimizer.weight_decay = 0.125;
  return optimizer;
}

INSTANTIATE_TEST_SUITE_P(All, Trajectory,
                         testing::Values(Case{"sgd", optim::Optimizer::sgd(0.125)},
                                         Case{"momentum", optim::Optimizer::sgd(0.0625, 0.9)},
                                         Case{"nesterov", optim::Optimizer::sgd(0.0625, 0.9, true)},
                                         Case{"sgd_decay", with_decay(optim::Optimizer::sgd(0.125))},
                                         Case{"adam", optim::Optimizer::adam(0.1)},
                                         Case{"adam_decay", with_decay(optim::Optimizer::adam(0.1))},
                                         Case{"adamw", optim::Optimizer::adamw(0.1, 0.125)},
                                         Case{"adamw_no_decay", optim::Optimizer::adamw(0.1, 0)}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Step, ThatIsNotFiniteCommitsNothing) {
  Trainer trainer(test::quadratic(), std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::adam(0.1)});
  trainer.step(NamedArrays{{"target", Array::of<double>({2}, {3, 4})}});
  const TrainingState before = trainer.state();
  for (const double bad : {std::nan(""), HUGE_VAL, 1e200}) {  // the square of 1e200 is infinite
    const StepReport report = trainer.step(NamedArrays{{"target", Array::of<double>({2}, {bad, 4})}});
    EXPECT_FALSE(report.committed) << bad;
  }
  const TrainingState after = trainer.state();
  for (const auto& [id, value] : before.variables) EXPECT_TRUE(bit_equal(value, after.variables.at(id)));
  for (const auto& [key, value] : before.optimizer) EXPECT_TRUE(bit_equal(value, after.optimizer.at(key)));
  EXPECT_EQ(after.steps, 4);
  EXPECT_EQ(after.committed, 1);
  EXPECT_TRUE(trainer.step(NamedArrays{{"target", Array::of<double>({2}, {3, 4})}}).committed);
}

TEST(LearningRate, ChangesWithoutCompiling) {
  Trainer trainer(test::quadratic(), std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::sgd(0.5)});
  const NamedArrays batch = {{"target", Array::of<double>({2}, {3, 4})}};
  trainer.set_learning_rate(0);
  trainer.step(batch);
  EXPECT_EQ(trainer.read("w").get(0), 1.0);
  trainer.set_learning_rate(0.5);  // exactly to the minimum
  trainer.step(batch);
  EXPECT_EQ(trainer.read("w").get(0), 3.0);
  EXPECT_THROW(trainer.set_learning_rate(-1), UserError);
  EXPECT_THROW(trainer.set_learning_rate(std::nan("")), UserError);
}

}  // namespace
}  // namespace asg::train
