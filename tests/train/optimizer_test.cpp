#include <cmath>

#include <gtest/gtest.h>

#include "train/models.h"

namespace asg::train {
namespace {

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
