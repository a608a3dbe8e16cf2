// A course whose training is steered while it runs: what is saved, what counts as measured, what a branch goes on with.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "train/listener.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

class SteeredCourse : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  TrainingSpec spec(Course course) const {
    TrainingSpec spec = test::small_spec();
    spec.course = std::move(course);
    spec.course.saving.folder = folder_;
    return spec;
  }

  std::vector<CheckpointInfo> saved() const { return CheckpointStore(folder_).list(); }

  const std::string folder_ =
      testing::TempDir() + "/steered_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

// Runs messages one after the other to the end.
struct Session {
  explicit Session(TrainingSpec spec) : engine(listener.sink()), id(engine.add(std::move(spec))) {}

  void run(std::int64_t steps) {
    engine.post(id, messages::Run{.steps = steps});
    listener.wait_for<events::Paused>(++pauses);
  }

  test::Listener listener;
  Engine engine;
  TrainingId id;
  int pauses = 0;
};

messages::SetValue ruined_head() { return {.path = "head.bias", .values = {1e6}}; }

TEST_F(SteeredCourse, WhatWasNotMeasuredIsNotTheBest) {
  Course course{.steps = 100, .validate = "held_out", .validate_every = 4};
  course.saving.every = 3;
  course.saving.options = {.keep = 0, .best = BestBy{"loss", BestBy::Mode::min}};
  Session session(spec(course));
  session.run(4);
  session.engine.post(session.id, ruined_head());
  session.run(3);
  std::vector<std::pair<std::int64_t, bool>> found;
  for (const CheckpointInfo& each : saved()) found.emplace_back(each.step, each.metrics.contains("loss"));
  // Step 4 is no third step: it is saved because nothing better was measured before.
  EXPECT_EQ(found, (std::vector<std::pair<std::int64_t, bool>>{{3, false}, {4, true}, {6, false}}));
  session.engine.post(session.id, messages::Load{"best"});
  EXPECT_EQ(session.listener.wait_for<events::CheckpointLoaded>().step, 4);
}

// Changes between two steps are not in the checkpoint of the step.
TEST_F(SteeredCourse, EndsWithACheckpointOfWhatItIs) {
  const std::pair<const char*, Message> rows[] = {
      {"set_value", ruined_head()},
      {"set_learning_rate", messages::SetLearningRate{0.5}},
      {"reset", messages::Reset{{"head"}}},
      {"undo_of_nothing", messages::Undo{}},
  };
  for (const auto& [name, message] : rows) {
    SCOPED_TRACE(name);
    fs::remove_all(folder_);
    Session session(spec({.steps = 3}));
    session.run(10);
    session.engine.post(session.id, message);
    session.engine.post(session.id, messages::Run{.within_course = true});
    session.listener.wait_for<events::Paused>(2);
    EXPECT_EQ(saved().size(), std::string_view(name) == "undo_of_nothing" ? 1U : 2U);
  }
}

TEST_F(SteeredCourse, SavesAgainAfterAReturn) {
  Session session(spec({.steps = 6}));
  session.run(2);
  session.engine.post(session.id, messages::TakeSnapshot{});
  session.run(10);
  const SnapshotId taken = session.listener.wait_for<events::SnapshotTaken>().id;
  session.engine.post(session.id, messages::ReturnTo{taken});
  session.engine.post(session.id, messages::SetLearningRate{0.5});
  session.run(10);
  ASSERT_EQ(saved().size(), 2U);
  const CheckpointData first = load_checkpoint(saved()[0].path);
  const CheckpointData second = load_checkpoint(saved()[1].path);
  EXPECT_EQ(second.state.steps, 6);
  const VarId weight = first.model.graph().find_variable("head.weight");
  EXPECT_FALSE(bit_equal(first.state.variables.at(weight), second.state.variables.at(weight)));
}

TEST_F(SteeredCourse, APauseForWhatIsNotFiniteSaves) {
  Course course{.steps = 10};
  course.when_not_finite = WhenNotFinite::pause;
  course.saving.every = 100;
  TrainingSpec spec = this->spec(course);
  spec.batch = [](std::int64_t step) {
    NamedArrays batch = test::small_batch();
    if (step != 2) return batch;
    batch["features"] = batch.at("features").copy();
    batch["features"].set(0, INFINITY);
    return batch;
  };
  Session session(std::move(spec));
  session.run(10);
  EXPECT_EQ(session.listener.wait_for<events::Paused>().reason, "not_finite");
  ASSERT_EQ(saved().size(), 1U);
  EXPECT_EQ(saved().front().step, 3);
}

