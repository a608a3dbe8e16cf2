#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "asg/metrics/confusion.h"
#include "asg/metrics/metric.h"
#include "asg/metrics/running.h"

namespace asg::metrics {
namespace {

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

Array reals(Sizes sizes, std::vector<double> values) { return Array::of<double>(std::move(sizes), values); }
Array ints(std::vector<std::int64_t> values) { return Array::ints(values); }

ErrorDetail error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "no error";
  return {};
}

struct Mistake {
  const char* name;
  std::function<void()> make;
  ErrorCode code;
  const char* given;
  const char* needed;
};

TEST(Metrics, RefuseMistakesWithWords) {
  const auto feed = [](const char* name, Settings settings, const Array& predictions, const Array& targets) {
    return [=] { make_metric(name, settings)->add(predictions, targets); };
  };
  const Array scores = reals({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<Mistake> rows = {
      {"unknown", [] { make_metric("acuracy"); }, ErrorCode::unknown_attribute, "'acuracy'", "name of a metric"},
      {"setting", [] { make_metric("f1", {{"avrage", std::string("macro")}}); }, ErrorCode::unknown_attribute,
       "'avrage'", "setting"},
      {"word", [] { make_metric("f1", {{"average", std::string("mean")}}); }, ErrorCode::bad_attribute, "\"mean\"",
       "\"micro\""},
      {"type", [] { make_metric("top_k_accuracy", {{"k", 2.5}}); }, ErrorCode::bad_attribute, "2.5", "an integer"},
      {"range", [] { make_metric("ema", {{"decay", 1.0}}); }, ErrorCode::bad_attribute, "decay = 1", "at least 0"},
      {"infinite", [] { make_metric("ema", {{"decay", kNan}}); }, ErrorCode::bad_attribute, "nan", "a number"},
      {"json", [] { metric_from_json("{\"average\": \"macro\"}"); }, ErrorCode::bad_json, "average", "a name"},
      {"no json", [] { metric_from_json("{"); }, ErrorCode::bad_json, "'{'", "a name"},
      {"json value", [] { metric_from_json(R"({"name": "f1", "average": [1]})"); }, ErrorCode::bad_json, "array",
       "a number"},
      {"class", feed("accuracy", {}, scores, ints({0, 3})), ErrorCode::bad_index, "class 3 of example 1",
       "from 0 to 2"},
      {"negative", feed("f1", {}, ints({0, -1}), ints({0, 1})), ErrorCode::bad_index, "predicted class -1", "from 0"},
      {"topk class", feed("top_k_accuracy", {}, scores, ints({0, 9})), ErrorCode::bad_index, "class 9", "from 0 to 2"},
      {"auc class", feed("roc_auc", {}, reals({2}, {0.1, 0.2}), ints({0, 2})), ErrorCode::bad_index, "class 2",
       "from 0 to 1"},
      {"half", feed("accuracy", {}, scores, reals({2}, {0, 1.5})), ErrorCode::type_mismatch, "1.5",
       "number of a class"},
      {"shape", feed("accuracy", {}, scores, ints({0, 1, 2})), ErrorCode::bad_shape, "f64[2, 3]", "same sizes"},
      {"axis", feed("accuracy", {{"axis", std::int64_t{5}}}, scores, ints({0, 1})), ErrorCode::bad_index, "axis 5",
       "axis"},
      {"no classes", feed("accuracy", {}, Array(DType::f32, {2, 0}), ints({0, 1})), ErrorCode::bad_shape, "[2, 0]",
       "classes"},
      {"class count", feed("accuracy", {{"classes", std::int64_t{4}}}, scores, ints({0, 1})), ErrorCode::bad_shape,
       "4 classes", "scores"},
      {"top-k of classes", feed("top_k_accuracy", {}, ints({0, 1}), ints({0, 1})), ErrorCode::bad_shape, "i64[2]",
       "a score for each class"},
      {"large matrix", feed("confusion_matrix", {}, Array(DType::f32, {1, 5000}), ints({0})), ErrorCode::limit_exceeded,
       "5000", "4096"},
      {"regression", feed("mse", {}, reals({2, 1}, {1, 2}), reals({2}, {1, 2})), ErrorCode::bad_shape, "f64[2, 1]",
       "the same sizes"},
      {"values", [] { make_metric("accuracy")->add(ints({1})); }, ErrorCode::wrong_input_count, "one array", "targets"},
      {"pairs", feed("ema", {}, ints({1}), ints({1})), ErrorCode::wrong_input_count, "two arrays", "values alone"},
      {"weight", feed("mean", {}, reals({1}, {1}), reals({1}, {-2})), ErrorCode::computation_error, "-2", "at least 0"},
      {"nan", feed("mse", {{"nan", std::string("refuse")}}, reals({2}, {1, kNan}), reals({2}, {1, 2})),
       ErrorCode::computation_error, "example 1", "numbers"},
      {"empty", [] { make_metric("accuracy")->value(); }, ErrorCode::missing_value, "no examples", "at least one"},
      {"one class",
       [] {
         const auto m = make_metric("roc_auc");
         m->add(reals({2}, {0.1, 0.4}), ints({1, 1}));
         m->value();
       },
       ErrorCode::missing_value, "2 examples of 2", "one of another"},
      {"one example",
       [] {
         const auto m = make_metric("r2");
         m->add(reals({1}, {1}), reals({1}, {1}));
         m->value();
       },
       ErrorCode::missing_value, "1 example", "at least 2"},
      {"merge", [] { make_metric("mse")->merge(*make_metric("mae")); }, ErrorCode::type_mismatch, "'mae'",
       "same metric"},
      {"merge settings", [] { make_metric("ema")->merge(*make_metric("ema", {{"decay", 0.5}})); },
       ErrorCode::type_mismatch, "'ema'", "same settings"},
  };
  for (const Mistake& row : rows) {
    const ErrorDetail error = error_of(row.make);
    EXPECT_EQ(name_of(error.code), name_of(row.code)) << row.name;
    EXPECT_NE(error.given.find(row.given), std::string::npos) << row.name << ": " << error.given;
    EXPECT_NE(error.needed.find(row.needed), std::string::npos) << row.name << ": " << error.needed;
  }
  EXPECT_NE(error_of([] { make_metric("acuracy"); }).mend.find("'accuracy'"), std::string::npos);
}

TEST(Metrics, ABatchThatIsRefusedChangesNothing) {
  const auto metric = make_metric("f1");
  metric->add(ints({0, 1, 1}), ints({0, 1, 0}));
  const double before = metric->value();
  EXPECT_THROW(metric->add(ints({0, 1, -7}), ints({0, 0, 0})), UserError);
  EXPECT_EQ(metric->value(), before);
  EXPECT_EQ(metric->count(), 3);
}

struct NanRow {
  const char* metric;
  Array first, second;
  double without;  // the value where the example with NaN is left out
};

TEST(Metrics, TreatNanAsTheyAreTold) {
  const std::vector<NanRow> rows = {
      {"accuracy", reals({3, 2}, {1, 0, kNan, 1, 0, 1}), ints({0, 1, 0}), 0.5},
      {"top_k_accuracy", reals({2, 2}, {1, 0, kNan, 1}), ints({0, 1}), 1},
      {"f1", reals({3}, {0.9, kNan, 0.1}), reals({3}, {1, 1, 0}), 1},
      {"roc_auc", reals({3}, {0.9, kNan, 0.1}), ints({1, 1, 0}), 1},
      {"mse", reals({3}, {1, 2, 3}), reals({3}, {1, kNan, 5}), 2},
      {"perplexity", reals({2, 2}, {0, 0, kNan, 1}), ints({0, 1}), 2},
      {"mean", reals({3}, {1, kNan, 3}), reals({3}, {1, 1, 1}), 2},
  };
  for (const NanRow& row : rows) {
    const auto poisoned = make_metric(row.metric);
    poisoned->add(row.first, row.second);
    EXPECT_TRUE(std::isnan(poisoned->value())) << row.metric;
    for (const Figure& figure : poisoned->values()) EXPECT_TRUE(std::isnan(figure.value)) << figure.name;
    poisoned->reset();
    EXPECT_THROW(poisoned->value(), UserError) << row.metric;
    const auto skipping = make_metric(row.metric, {{"nan", std::string("skip")}});
    skipping->add(row.first, row.second);
    EXPECT_NEAR(skipping->value(), row.without, 1e-12) << row.metric;
    EXPECT_EQ(skipping->skipped(), 1) << row.metric;
  }
}

TEST(Metrics, TakeScoresInSeveralForms) {
  const auto value = [](Settings settings, const Array& predictions, const Array& targets) {
    const auto metric = make_metric("accuracy", std::move(settings));
    metric->add(predictions, targets);
    return metric->value();
  };
  EXPECT_EQ(value({}, reals({2, 1}, {0.7, 0.2}), ints({1, 1})), 0.5);  // one score an example
  EXPECT_EQ(value({}, reals({2, 2}, {1, 1, 0, 1}), ints({0, 1})), 1);  // the first of equal scores
  EXPECT_EQ(value({}, reals({1, 2, 2}, {1, 0, 0, 1}), Array::of<std::int64_t>({1, 2}, {0, 0})), 0.5);
  EXPECT_EQ(value({{"axis", std::int64_t{1}}}, reals({1, 2, 3}, {5, 5, 0, 0, 0, 5}),
                  Array::of<std::int64_t>({1, 3}, {0, 0, 1})),
            1);
  EXPECT_EQ(value({}, Array::of<bool>({2}, std::vector<bool>{true, false}),
                  Array::of<bool>({2}, std::vector<bool>{true, true})),
            0.5);
  EXPECT_EQ(value({}, reals({2, 2}, {-kInfinity, 0, 3, 2}).cast(DType::f32), ints({1, 0})), 1);
  EXPECT_EQ(value({{"ignore_index", std::int64_t{-100}}}, reals({2, 2}, {1, 0, 1, 0}), ints({0, -100})), 1);
  const auto f16 = reals({2, 2}, {1, 0, 0, 1}).cast(DType::f16);
  EXPECT_EQ(value({}, f16, ints({0, 1}).cast(DType::u8)), 1);
}

// Of equal scores the earlier class comes first, as in accuracy.
TEST(Metrics, TopKCountsTiesInTheOrderOfClasses) {
  struct Row {
    std::int64_t target;
    std::int64_t k;
    double value;
  };
  // The classes in order: 2, then 0, 1 and 3, which are equal, then 4.
  const Array scores = reals({1, 5}, {0.5, 0.5, 0.9, 0.5, 0.1});
  const Row rows[] = {{2, 1, 1}, {0, 1, 0}, {0, 2, 1}, {1, 2, 0}, {1, 3, 1},
                      {3, 3, 0}, {3, 4, 1}, {4, 4, 0}, {4, 5, 1}};
  for (const Row& row : rows) {
    const auto metric = make_metric("top_k_accuracy", {{"k", row.k}});
    metric->add(scores, ints({row.target}));
    EXPECT_EQ(metric->value(), row.value) << "class " << row.target << " in the first " << row.k;
  }
}

TEST(Metrics, EmptyBatchesCountNothing) {
  for (const MetricInfo& info : all_metrics()) {
    const auto metric = make_metric(info.name);
    if (info.name == "ema") {
      metric->add(Array(DType::f32, {0}));
    } else if (info.name == "top_k_accuracy" || info.name == "perplexity") {
      metric->add(Array(DType::f32, {0, 3}), Array(DType::i64, {0}));
    } else {
      metric->add(Array(DType::f32, {0}), Array(DType::f32, {0}));
    }
    EXPECT_EQ(metric->count(), 0) << info.name;
    EXPECT_THROW(metric->value(), UserError) << info.name;
  }
}

TEST(Metrics, RowsWiderThanABlockAreReadWhole) {
  constexpr std::int64_t kClasses = 200'000;
  Array scores(DType::f32, {2, kClasses});
  scores.set(kClasses - 1, 5);
  scores.set(kClasses + 17, 5);
  const auto metric = make_metric("accuracy");
  metric->add(scores, ints({kClasses - 1, 17}));
  EXPECT_EQ(metric->value(), 1);
  const auto perplexity = make_metric("perplexity");
  perplexity->add(Array(DType::f32, {3, kClasses}), ints({0, 1, 2}));
  EXPECT_NEAR(perplexity->value(), 200'000, 1e-4);
}

TEST(RunningStatistics, SurviveFarMeansAndMerge) {
  RunningStatistics whole;
  RunningStatistics halves[2];
  for (int k = 0; k < 1000; ++k) {
    const double value = 1e9 + k % 10;
    whole.add(value);
    halves[k / 500].add(value);
  }
  EXPECT_NEAR(whole.variance(), 8.25, 1e-6);  // a sum of squares would be wrong by hundreds
  halves[0].merge(halves[1]);
  EXPECT_NEAR(halves[0].variance(), 8.25, 1e-6);
  EXPECT_NEAR(halves[0].mean(), 1e9 + 4.5, 1e-6);
  EXPECT_EQ(halves[0].min(), 1e9);
  EXPECT_EQ(halves[0].max(), 1e9 + 9);
  EXPECT_TRUE(std::isnan(RunningStatistics().variance()));
  whole.add(kNan);
  EXPECT_TRUE(std::isnan(whole.mean()) && std::isnan(whole.min()) && std::isnan(whole.max()));
}

TEST(MovingAverage, MergesAsIfValuesHadFollowed) {
  MovingAverage whole(0.8), left(0.8), right(0.8);
  for (int k = 0; k < 20; ++k) {
    whole.add(k * k);
    (k < 12 ? left : right).add(k * k);
  }
  left.merge(right);
  EXPECT_NEAR(left.value(), whole.value(), 1e-10);
  EXPECT_TRUE(std::isnan(MovingAverage().value()));
}

TEST(ConfusionMatrix, IsWrittenForPeopleAndRead) {
  const auto metric = make_metric("confusion_matrix", {{"classes", std::int64_t{3}}});
  metric->add(ints({0, 0, 1, 2, 2, 0}), ints({0, 0, 1, 1, 2, 2}));
  ASSERT_NE(metric->confusion(), nullptr);
  const ConfusionMatrix& matrix = *metric->confusion();
  EXPECT_EQ(matrix.at(1, 2), 1);
  EXPECT_NEAR(matrix.accuracy(), 4.0 / 6, 1e-15);
  const std::vector<std::string> names = {"cat", "dög", "a \"b\", c"};
  EXPECT_EQ(matrix.table(names),
            "actual\\predicted     cat      dög  a \"b\", c   recall\n"
            "cat                    2        0         0  100.0 %\n"
            "dög                    0        1         1   50.0 %\n"
            "a \"b\", c               1        0         1   50.0 %\n"
            "precision         66.7 %  100.0 %    50.0 %\n");
  EXPECT_EQ(matrix.csv(), "actual\\predicted,0,1,2\n0,2,0,0\n1,0,1,1\n2,1,0,1\n");
  const NamedConfusion back = confusion_from_csv(matrix.csv(names));
  EXPECT_EQ(back.names, names);
  EXPECT_EQ(back.matrix.csv(), matrix.csv());
  EXPECT_THROW(matrix.table(std::vector<std::string>{"one"}), UserError);
  EXPECT_THROW(matrix.at(0, 3), UserError);
  for (const char* text : {"", "step,time\n", "actual\\predicted,a,b\na,1\n", "actual\\predicted,a\na,x\n",
                           "actual\\predicted,a\na,99999999999999999999\n", "actual\\predicted,a,b\na,1,2\n"}) {
    EXPECT_EQ(error_of([&] { confusion_from_csv(text); }).code, ErrorCode::io_error) << text;
  }
}

}  // namespace
}  // namespace asg::metrics
