#include "asg/train/course.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "asg/train/engine.h"
#include "train/listener.h"

namespace asg::train {
namespace {

// Batches that differ from step to step, as a function of the step alone.
NamedArrays batch_of(std::int64_t step) {
  NamedArrays batch = test::small_batch();
  Array features = batch.at("features").copy();
  for (std::int64_t k = 0; k < features.count(); ++k) features.set(k, features.get(k) * (1 + 0.1 * std::sin(step + k)));
  batch["features"] = features;
  return batch;
}

TrainingSpec spec_of(Course course) {
  TrainingSpec spec;
  spec.model = test::small_classifier();
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = batch_of;
  spec.datasets = {{"held_out", test::small_data()}};
  spec.course = std::move(course);
  return spec;
}

// What happened in a training, by kind.
struct Record {
  std::vector<events::StepDone> steps;
  std::vector<events::EpochDone> epochs;
  std::vector<events::Evaluated> evaluations;
  std::vector<events::CheckpointSaved> saved;
  std::vector<events::CheckpointLoaded> loaded;
  std::vector<events::Warned> warnings;
  TrainingState state;
  TrainingResult result;
};

Record record_of(TrainingSpec spec, std::int64_t stop_after = -1) {
  Record record;
  const auto sink = [&](const Event& event) {
    if (const auto* each = std::get_if<events::StepDone>(&event)) record.steps.push_back(*each);
    if (const auto* each = std::get_if<events::EpochDone>(&event)) record.epochs.push_back(*each);
    if (const auto* each = std::get_if<events::Evaluated>(&event)) record.evaluations.push_back(*each);
    if (const auto* each = std::get_if<events::CheckpointSaved>(&event)) record.saved.push_back(*each);
    if (const auto* each = std::get_if<events::CheckpointLoaded>(&event)) record.loaded.push_back(*each);
    if (const auto* each = std::get_if<events::Warned>(&event)) record.warnings.push_back(*each);
    return stop_after < 0 || record.steps.empty() || record.steps.back().step < stop_after;
  };
  record.result = run_training(std::move(spec), sink, [&](Trainer& trainer) { record.state = trainer.state(); });
  return record;
}

class Folder {
 public:
  explicit Folder(const std::string& name) : path_(testing::TempDir() + "/course_" + name) {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// `asg train --resume` of a training that is over changes nothing; somebody in the Lab may go on.
TEST(Course, ThatIsOverStaysSoUnlessSomebodyRunsBeyond) {
  const Folder folder("over");
  TrainingSpec spec = spec_of({.steps = 3, .saving = {.folder = folder.path()}});
  record_of(spec);
  spec.resume = true;
  const Record again = record_of(spec);
  EXPECT_EQ(again.result.steps, 3);
  EXPECT_EQ(again.result.reason, "course_done");
  EXPECT_TRUE(again.steps.empty());

  test::Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(spec);
  engine.post(id, messages::Run{.within_course = true});
  EXPECT_EQ(listener.wait_for<events::Paused>(1).reason, "course_done");
  engine.post(id, messages::Run{.steps = 2});
  const auto beyond = listener.wait_for<events::Paused>(2);
  EXPECT_EQ(beyond.step, 5);
  EXPECT_EQ(beyond.reason, "steps_done");
}

TEST(Course, EndsAfterItsStepsOrEpochs) {
  EXPECT_EQ(record_of(spec_of({.steps = 7})).result.steps, 7);
  const Record by_epochs = record_of(spec_of({.epochs = 2, .steps_per_epoch = 5}));
  EXPECT_EQ(by_epochs.result.steps, 10);
  EXPECT_EQ(by_epochs.result.reason, "course_done");
  ASSERT_EQ(by_epochs.epochs.size(), 2U);
  EXPECT_EQ(by_epochs.epochs[1].step, 10);
  double sum = 0;
  for (int step = 5; step < 10; ++step) sum += by_epochs.steps[static_cast<std::size_t>(step)].loss;
  EXPECT_NEAR(by_epochs.epochs[1].loss, sum / 5, 1e-9);
  EXPECT_EQ(by_epochs.steps[4].epoch, 1);
  EXPECT_EQ(by_epochs.steps[5].epoch, 2);
  EXPECT_EQ(record_of(spec_of({.steps = 8, .epochs = 2, .steps_per_epoch = 5})).result.steps, 8);
}

TEST(Course, FollowsItsSchedule) {
  Course course{.steps = 4};
  course.schedule = optim::schedule_named("exponential", {{"gamma", 0.5}});
  const Record record = record_of(spec_of(course));
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(record.steps[k].learning_rate, 1e-2 * std::pow(0.5, k), 1e-9);
}

TEST(Course, ValidatesAtTheEndOfEpochsOrEverySoManySteps) {
  EXPECT_EQ(record_of(spec_of({.steps = 9, .steps_per_epoch = 3, .validate = "held_out"})).evaluations.size(), 3U);
  const Record record = record_of(spec_of({.steps = 9, .validate = "held_out", .validate_every = 4}));
  EXPECT_EQ(record.evaluations.size(), 2U);
  EXPECT_EQ(record.result.metrics.at("loss"), record.evaluations.back().result.loss);
  EXPECT_EQ(record.result.metrics.at("accuracy"), record.evaluations.back().result.accuracy);
}

TEST(Course, EndsEarlyWhenNothingGetsBetter) {
  Course course{.steps = 100, .validate = "held_out", .validate_every = 1};
  course.early_stopping = {.patience = 3, .least_change = 1e9};  // nothing is ever better by that much
  const Record record = record_of(spec_of(course));
  EXPECT_EQ(record.result.reason, "early_stopping");
  EXPECT_EQ(record.result.steps, 4);
}

TEST(Course, SavesAndNamesTheBest) {
  const Folder folder("best");
  Course course{.steps = 9, .steps_per_epoch = 3, .validate = "held_out"};
  course.saving = {.folder = folder.path(), .options = {.keep = 1, .best = BestBy{"loss", BestBy::Mode::min}}};
  const Record record = record_of(spec_of(course));
  ASSERT_EQ(record.saved.size(), 3U);
  EXPECT_TRUE(record.saved[0].is_best);
  const auto best = CheckpointStore(folder.path(), course.saving.options).load_best();
  ASSERT_TRUE(best);
  double least = std::numeric_limits<double>::infinity();
  for (const events::Evaluated& each : record.evaluations) least = std::min(least, each.result.loss);
  EXPECT_EQ(best->info.metrics.at("loss"), least);
}

void expect_same(const TrainingState& a, const TrainingState& b) {
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.learning_rate, b.learning_rate);
  ASSERT_EQ(a.variables.size(), b.variables.size());
  for (const auto& [id, value] : a.variables) EXPECT_TRUE(bit_equal(value, b.variables.at(id))) << id.number;
  ASSERT_EQ(a.optimizer.size(), b.optimizer.size());
  for (const auto& [key, value] : a.optimizer) EXPECT_TRUE(bit_equal(value, b.optimizer.at(key))) << key.slot;
}

// Dropout, a schedule that watches a metric, a mean of weights, in the middle of an epoch.
TEST(Course, GoesOnWithTheSameBits) {
  const auto make = [](const std::string& folder) {
    Course course{.steps = 20, .steps_per_epoch = 6, .validate = "held_out", .validate_every = 4};
    course.schedule = optim::schedule_named("plateau", {{"patience", 1}, {"gamma", 0.7}, {"warmup", 3}});
    course.early_stopping = {.patience = 50};
    course.saving = {.folder = folder, .options = {.keep = 2}, .every = 3};
    TrainingSpec spec = spec_of(course);
    spec.options.optimizer.ema = {.decay = 0.9};
    return spec;
  };
  const Folder whole("whole");
  const Folder parts("parts");
  const Record expected = record_of(make(whole.path()));
  record_of(make(parts.path()), 10);  // ends with a checkpoint
  TrainingSpec spec = make(parts.path());
  spec.resume = true;
  const Record resumed = record_of(std::move(spec));
  ASSERT_EQ(resumed.loaded.size(), 1U);
  EXPECT_EQ(resumed.loaded[0].step, 10);
  EXPECT_EQ(resumed.steps.front().step, 11);
  for (const events::StepDone& step : resumed.steps) {
    const events::StepDone& other = expected.steps[static_cast<std::size_t>(step.step - 1)];
    EXPECT_EQ(step.loss, other.loss) << step.step;
    EXPECT_EQ(step.learning_rate, other.learning_rate) << step.step;
  }
  ASSERT_EQ(resumed.epochs.front().epoch, 2);
  EXPECT_EQ(resumed.epochs.front().loss, expected.epochs[1].loss);
  expect_same(resumed.state, expected.state);
}

TEST(Course, NamesTheNodeThatIsNotFinite) {
  for (const WhenNotFinite rule : {WhenNotFinite::go_on, WhenNotFinite::pause}) {
    Course course{.steps = 5};
    course.when_not_finite = rule;
    TrainingSpec spec = spec_of(course);
    spec.batch = [](std::int64_t step) {
      NamedArrays batch = batch_of(step);
      if (step == 2) batch.at("features").set(3, std::numeric_limits<double>::infinity());
      return batch;
    };
    const Record record = record_of(std::move(spec));
    ASSERT_EQ(record.warnings.size(), 1U);
    EXPECT_NE(record.warnings[0].text.en.find("step 3 was not finite"), std::string::npos);
    EXPECT_NE(record.warnings[0].node, "");
    EXPECT_FALSE(record.steps[2].committed);
    EXPECT_EQ(record.result.steps, rule == WhenNotFinite::pause ? 3 : 5);
    EXPECT_EQ(record.result.reason, rule == WhenNotFinite::pause ? "not_finite" : "course_done");
  }
}

TEST(Course, RefusesWhatContradictsItself) {
  const auto refused = [](const Course& course) {
    EXPECT_THROW(check_course(course), UserError);
    EXPECT_THROW(run_training(spec_of(course)), UserError);
  };
  refused({.steps = -1});
  refused({.epochs = 1});
  refused({.steps = 5, .early_stopping = {.patience = 1}});
  refused({.steps = 5, .validate = "held_out"});
  Course plateau{.steps = 5};
  plateau.schedule = optim::schedule_named("plateau");
  refused(plateau);
  EXPECT_THROW(run_training(spec_of({})), UserError);  // no end
  EXPECT_THROW(run_training(spec_of({.steps = 5, .validate = "elsewhere", .validate_every = 1})), UserError);
  TrainingSpec nowhere = spec_of({.steps = 5});
  nowhere.resume = true;
  EXPECT_THROW(run_training(std::move(nowhere)), UserError);
}

TEST(CourseState, IsReadBack) {
  CourseState state{.base_rate = 0.1, .epoch_loss = std::nan(""), .epoch_steps = 3, .waited = 2};
  state.schedule.best = -std::numeric_limits<double>::infinity();
  state.schedule.factor = 0.25;
  state.metrics = {{"loss", 1.0 / 3}};
  const CourseState back = CourseState::from_json(state.to_json());
  EXPECT_EQ(back.base_rate, 0.1);
  EXPECT_TRUE(std::isnan(back.epoch_loss));
  EXPECT_EQ(back.schedule, state.schedule);
  EXPECT_EQ(back.metrics, state.metrics);
  EXPECT_EQ(back.best, std::nullopt);
  EXPECT_THROW(CourseState::from_json("{}"), UserError);
}

}  // namespace
}  // namespace asg::train
