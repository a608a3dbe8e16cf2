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

// Everything that can be asked for at once, three micro-batches to an update.
optim::Optimizer everything() {
  optim::Optimizer optimizer = optim::Optimizer::adamw(1e-2);
  optimizer.groups = {{.match = "head.*", .learning_rate_factor = 0.5},
                      {.rank_below = 2, .settings = {{"weight_decay", 0.0}}}};
  optimizer.clip_norm = 1;
  optimizer.accumulate = 3;
  optimizer.ema = {.decay = 0.9, .warmup = true};
  return optimizer;
}

Trainer trainer_of(const optim::Optimizer& optimizer, const char* backend, std::uint64_t seed = 1) {
  return {test::small_classifier(), BackendRegistry::global().make(backend), {.optimizer = optimizer, .seed = seed}};
}

void train_steps(Trainer& trainer, int steps) {
  for (int step = 0; step < steps; ++step) ASSERT_TRUE(trainer.step(test::small_data()).committed);
}

TEST(State, HoldsAllOfAnUpdateThatIsHalfGathered) {
  for (const char* backend : {"interp", "cpu"}) {
    Trainer first = trainer_of(everything(), backend);
    train_steps(first, 8);
    const TrainingState saved = first.state();
    EXPECT_EQ(saved.optimizer.at({VarId{}, "micro_batches"}).get_i64(0), 2);
    EXPECT_EQ(saved.optimizer.at({VarId{}, "ema.count"}).get(0), 2);
    EXPECT_EQ(saved.optimizer.at({VarId{}, "group_1.factor"}).get(0), 0.5);
    Trainer second = trainer_of(everything(), backend, 2);
    train_steps(second, 1);
    second.set_state(saved);
    train_steps(first, 5);
    train_steps(second, 5);
    const TrainingState left = first.state();
    const TrainingState right = second.state();
    for (const auto& [id, value] : left.variables) {
      if (first.model().graph().variable(id).name == kSeedVariable) continue;
      EXPECT_TRUE(bit_equal(value, right.variables.at(id))) << backend;
    }
    for (const auto& [key, value] : left.optimizer) {
      EXPECT_TRUE(bit_equal(value, right.optimizer.at(key))) << backend << ", " << key.slot;
    }
  }
}

TEST(State, FollowsEditsWithAllThatWasAskedFor) {
  for (const char* backend : {"interp", "cpu"}) {
    Trainer trainer = trainer_of(everything(), backend);
    train_steps(trainer, 4);
    const TrainingState before = trainer.state();
    const VarId weight = trainer.model().graph().find_variable("block.feed_forward.expand.weight");
    trainer.apply({{edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", 20}}}}, ResizePolicy::preserve});
    const TrainingState after = trainer.state();
    EXPECT_EQ(after.optimizer.at({VarId{}, "micro_batches"}).get_i64(0), 1);
    EXPECT_EQ(after.optimizer.at({VarId{}, "group_1.factor"}).get(0), 0.5);
    // The old block of the mean stays; its new part is the parameter's.
    const Array& mean = after.optimizer.at({weight, "ema"});
    EXPECT_TRUE(bit_equal(mean.sliced(1, 0, 12, 1).copy(), before.optimizer.at({weight, "ema"})));
    EXPECT_TRUE(bit_equal(mean.sliced(1, 12, 8, 1).copy(), after.variables.at(weight).sliced(1, 12, 8, 1).copy()));
    const Array& sum = after.optimizer.at({weight, "gradient_sum"});
    EXPECT_TRUE(bit_equal(sum.sliced(1, 0, 12, 1).copy(), before.optimizer.at({weight, "gradient_sum"})));
    train_steps(trainer, 2);
    EXPECT_EQ(trainer.state().optimizer.at({VarId{}, "micro_batches"}).get_i64(0), 0);
    trainer.undo();
    train_steps(trainer, 3);
  }
}

TEST(Groups, MayLoseTheirParametersInAnEdit) {
  optim::Optimizer optimizer = optim::Optimizer::adam(1e-2);
  optimizer.groups = {{.match = "block.feed_forward.*", .frozen = true}};
  Trainer trainer = trainer_of(optimizer, "interp");
  trainer.apply({{edits::DeletePassthrough{.at = {"block"}}}, ResizePolicy::fresh});
  ASSERT_FALSE(trainer.step_graph().warnings.empty());
  EXPECT_NE(trainer.step_graph().warnings.front().find("block.feed_forward.*"), std::string::npos);
  train_steps(trainer, 1);
}

}  // namespace
}  // namespace asg::train
