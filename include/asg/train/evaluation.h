#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asg/metrics/metric.h"

namespace asg {
class Graph;
namespace data {
class Dataset;
}
}  // namespace asg

namespace asg::train {

struct TrainerOptions;

// How a model does on a data set.
struct Evaluation {
  std::int64_t examples = 0;
  double loss = 0;  // mean over the examples
  // Share of examples whose largest logit is at their label; of models with one logit, above 0 for class 1.
  std::optional<double> accuracy;
  // What was asked for, by name; NaN where the examples do not define it (ROC-AUC without one of the class).
  std::map<std::string, double> metrics = {};
};

struct EvaluationOptions {
  std::int64_t batch_size = 256;
  // Each a name of docs/metrics.md, "f1", or with settings, {"name": "f1", "average": "micro"}. They compare the output
  // that classifies, or the only one beside the loss, with the labels. Of the output that classifies they take logits
  // (their setting `input`) where the description does not say otherwise.
  std::vector<std::string> metrics = {};
  bool mean = false;  // with the means of the weights, which the optimiser keeps, in place of the weights
};

// By description, with settings of which these say nothing (see metric_from_json). Throws what make_metric throws, and
// duplicate_name where two have one name.
std::vector<std::unique_ptr<metrics::Metric>> metrics_of(const std::vector<std::string>& descriptions,
                                                         const metrics::Settings& otherwise = {});

// Tries metrics on the first labels of a data set and on zeros of the type that the model predicts, so that one that
// does not fit is found before the first step. Says nothing where the model leaves sizes open that labels do not tell.
// Throws what evaluate would throw.
void check_metrics(const std::vector<std::string>& descriptions, const Graph& model, const TrainerOptions& options,
                   const data::Dataset& dataset);

// All its figures by name: "loss", "accuracy" and the metrics.
std::map<std::string, double> figures_of(const Evaluation& evaluation);

}  // namespace asg::train
