// Evaluations: metrics by name, the means of weights, and how both reach the course of a training.
#include "asg/train/evaluation.h"

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/train/engine.h"
#include "train/models.h"

namespace asg::train {
namespace {

TEST(Evaluation, MeasuresTheMetricsAskedFor) {
  Trainer trainer = test::small_trainer();
  for (int step = 0; step < 5; ++step) trainer.step(test::small_data());
  const EvaluationOptions options{.batch_size = 5,
                                  .metrics = {"accuracy", R"({"name": "f1", "average": "micro"})", "perplexity"}};
  const Evaluation result = trainer.evaluate(test::small_data(), options);
  ASSERT_EQ(result.metrics.size(), 3U);
  ASSERT_TRUE(result.accuracy.has_value());
  EXPECT_DOUBLE_EQ(result.metrics.at("accuracy"), *result.accuracy);
  EXPECT_DOUBLE_EQ(result.metrics.at("f1"), *result.accuracy);  // micro-averaged, they are the same figure
  EXPECT_NEAR(result.metrics.at("perplexity"), std::exp(result.loss), 1e-5);
  EXPECT_EQ(figures_of(result).size(), 4U);
}

TEST(Evaluation, TakesTheOnlyOutputBesideTheLossForPredictions) {
  const auto line = [](bool more) {
    Graph graph("line");
    const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 2}});
    const Tensor y = graph.input("labels", {DType::f32, {Dim::symbol("batch"), 1}});
    const Tensor guess = nn::linear(x, 1, {.name = "line"});
    graph.set_output("guess", guess);
    if (more) graph.set_output("twice", guess + guess);
    graph.set_output("loss", loss::mean_squared_error(guess, y));
    return Trainer(std::move(graph), std::make_shared<Interpreter>());
  };
  const data::Dataset data = data::make_dataset("points", Array::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}),
                                                Array::of<float>({3, 1}, {1, 0, -1}), 0);
  const Evaluation result = line(false).evaluate(data, {.metrics = {"mse"}});
  EXPECT_NEAR(result.metrics.at("mse"), result.loss, 1e-6 * result.loss);
  EXPECT_THROW(line(true).evaluate(data, {.metrics = {"mse"}}), UserError);
}

TEST(Evaluation, RefusesMetricsThatDoNotExistOrComeTwice) {
  EXPECT_THROW(metrics_of({"f2"}), UserError);
  EXPECT_THROW(metrics_of({"f1", R"({"name": "f1", "average": "micro"})"}), UserError);
  EXPECT_THROW(check_course({.metrics = {"f2"}}), UserError);
}

// As if the means were the weights, and the weights are as they were after it.
TEST(Evaluation, OfTheMeansLeavesTheWeightsAlone) {
  const std::vector<std::shared_ptr<Backend>> backends = {std::make_shared<Interpreter>(),
                                                          std::make_shared<CpuBackend>(1)};
  for (const auto& backend : backends) {
    TrainerOptions options{.optimizer = optim::Optimizer::adam(0.05)};
    options.optimizer.ema = {.decay = 0.8};
    Trainer trainer(test::small_classifier(), backend, options);
    for (int step = 0; step < 6; ++step) trainer.step(test::small_data());
    const TrainingState before = trainer.state();
    const Evaluation plain = trainer.evaluate(test::small_data());
    const Evaluation mean = trainer.evaluate(test::small_data(), {.mean = true});
    EXPECT_THROW(trainer.evaluate(data::synthetic(4, {5}, 3, 1), {.mean = true}), UserError);
    EXPECT_EQ(trainer.evaluate(test::small_data()).loss, plain.loss);
    EXPECT_NE(mean.loss, plain.loss);

    TrainingState state = trainer.state();
    for (const auto& [id, value] : before.variables) EXPECT_TRUE(bit_equal(value, state.variables.at(id)));
    for (const auto& [key, value] : before.optimizer) {
      EXPECT_TRUE(bit_equal(value, state.optimizer.at(key))) << key.slot;
      if (key.slot == optim::kEmaSlot) state.variables[key.parameter] = value;
    }
    Trainer other(test::small_classifier(), backend, options);
    other.set_state(state);
    EXPECT_EQ(other.evaluate(test::small_data()).loss, mean.loss);
  }
  EXPECT_THROW(test::small_trainer().evaluate(test::small_data(), {.mean = true}), UserError);
}

TrainingSpec spec_with(Course course) {
  TrainingSpec spec;
  spec.model = test::small_classifier();
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = [](std::int64_t) { return test::small_batch(); };
  spec.datasets = {{"held_out", test::small_data()}};
  spec.course = std::move(course);
  return spec;
}

TEST(Course, TellsItsMetrics) {
  Course course{.steps = 4, .validate = "held_out", .validate_every = 2, .metrics = {"f1"}, .evaluate_mean = true};
  course.early_stopping = {.patience = 9, .metric = "f1", .mode = BestBy::Mode::max};
  EXPECT_THROW(run_training(spec_with(course)), UserError);  // no means are kept
  TrainingSpec spec = spec_with(course);
  spec.options.optimizer.ema = {.decay = 0.5};
  std::vector<Evaluation> told;
  const auto sink = [&](const Event& event) {
    if (const auto* each = std::get_if<events::Evaluated>(&event)) told.push_back(each->result);
    return true;
  };
  Evaluation last;
  const TrainingResult result = run_training(std::move(spec), sink, [&](Trainer& trainer) {
    last = trainer.evaluate(test::small_data(), {.metrics = {"f1"}, .mean = true});
  });
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[1].loss, last.loss);
  EXPECT_EQ(told[1].metrics, last.metrics);
  EXPECT_EQ(result.metrics, figures_of(last));
  EXPECT_EQ(result.metrics.count("f1"), 1U);
}

}  // namespace
}  // namespace asg::train