TEST_F(SteeredCourse, LooksForTheNodeAgainAfterAnotherValue) {
  Session session(spec({.steps = 10}));
  for (const double value : {3e38, 0.01, 3e38}) {
    session.engine.post(session.id, messages::SetValue{.path = "head.weight", .values = {value}});
    session.run(1);
  }
  EXPECT_FALSE(session.listener.wait_for<events::NotFinite>(2).path.empty());
}

TEST_F(SteeredCourse, ABranchHasThePatienceOfItsOrigin) {
  Course course{.steps = 100, .validate = "held_out", .validate_every = 1};
  course.early_stopping = {.patience = 2, .least_change = 1e9};
  Session session(spec(course));
  session.run(50);
  EXPECT_EQ(session.listener.wait_for<events::Paused>().reason, "early_stopping");
  session.engine.post(session.id, messages::Branch{});
  const TrainingId branch = session.listener.wait_for<events::Branched>().branch;
  session.engine.post(branch, messages::Run{.steps = 4});
  const auto end = session.listener.wait_for<events::Paused>(2);
  EXPECT_EQ(end.reason, "steps_done");
}

// An edit may take away all parameters of a group; a branch must not fail of that.
TEST_F(SteeredCourse, ABranchMayHaveAnEmptyGroup) {
  TrainingSpec spec = this->spec({.steps = 100});
  spec.options.optimizer.groups = {{.match = "block.**", .learning_rate_factor = 0.5}};
  Session session(std::move(spec));
  session.run(1);
  session.engine.post(session.id, messages::Apply{{{edits::DeletePassthrough{.at = {"block"}}}, ResizePolicy::fresh}});
  session.engine.post(session.id, messages::Branch{});
  const TrainingId branch = session.listener.wait_for<events::Branched>().branch;
  session.engine.post(branch, messages::Run{.steps = 2});
  EXPECT_EQ(session.listener.wait_for<events::Paused>(2).step, 3);
}

TEST(CourseLength, DoesNotOverflow) {
  const Course course{.epochs = std::int64_t{1} << 60, .steps_per_epoch = 22};
  EXPECT_EQ(course.last_step(), INT64_MAX);
}

TEST(Plateau, GoesOnAfterAMetricThatIsNoNumber) {
  const optim::Schedule schedule = optim::schedule_named("plateau", {{"patience", 1}, {"gamma", 0.5}});
  optim::ScheduleState state;
  for (const double metric : {std::nan(""), 3.0, 2.0, 1.0, 0.5}) optim::observe(schedule, metric, state);
  EXPECT_EQ(optim::factor_at(schedule, 5, state), 1);
}

// What the first schedule saw of the metric is not the second one's.
TEST_F(SteeredCourse, ANewPlateauBeginsAtTheWholeRate) {
  Course course{.steps = 100, .validate = "held_out", .validate_every = 1};
  // No loss becomes better by 99 of 100 parts, so that the rate falls after each observation but the first.
  const Attrs settings = {{"patience", 0}, {"gamma", 0.5}, {"threshold", 0.99}};
  course.schedule = optim::schedule_named("plateau", settings);
  Session session(spec(course));
  session.run(4);
  const double whole = session.listener.wait_for<events::StepDone>(1).learning_rate;
  EXPECT_LT(session.listener.wait_for<events::StepDone>(4).learning_rate, whole);
  session.engine.post(session.id, messages::SetSchedule{optim::schedule_named("plateau", settings)});
  session.run(3);
  EXPECT_EQ(session.listener.wait_for<events::StepDone>(5).learning_rate, whole);
  EXPECT_EQ(session.listener.wait_for<events::StepDone>(6).learning_rate, whole);  // after its first observation
  EXPECT_EQ(session.listener.wait_for<events::StepDone>(7).learning_rate, whole / 2);
}

// ---- A training that goes on, described otherwise than it was.

std::vector<std::string> warnings_of(TrainingSpec spec) {
  std::vector<std::string> warnings;
  run_training(std::move(spec), [&](const Event& event) {
    if (const auto* warned = std::get_if<events::Warned>(&event)) warnings.push_back(warned->text.en);
    return true;
  });
  return warnings;
}

TEST_F(SteeredCourse, GoesOnWithoutAWordWhereNothingChanged) {
  run_training(spec({.steps = 2}));
  TrainingSpec again = spec({.steps = 4});
  again.resume = true;
  EXPECT_TRUE(warnings_of(std::move(again)).empty());
}

