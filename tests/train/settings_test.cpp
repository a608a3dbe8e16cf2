// Schedule and optimiser settings that change while a training runs.
#include <filesystem>

#include "asg/backend/cpu.h"
#include "asg/optim/json.h"
#include "train/listener.h"

namespace asg::test {
namespace {

namespace events = train::events;
namespace messages = train::messages;

NamedArrays quadratic_target() { return {{"target", Array::of<double>({2}, {3, -1})}}; }

train::Trainer on_quadratic(const optim::Optimizer& optimizer) {
  return {quadratic(), std::make_shared<Interpreter>(), {.optimizer = optimizer}};
}

void train_for(train::Trainer& trainer, int steps) {
  for (int step = 0; step < steps; ++step) trainer.step(quadratic_target());
}

void expect_same(const train::TrainingState& a, const train::TrainingState& b) {
  for (const auto& [id, value] : a.variables) EXPECT_TRUE(bit_equal(value, b.variables.at(id)));
  for (const auto& [key, value] : a.optimizer) EXPECT_TRUE(bit_equal(value, b.optimizer.at(key))) << key.slot;
}

// What was learnt goes into a training that had these settings from the start.
TEST(SetOptimizer, KeepsStateAndGoesOnAsOneThatHasTheSettings) {
  for (const std::string device : {"interp", "cpu"}) {
    const auto backend = [&]() -> std::shared_ptr<Backend> {
      if (device == "cpu") return std::make_shared<CpuBackend>(2);
      return std::make_shared<Interpreter>();
    };
    train::Trainer trainer(small_classifier(), backend(), {.optimizer = optim::Optimizer::adamw(1e-2)});
    for (int step = 0; step < 3; ++step) trainer.step(small_data());
    const train::TrainingState before = trainer.state();
    EXPECT_TRUE(trainer.set_optimizer({{"weight_decay", 0.1}, {"beta1", 0.8}}));
    expect_same(before, trainer.state());
    train::Trainer other(small_classifier(), backend(),
                         {.optimizer = optim::Optimizer::adamw(1e-2, 0.1).set("beta1", 0.8)});
    other.set_state(before);
    for (int step = 0; step < 3; ++step) {
      trainer.step(small_data());
      other.step(small_data());
    }
    expect_same(trainer.state(), other.state());
    EXPECT_EQ(trainer.steps(), 6);
  }
}

TEST(SetOptimizer, StateThatIsNewBeginsAndWhatIsGoneIsDropped) {
  train::Trainer trainer = on_quadratic(optim::Optimizer::sgd(0.1));
  train_for(trainer, 2);
  EXPECT_TRUE(trainer.state().optimizer.empty());
  trainer.set_optimizer({{"momentum", 0.9}});
  EXPECT_FALSE(trainer.state().optimizer.empty());
  train::Trainer other = on_quadratic(optim::Optimizer::sgd(0.1, 0.9));
  other.set_state(trainer.state());
  train_for(trainer, 3);
  train_for(other, 3);
  expect_same(trainer.state(), other.state());
  trainer.set_optimizer({{"momentum", 0.0}});
  EXPECT_TRUE(trainer.state().optimizer.empty());
}

TEST(SetOptimizer, TheRateAloneCompilesNothing) {
  train::Trainer trainer = on_quadratic(optim::Optimizer::adam(0.1));
  train_for(trainer, 1);
  EXPECT_FALSE(trainer.set_optimizer({{"learning_rate", 0.25}}));
  EXPECT_FALSE(trainer.set_optimizer({{"beta1", 0.9}}));  // what it is anyway
  EXPECT_FALSE(trainer.set_optimizer({}));
  EXPECT_EQ(trainer.learning_rate(), 0.25);
  EXPECT_EQ(trainer.version(), 1);
}

TEST(SetOptimizer, RefusesAndChangesNothing) {
  train::Trainer trainer = on_quadratic(optim::Optimizer::adam(0.1));
  train_for(trainer, 2);
  const train::TrainingState before = trainer.state();
  const std::vector<std::pair<Attrs, ErrorCode>> rows = {{{{"weight_decai", 0.1}}, ErrorCode::unknown_attribute},
                                                         {{{"beta2", 0.9}, {"beta1", 1.5}}, ErrorCode::bad_attribute},
                                                         {{{"amsgrad", 1}}, ErrorCode::bad_attribute},
                                                         {{{"learning_rate", -1.0}}, ErrorCode::bad_attribute}};
  for (const auto& [settings, code] : rows) {
    try {
      trainer.set_optimizer(settings);
      ADD_FAILURE() << optim::to_json(settings);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), code);
    }
  }
  EXPECT_EQ(trainer.optimizer().settings, optim::Optimizer::adam(0.1).settings);
  EXPECT_EQ(trainer.version(), 1);
  EXPECT_EQ(trainer.learning_rate(), 0.1);
  expect_same(before, trainer.state());
}

// A snapshot holds the settings that its state belongs to.
TEST(SetOptimizer, ReturnsWithASnapshot) {
  train::Trainer trainer = on_quadratic(optim::Optimizer::sgd(0.1));
  train_for(trainer, 1);
  const train::SnapshotId plain = trainer.snapshot();
  trainer.set_optimizer({{"momentum", 0.9}});
  train_for(trainer, 2);
  const train::TrainingState with_momentum = trainer.state();
  const train::SnapshotId quick = trainer.snapshot();
  trainer.return_to(plain);
  EXPECT_EQ(trainer.optimizer().settings.find("momentum"), nullptr);
  EXPECT_EQ(trainer.steps(), 1);
  trainer.return_to(quick);
  expect_same(with_momentum, trainer.state());
  train_for(trainer, 1);
}

