// What an evaluation makes of logits, of metrics without a value, and of metrics that do not fit.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "asg/core/log.h"
#include "train/models.h"

namespace asg::train {
namespace {

// Logits x · w of given weights, which nobody has trained: [batch, outputs], or [batch] for no outputs.
Graph given_scores(std::int64_t inputs, std::int64_t outputs, const std::vector<float>& weights) {
  Graph graph("given");
  const Dim batch = Dim::symbol("batch");
  const Tensor x = graph.input("features", {DType::f32, {batch, inputs}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const std::int64_t width = std::max<std::int64_t>(outputs, 1);
  const Tensor w = graph.parameter("w", {DType::f32, {inputs, width}},
                                   Initializer::given(Array::of<float>({inputs, width}, weights)));
  const Tensor logits = mat_mul(x, w);
  const Tensor flat = width == 1 ? squeeze(logits, {1}) : logits;
  graph.set_output("logits", outputs == 0 ? flat : logits);
  graph.set_output("loss", width == 1 ? loss::binary_cross_entropy_with_logits(flat, cast(labels, DType::f32))
                                      : loss::cross_entropy(logits, labels));
  return graph;
}

data::Dataset points(const std::vector<float>& features, const std::vector<std::int64_t>& labels,
                     std::int64_t classes) {
  const auto count = static_cast<std::int64_t>(labels.size());
  const auto width = static_cast<std::int64_t>(features.size()) / count;
  return data::make_dataset("points", Array::of<float>({count, width}, features), Array::ints(labels), classes);
}

TEST(Evaluation, OfOneLogitDecidesAt0) {
  const data::Dataset data = points({-0.1F, 0.2F, 0.3F, -4, 5}, {0, 1, 1, 0, 0}, 2);
  for (const std::int64_t outputs : {0, 1}) {
    Trainer trainer(given_scores(1, outputs, {1}), std::make_shared<Interpreter>());
    const Evaluation result = trainer.evaluate(data, {.batch_size = 2, .metrics = {"accuracy", "recall", "roc_auc"}});
    ASSERT_TRUE(result.accuracy.has_value());
    EXPECT_DOUBLE_EQ(*result.accuracy, 0.8) << outputs;
    EXPECT_DOUBLE_EQ(result.metrics.at("accuracy"), 0.8) << outputs;
    EXPECT_DOUBLE_EQ(result.metrics.at("recall"), (1 + 2.0 / 3) / 2) << outputs;
    EXPECT_DOUBLE_EQ(result.metrics.at("roc_auc"), 4.0 / 6) << outputs;
  }
}

// The output that classifies is taken for logits, unless the description says otherwise.
TEST(Evaluation, RanksLogitsByTheirSoftmax) {
  const data::Dataset data = points({10, 9, 8, 7, 0, 5, 1, 3}, {0, 0, 1, 1}, 2);
  Trainer trainer(given_scores(2, 2, {1, 0, 0, 1}), std::make_shared<Interpreter>());
  EXPECT_EQ(trainer.evaluate(data, {.metrics = {"roc_auc"}}).metrics.at("roc_auc"), 1);
  const std::string plain = R"({"name": "roc_auc", "input": "probabilities"})";
  EXPECT_EQ(trainer.evaluate(data, {.metrics = {plain}}).metrics.at("roc_auc"), 0);
}

TEST(Evaluation, TellsMetricsWithoutAValueAsNanAndWarnsOnce) {
  std::vector<std::string> told;
  set_log_sink([&](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) told.emplace_back(message);
  });
  const data::Dataset data = points({1, 0, 0, 1, 2, 0}, {0, 0, 0}, 2);
  Trainer trainer(given_scores(2, 2, {1, 0, 0, 1}), std::make_shared<Interpreter>());
  for (int time = 0; time < 3; ++time) {
    const Evaluation result = trainer.evaluate(data, {.metrics = {"roc_auc", "f1"}});
    EXPECT_TRUE(std::isnan(result.metrics.at("roc_auc")));
    EXPECT_GT(result.metrics.at("f1"), 0);
  }
  set_log_sink({});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("'roc_auc' has no value and is told as NaN"), std::string::npos) << told[0];
}

TEST(CheckMetrics, FindsWhatDoesNotFitWithoutAStep) {
  const data::Dataset data = points({1, 0, 0, 1}, {0, 1}, 2);
  const Graph model = given_scores(2, 2, {1, 0, 0, 1});
  const TrainerOptions options;
  EXPECT_NO_THROW(check_metrics({"f1", "roc_auc", "perplexity", "top_k_accuracy"}, model, options, data));
  EXPECT_NO_THROW(check_metrics({"f1", "roc_auc"}, given_scores(2, 1, {1, 1}), options, data));
  EXPECT_NO_THROW(check_metrics({"f1", "perplexity"}, test::small_classifier(), options, test::small_data()));
  EXPECT_NO_THROW(check_metrics({}, model, options, data));
  for (const char* unfit : {"mse", "ema", R"({"name": "f1", "classes": 3})"}) {
    try {
      check_metrics({"accuracy", unfit}, model, options, data);
      ADD_FAILURE() << unfit;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("of the output 'logits'"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace asg::train