TEST_F(SteeredCourse, TellsWhatWasDescribedOtherwise) {
  run_training(spec({.steps = 2, .steps_per_epoch = 5}));
  TrainingSpec again = spec({.steps = 4, .steps_per_epoch = 7});
  again.resume = true;
  again.options.seed = 77;
  Graph other = again.model;
  other.set_output("also", other.tensor(other.outputs().front().value));
  again.model = other;
  const std::vector<std::string> warnings = warnings_of(std::move(again));
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_NE(warnings[0].find("another model"), std::string::npos);
  EXPECT_NE(warnings[1].find("the seed was 1 and is 77"), std::string::npos);
  EXPECT_NE(warnings[2].find("an epoch had 5 steps and has 7"), std::string::npos);
}

TEST_F(SteeredCourse, GoesOnWithAnotherRateWhereOneIsGiven) {
  run_training(spec({.steps = 2}));
  TrainingSpec again = spec({.steps = 3});
  again.resume = true;
  again.options.optimizer = optim::Optimizer::adam(0.25);
  std::vector<double> rates;
  run_training(std::move(again), [&](const Event& event) {
    if (const auto* done = std::get_if<events::StepDone>(&event)) rates.push_back(done->learning_rate);
    return true;
  });
  EXPECT_EQ(rates, std::vector<double>{0.25});
}

TEST_F(SteeredCourse, RefusesTheStateOfAnotherOptimiser) {
  run_training(spec({.steps = 2}));
  TrainingSpec again = spec({.steps = 4});
  again.resume = true;
  again.options.optimizer = optim::Optimizer::adamw(0.01);
  try {
    run_training(std::move(again));
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.detail().given, "a checkpoint of a training by 'adam' for one by 'adamw'");
    EXPECT_EQ(error.detail().mend, "go on with 'adam', or begin anew");
  }
}

// ---- What undo and redo bring back.

Edit frozen_head() { return {{edits::SetTrainable{.variable = {"head.weight"}, .trainable = false}}}; }

TEST_F(SteeredCourse, UnfreezingByUndoBringsTheStateOfTheOptimiserBack) {
  Trainer trainer = test::small_trainer();
  for (int step = 0; step < 3; ++step) trainer.step(test::small_data());
  const TrainingState before = trainer.state();
  trainer.apply(frozen_head());
  CheckpointStore(folder_).save(trainer.checkpoint());
  Trainer another = test::small_trainer();
  another.restore(CheckpointStore(folder_).load_latest()->data);
  for (Trainer* each : {&trainer, &another}) {
    each->undo();
    const TrainingState after = each->state();
    for (const auto& [key, value] : before.optimizer) {
      EXPECT_TRUE(bit_equal(value, after.optimizer.at(key))) << key.slot;
    }
  }
}

// Half of a sum of gradients from before the freezing is no part of a later mean.
TEST(Attic, DoesNotKeepSumsOverMicroBatches) {
  Graph graph("line");
  const Tensor x = graph.input("x", {DType::f32, {}});
  const Tensor w = graph.parameter("w", {DType::f32, {}}, Initializer::zeros());
  const Tensor v = graph.parameter("v", {DType::f32, {}}, Initializer::zeros());
  graph.set_output("loss", w * x + v * x);
  optim::Optimizer optimizer = optim::Optimizer::sgd(1);
  optimizer.accumulate = 4;
  Trainer trainer(graph, std::make_shared<Interpreter>(), {.optimizer = optimizer});
  const auto train = [&](int steps) {
    for (int step = 0; step < steps; ++step) trainer.step({{"x", Array::scalar(DType::f32, 1)}});
  };
  train(2);
  trainer.apply({{edits::SetTrainable{.variable = {"w"}, .trainable = false}}});
  train(2);
  trainer.undo();
  train(4);
  EXPECT_EQ(trainer.read("w").get(0), -1);
  EXPECT_EQ(trainer.read("v").get(0), -2);
}

TEST(Attic, IsThatOfTheSnapshotAfterAReturn) {
  const Edit wider = {{edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", 24}}}}, ResizePolicy::overlap};
  const auto train = [](Trainer& trainer, int steps) {
    for (int step = 0; step < steps; ++step) trainer.step(test::small_data());
  };
  const auto loss_after = [&](bool by_a_detour) {
    Trainer trainer = test::small_trainer();
    train(trainer, 2);
    trainer.apply(wider);
    train(trainer, 2);
    trainer.undo();
    const SnapshotId here = trainer.snapshot();
    if (by_a_detour) {
      trainer.redo();
      train(trainer, 5);
      trainer.undo();
      trainer.return_to(here);
    }
    trainer.redo();
    return trainer.step(test::small_data()).loss;
  };
  EXPECT_EQ(loss_after(true), loss_after(false));
}

}  // namespace
}  // namespace asg::train
