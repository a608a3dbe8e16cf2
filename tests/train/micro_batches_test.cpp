// Micro-batches in a course: what becomes of a rest at the end of an epoch, and what schedules count.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/train/engine.h"
#include "train/models.h"

namespace asg::train {
namespace {

constexpr double kRate = 0.1;

NamedArrays target_of(double number) { return {{"target", Array::of<double>({2}, {number, -number})}}; }

// The weight (1, 1) follows the targets (n, −n) of steps n = 0, 1, … by plain descent, two micro-batches each.
TrainingSpec following(Course course) {
  TrainingSpec spec;
  spec.model = test::quadratic();
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::sgd(kRate);
  spec.options.optimizer.accumulate = 2;
  spec.batch = [](std::int64_t step) { return target_of(static_cast<double>(step)); };
  spec.course = std::move(course);
  return spec;
}

struct Followed {
  std::vector<double> rates;
  TrainingState state;
};

Followed followed(TrainingSpec spec) {
  Followed result;
  const auto sink = [&](const Event& event) {
    if (const auto* step = std::get_if<events::StepDone>(&event)) result.rates.push_back(step->learning_rate);
    return true;
  };
  run_training(std::move(spec), sink, [&](Trainer& trainer) { result.state = trainer.state(); });
  return result;
}

double first_weight(const TrainingState& state) { return state.variables.begin()->second.get(0); }

double moved(double weight, double target) { return weight - kRate * 2 * (weight - target); }

TEST(MicroBatches, ThatAreLeftAtTheEndOfAnEpochMakeAnUpdate) {
  const Followed result = followed(following({.epochs = 2, .steps_per_epoch = 3}));
  // The means of targets: (0, 1), 2 alone; (3, 4), 5 alone.
  const double expected = moved(moved(moved(moved(1, 0.5), 2), 3.5), 5);
  EXPECT_NEAR(first_weight(result.state), expected, 1e-12);
  EXPECT_EQ(result.state.updates, 4);
  EXPECT_EQ(result.state.committed, 6);
}

TEST(MicroBatches, WaitForTheNextWhereTheCourseEndsWithinAnEpoch) {
  const Followed result = followed(following({.steps = 5, .steps_per_epoch = 20}));
  EXPECT_NEAR(first_weight(result.state), moved(moved(1, 0.5), 2.5), 1e-12);
  EXPECT_EQ(result.state.updates, 2);
}

TEST(MicroBatches, AreNotWhatSchedulesCount) {
  Course course{.epochs = 2, .steps_per_epoch = 5};
  course.schedule = optim::schedule_named("exponential", {{"gamma", 0.5}});
  const Followed result = followed(following(course));
  const std::vector<int> updates = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5};
  ASSERT_EQ(result.rates.size(), updates.size());
  for (std::size_t k = 0; k < updates.size(); ++k) {
    EXPECT_NEAR(result.rates[k], kRate * std::pow(0.5, updates[k]), 1e-9) << k;
  }
}

TEST(MicroBatches, ThatAreNotFiniteAreNoPartOfAnUpdate) {
  Course course{.steps = 5};
  course.schedule = optim::schedule_named("exponential", {{"gamma", 0.5}});
  TrainingSpec spec = following(course);
  spec.batch = [](std::int64_t step) { return target_of(step == 1 ? NAN : static_cast<double>(step)); };
  const Followed result = followed(std::move(spec));
  EXPECT_EQ(result.state.updates, 2);
  EXPECT_NEAR(result.rates[2], kRate, 1e-12);  // the third step completes the first update
  EXPECT_NEAR(result.rates[3], kRate / 2, 1e-12);
}

TEST(MicroBatches, UpdatesAreCountedThroughSnapshots) {
  TrainerOptions options{.optimizer = optim::Optimizer::sgd(kRate)};
  options.optimizer.accumulate = 2;
  Trainer trainer(test::quadratic(), std::make_shared<Interpreter>(), options);
  for (int step = 0; step < 3; ++step) trainer.step(target_of(step));
  EXPECT_EQ(trainer.updates(), 1);
  const SnapshotId here = trainer.snapshot();
  EXPECT_TRUE(trainer.flush());
  EXPECT_FALSE(trainer.flush());
  EXPECT_EQ(trainer.updates(), 2);
  trainer.return_to(here);
  EXPECT_EQ(trainer.updates(), 1);
  EXPECT_TRUE(trainer.step(target_of(0)).updated);
}

}  // namespace
}  // namespace asg::train
