#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asg/metrics/metric.h"

namespace asg::train {

// How a model does on a data set.
struct Evaluation {
  std::int64_t examples = 0;
  double loss = 0;                             // mean over the examples
  std::optional<double> accuracy;              // share of examples whose largest logit is at their label
  std::map<std::string, double> metrics = {};  // what was asked for, by name
};

struct EvaluationOptions {
  std::int64_t batch_size = 256;
  // Each a name of docs/metrics.md, "f1", or with settings, {"name": "f1", "average": "micro"}. They compare the output
  // that classifies, or the only one beside the loss, with the labels.
  std::vector<std::string> metrics = {};
  bool mean = false;  // with the means of the weights, which the optimiser keeps, in place of the weights
};

// By description. Throws what make_metric throws, and duplicate_name where two have one name.
std::vector<std::unique_ptr<metrics::Metric>> metrics_of(const std::vector<std::string>& descriptions);

// All its figures by name: "loss", "accuracy" and the metrics.
std::map<std::string, double> figures_of(const Evaluation& evaluation);

}  // namespace asg::train
