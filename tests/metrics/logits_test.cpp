// Scores before softmax or sigmoid, and figures at the edges.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/metrics/confusion.h"
#include "asg/metrics/metric.h"

namespace asg::metrics {
namespace {

const Settings kLogits = {{"input", std::string("logits")}};
constexpr double kEndless = std::numeric_limits<double>::infinity();

Array scores_in(Sizes sizes, const std::vector<double>& values) { return Array::of<double>(std::move(sizes), values); }

double value_of(const char* name, const Settings& settings, const Array& scores, const Array& targets) {
  const auto metric = make_metric(name, settings);
  metric->add(scores, targets);
  return metric->value();
}

struct AreaRow {
  const char* name;
  Sizes sizes;
  std::vector<double> logits;
  std::vector<std::int64_t> targets;
  double area;  // scikit-learn 1.2.1: roc_auc_score of the softmax, one against the rest
};

// What a model says is the difference of its scores: what they have in common differs from example to example.
TEST(RocAuc, OfLogitsIsThatOfTheirSoftmax) {
  const std::vector<AreaRow> rows = {
      {"two", {4, 2}, {10, 9, 8, 7, 0, 5, 1, 3}, {0, 0, 1, 1}, 1},
      {"three",
       {7, 3},
       {9, 8, 7, 1, 0, 0.5, 4, 6, 5, 0, 1, 0.5, 2, 2.5, 4, -3, -4, -2.5, 8, 9, 8.5},
       {0, 0, 1, 1, 2, 2, 0},
       0.9416666666666668},
      {"one", {4, 1}, {-3, 2, 1, 4}, {0, 0, 1, 1}, 0.75},
      // Probabilities would round to 0 and 1 here, and be alike.
      {"far", {4, 2}, {0, 50, 0, 60, 0, 70, 0, 80}, {0, 0, 1, 1}, 1},
      {"far of three", {4, 3}, {50, 0, 0, 60, 0, 0, 70, 0, 1, 0, 80, 0}, {1, 0, 0, 2}, 5.0 / 9},
  };
  for (const AreaRow& row : rows) {
    const Array scores = scores_in(row.sizes, row.logits);
    EXPECT_NEAR(value_of("roc_auc", kLogits, scores, Array::ints(row.targets)), row.area, 1e-12) << row.name;
  }
  // By the plain scores of class 1 the first would be 0.
  EXPECT_EQ(value_of("roc_auc", {}, scores_in({4, 2}, rows[0].logits), Array::ints(rows[0].targets)), 0);
}

TEST(RocAuc, OfLogitsWithoutASoftmaxIsNan) {
  for (const double each : {kEndless, -kEndless}) {
    const Array two = scores_in({3, 2}, {each, each, 0, 1, 1, 0});
    const Array three = scores_in({3, 3}, {each, each, each, 0, 1, 1, 1, 0, 0});
    EXPECT_TRUE(std::isnan(value_of("roc_auc", kLogits, two, Array::ints({0, 1, 0}))));
    EXPECT_TRUE(std::isnan(value_of("roc_auc", kLogits, three, Array::ints({0, 1, 2}))));
  }
}

TEST(RocAuc, MayBeMergedIntoItself) {
  const auto metric = make_metric("roc_auc");
  metric->add(scores_in({5}, {0.1, 0.4, 0.35, 0.8, 0.2}), Array::ints({0, 0, 1, 1, 0}));
  const double before = metric->value();
  metric->merge(*metric);
  EXPECT_EQ(metric->count(), 10);
  EXPECT_EQ(metric->value(), before);
}

// One logit is of class 1 above 0, one probability above a half; a threshold that is told counts as it is.
TEST(ClassMetrics, TakeOneScoreForWhatItIs) {
  const Array scores = scores_in({4}, {-0.2, 0.2, 0.4, 3});
  const Array targets = Array::ints({0, 1, 1, 1});
  Settings told = kLogits;
  told["threshold"] = 0.3;
  for (const char* name : {"accuracy", "f1", "precision", "recall", "confusion_matrix"}) {
    EXPECT_EQ(value_of(name, kLogits, scores, targets), 1) << name;
    EXPECT_LT(value_of(name, {}, scores, targets), 1) << name;
  }
  EXPECT_EQ(value_of("accuracy", {}, scores, targets), 0.5);
  EXPECT_EQ(value_of("accuracy", told, scores, targets), 0.75);
  EXPECT_EQ(value_of("accuracy", kLogits, scores_in({4, 1}, {-0.2, 0.2, 0.4, 3}), targets), 1);
}

TEST(ClassMetrics, OfAPositiveClassThatNeverCameAre0) {
  const Settings binary = {{"average", std::string("binary")}};
  for (const char* name : {"f1", "precision", "recall"}) {
    EXPECT_EQ(value_of(name, binary, Array::ints({0, 0}), Array::ints({0, 0})), 0) << name;
    // Where it is told how many there are, one beyond them is a mistake.
    Settings beyond = binary;
    beyond["positive"] = std::int64_t{3};
    EXPECT_THROW(value_of(name, beyond, scores_in({1, 3}, {1, 2, 3}), Array::ints({0})), UserError) << name;
  }
}

TEST(Perplexity, OfLogitsWithoutASoftmaxIsNan) {
  const Array nothing = scores_in({1, 3}, {-kEndless, -kEndless, -kEndless});
  EXPECT_TRUE(std::isnan(value_of("perplexity", {}, nothing, Array::ints({0}))));
  EXPECT_EQ(value_of("perplexity", {}, scores_in({1, 2}, {0, -kEndless}), Array::ints({0})), 1);
}

TEST(MetricFromJson, TakesSettingsOfWhichTheDescriptionSaysNothing) {
  EXPECT_EQ(metric_from_json(R"("roc_auc")", kLogits)->settings().at("input"), Setting(std::string("logits")));
  EXPECT_EQ(metric_from_json(R"({"name": "f1", "input": "probabilities"})", kLogits)->settings().at("input"),
            Setting(std::string("probabilities")));
  EXPECT_FALSE(metric_from_json(R"("mse")", kLogits)->settings().contains("input"));
}

TEST(ConfusionMatrix, ReadsCountsOfAsManyDigitsAsItSays) {
  const std::string before = "actual\\predicted,a\na,";
  EXPECT_EQ(confusion_from_csv(before + "999999999999999\n").matrix.at(0, 0), 999'999'999'999'999);
  try {
    confusion_from_csv(before + "1000000000000000\n");
    ADD_FAILURE() << "a count of 16 digits";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::io_error);
    EXPECT_EQ(error.detail().needed, "a count of at most 15 digits");
  }
}

TEST(ConfusionMatrix, RefusesRowsThatAreNotThoseOfTheColumns) {
  EXPECT_EQ(confusion_from_csv("actual\\predicted,a,b\na,1,2\nb,3,4\n\n").matrix.at(1, 0), 3);
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"actual\\predicted,a,b\nb,1,2\na,3,4\n", "the row 'b' on line 2"},
      {"actual\\predicted,a,b\na,1,2\nb,3,4\nc,5,6\n", "a row more on line 4"},
  };
  for (const auto& [text, words] : rows) {
    try {
      confusion_from_csv(text);
      ADD_FAILURE() << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::io_error);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace asg::metrics
