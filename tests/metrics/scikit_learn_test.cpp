#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/metrics/metric.h"

// The file holds what scikit-learn and NumPy computed; tools/peers/metrics.py writes and `make peers` checks it.
namespace asg::metrics {
namespace {

using Json = nlohmann::json;

std::vector<Json> cases() {
  std::istringstream lines(platform::read_file(ASG_SOURCE_DIR "/tests/metrics/scikit_learn.jsonl"));
  std::vector<Json> result;
  for (std::string line; std::getline(lines, line);) result.push_back(Json::parse(line));
  return result;
}

Array array_of(const Json& form) {
  const auto sizes = form.at("sizes").get<Sizes>();
  if (form.at("dtype") == "f64") return Array::of<double>(sizes, form.at("values").get<std::vector<double>>());
  return Array::of<std::int64_t>(sizes, form.at("values").get<std::vector<std::int64_t>>());
}

std::unique_ptr<Metric> metric_of(const Json& row) {
  Json form = row.at("settings");
  form["name"] = row.at("metric");
  return metric_from_json(form.dump());
}

void add(Metric& metric, const std::vector<Array>& inputs, std::int64_t first, std::int64_t count) {
  std::vector<Array> part;
  for (const Array& input : inputs) part.push_back(input.sliced(0, first, count, 1));
  if (part.size() == 1) {
    metric.add(part[0]);
  } else {
    metric.add(part[0], part[1]);
  }
}

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 1e-11 * std::max(1.0, std::abs(expected))) << what;
}

void expect_figures(const Metric& metric, const Json& row, const std::string& what) {
  const std::vector<Figure> figures = metric.values();
  ASSERT_FALSE(figures.empty());
  EXPECT_EQ(figures[0].name, metric.info().name);
  EXPECT_EQ(figures[0].value, metric.value());
  expect_near(metric.value(), row.at("value"), what);
  std::map<std::string, double> named;
  for (const Figure& figure : figures) named[figure.name] = figure.value;
  for (const auto& [name, value] : row.at("more").items()) {
    ASSERT_TRUE(named.count(name)) << name;
    expect_near(named[name], value, what + " " + name);
  }
}

TEST(Metrics, AgreeWithScikitLearnHoweverTheExamplesAreCut) {
  const std::vector<Json> rows = cases();
  ASSERT_GT(rows.size(), 80u);
  std::map<std::string, int> seen;
  for (const Json& row : rows) {
    const std::string what = row.at("metric").get<std::string>() + row.at("settings").dump();
    ++seen[row.at("metric")];
    std::vector<Array> inputs;
    for (const Json& input : row.at("inputs")) inputs.push_back(array_of(input));
    const std::int64_t examples = inputs[0].sizes()[0];

    const auto whole = metric_of(row);
    add(*whole, inputs, 0, examples);
    expect_figures(*whole, row, what + " in one batch");

    const auto streamed = metric_of(row);
    for (std::int64_t first = 0; first < examples; first += 7) {
      add(*streamed, inputs, first, std::min<std::int64_t>(7, examples - first));
    }
    expect_figures(*streamed, row, what + " in batches of 7");

    const auto left = metric_of(row);
    const auto right = metric_of(row);
    add(*left, inputs, 0, examples / 3);
    add(*right, inputs, examples / 3, examples - examples / 3);
    left->merge(*right);
    EXPECT_EQ(left->count(), whole->count());
    expect_figures(*left, row, what + " merged");

    left->reset();
    EXPECT_EQ(left->count(), 0);
    add(*left, inputs, 0, examples);
    EXPECT_EQ(left->value(), whole->value()) << what << ": the same batches, the same bits";
  }
  for (const MetricInfo& info : all_metrics())
    EXPECT_GT(seen[info.name], 0) << info.name << " is compared with nothing";
}

}  // namespace
}  // namespace asg::metrics