train::TrainingSpec quadratic_spec() {
  train::TrainingSpec spec;
  spec.model = quadratic();
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::sgd(0.1);
  spec.batch = [](std::int64_t) { return quadratic_target(); };
  return spec;
}

TEST(SetOptimizer, ByMessage) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(quadratic_spec());
  engine.post(id, messages::Run{2});
  listener.wait_for<events::Paused>();
  engine.post(id, messages::SetOptimizer{{{"momentum", 0.5}, {"learning_rate", 0.05}}});
  const auto set = listener.wait_for<events::OptimizerSet>();
  EXPECT_EQ(set.name, "sgd");
  EXPECT_TRUE(set.graph_changed);
  EXPECT_EQ(set.settings.size(), 5U);
  EXPECT_EQ(set.settings.find("momentum")->as_real(), 0.5);
  EXPECT_EQ(set.settings.find("dampening")->as_real(), 0);
  EXPECT_EQ(listener.wait_for<events::GraphReady>(2).version, 2);
  engine.post(id, messages::Run{1});
  EXPECT_EQ(listener.wait_for<events::StepDone>(3).learning_rate, 0.05);
  engine.post(id, messages::SetOptimizer{{{"momentum", -1.0}}});
  EXPECT_EQ(listener.wait_for<events::Failed>().error.code, ErrorCode::bad_attribute);
}

TEST(SetOptimizer, IsToldWhenItComesBackWithASnapshot) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(quadratic_spec());
  engine.post(id, messages::TakeSnapshot{""});
  engine.post(id, messages::SetLearningRate{0.2});
  engine.post(id, messages::SetOptimizer{{{"momentum", 0.5}}});
  EXPECT_EQ(listener.wait_for<events::OptimizerSet>().settings.find("learning_rate")->as_real(), 0.2);
  engine.post(id, messages::ReturnTo{train::SnapshotId{1}});
  EXPECT_EQ(listener.wait_for<events::OptimizerSet>(2).settings.find("momentum")->as_real(), 0);
}

TEST(SetSchedule, HoldsFromTheNextStep) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(quadratic_spec());
  engine.post(id, messages::Run{2});
  listener.wait_for<events::Paused>();
  engine.post(id, messages::SetSchedule{optim::schedule_named("step", {{"period", 2}, {"gamma", 0.5}})});
  EXPECT_EQ(listener.wait_for<events::ScheduleSet>().schedule.kind, "step");
  engine.post(id, messages::Run{3});
  std::vector<double> rates;
  for (int step = 1; step <= 5; ++step) rates.push_back(listener.wait_for<events::StepDone>(step).learning_rate);
  EXPECT_EQ(rates, (std::vector<double>{0.1, 0.1, 0.05, 0.05, 0.025}));  // the count of updates goes on
}

TEST(SetSchedule, RefusesWhatTheCourseCannotFollow) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(quadratic_spec());
  engine.post(id, messages::SetSchedule{{"plateau", {}}});
  EXPECT_NE(listener.wait_for<events::Failed>().error.given.find("without validation"), std::string::npos);
  engine.post(id, messages::SetSchedule{{"cosine", {}}});
  EXPECT_EQ(listener.wait_for<events::Failed>(2).error.code, ErrorCode::missing_attribute);
  engine.post(id, messages::Run{1});
  EXPECT_EQ(listener.wait_for<events::StepDone>().learning_rate, 0.1);
}

// A checkpoint holds what was set, and a training that is made as before goes on with it.
TEST(SetWhileTraining, TravelsInCheckpoints) {
  const std::string folder = testing::TempDir() + "/set_while_training";
  std::filesystem::remove_all(folder);
  train::TrainingSpec spec = quadratic_spec();
  spec.course.saving.folder = folder;
  const auto last_losses = [&](bool resume, const std::vector<train::Message>& said) {
    Listener listener;
    train::TrainingSpec mine = spec;
    mine.resume = resume;
    train::Engine engine(listener.sink());
    const train::TrainingId id = engine.add(std::move(mine));
    for (const train::Message& message : said) engine.post(id, message);
    listener.wait_for<events::Paused>();
    std::vector<std::pair<double, double>> figures;
    for (int step = 1; step <= 4; ++step) {
      const auto done = listener.wait_for<events::StepDone>(step);
      figures.emplace_back(done.loss, done.learning_rate);
    }
    return figures;
  };
  const messages::SetOptimizer quicker = {{{"momentum", 0.9}}};
  const messages::SetSchedule falling = {optim::schedule_named("exponential", {{"gamma", 0.9}})};
  const auto whole = last_losses(false, {quicker, falling, messages::Save{}, messages::Run{4}});
  const auto resumed = last_losses(true, {messages::Run{4}});
  EXPECT_EQ(whole, resumed);
  std::filesystem::remove_all(folder);
}

TEST(SetWhileTraining, GoesIntoABranch) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(quadratic_spec());
  engine.post(id, messages::SetOptimizer{{{"momentum", 0.9}}});
  engine.post(id, messages::SetSchedule{optim::schedule_named("exponential", {{"gamma", 0.9}})});
  engine.post(id, messages::Run{2});
  listener.wait_for<events::Paused>();
  engine.post(id, messages::Branch{""});
  const train::TrainingId branch = listener.wait_for<events::Branched>().branch;
  engine.post(id, messages::Run{1});
  listener.wait_for<events::Paused>(2);
  engine.post(branch, messages::Run{1});
  listener.wait_for<events::Paused>(3);
  const auto origin = listener.wait_for<events::StepDone>(3);
  const auto copy = listener.wait_for<events::StepDone>(4);
  EXPECT_EQ(origin.loss, copy.loss);
  EXPECT_EQ(origin.learning_rate, copy.learning_rate);
}

}  // namespace
}  // namespace asg::test
