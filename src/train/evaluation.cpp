#include "asg/train/evaluation.h"

#include <algorithm>
#include <set>

#include "asg/core/error.h"
#include "asg/train/trainer.h"

namespace asg::train {
namespace {

std::int64_t right_answers(const Array& logits, const Array& labels) {
  const std::int64_t classes = logits.sizes().back();
  std::int64_t right = 0;
  for (std::int64_t example = 0; example < labels.count(); ++example) {
    std::int64_t best = 0;
    for (std::int64_t label = 1; label < classes; ++label) {
      if (logits.get(example * classes + label) > logits.get(example * classes + best)) best = label;
    }
    if (best == labels.get_i64(example)) ++right;
  }
  return right;
}

}  // namespace

std::vector<std::unique_ptr<metrics::Metric>> metrics_of(const std::vector<std::string>& descriptions) {
  std::vector<std::unique_ptr<metrics::Metric>> result;
  std::set<std::string> names;
  for (const std::string& each : descriptions) {
    result.push_back(each.starts_with('{') ? metrics::metric_from_json(each) : metrics::make_metric(each));
    const std::string& name = result.back()->info().name;
    if (!names.insert(name).second) {
      fail(ErrorCode::duplicate_name, "the metric '" + name + "' twice", "each metric once, since it is told by name");
    }
  }
  return result;
}

std::map<std::string, double> figures_of(const Evaluation& evaluation) {
  std::map<std::string, double> result = evaluation.metrics;
  result["loss"] = evaluation.loss;
  if (evaluation.accuracy) result.emplace("accuracy", *evaluation.accuracy);
  return result;
}

// What metrics compare with the labels.
std::string Trainer::predictions() const {
  const Graph& graph = model_.graph();
  if (graph.find_output(options_.logits) != nullptr) return options_.logits;
  std::vector<std::string> others;
  for (const Output& output : graph.outputs()) {
    if (output.name != options_.loss) others.push_back(output.name);
  }
  if (others.size() != 1) {
    fail(ErrorCode::missing_output,
         "metrics of a model with " + std::to_string(others.size()) + " outputs beside the loss",
         "an output '" + options_.logits + "', or one alone", "make it an output of the model");
  }
  return others.front();
}

Evaluation Trainer::evaluate_as_it_is(const data::Dataset& dataset, const EvaluationOptions& options) {
  Evaluation result;
  std::int64_t right = 0;
  std::int64_t asked = 0;  // an example of a text has as many labels as tokens
  const auto metrics = metrics_of(options.metrics);
  const std::string predicted = metrics.empty() ? "" : predictions();
  const bool classifies = dataset.classes() > 0 && model_.graph().find_output(options_.logits) != nullptr;
  for (std::int64_t first = 0; first < dataset.count(); first += options.batch_size) {
    const std::int64_t last = std::min(first + options.batch_size, dataset.count());
    const NamedArrays batch = inputs_of(dataset.take(first, last));
    const NamedArrays outputs = infer(batch);
    result.loss += outputs.at(options_.loss).get(0) * static_cast<double>(last - first);
    if (classifies) {
      const Array& labels = batch.at(options_.labels);
      right += right_answers(outputs.at(options_.logits), labels);
      asked += labels.count();
    }
    for (const auto& metric : metrics) metric->add(outputs.at(predicted), batch.at(options_.labels));
  }
  result.examples = dataset.count();
  if (result.examples == 0) return result;
  result.loss /= static_cast<double>(result.examples);
  if (classifies) result.accuracy = static_cast<double>(right) / static_cast<double>(asked);
  for (const auto& metric : metrics) result.metrics[metric->info().name] = metric->value();
  return result;
}

// The means stand in for the weights while it lasts, whatever happens.
Evaluation Trainer::evaluate(const data::Dataset& dataset, const EvaluationOptions& options) {
  if (!options.mean) return evaluate_as_it_is(dataset, options);
  const std::map<VarId, VarId> means = optim::ema_variables(built_.step.updates);
  if (means.empty()) {
    fail(ErrorCode::missing_value, "an evaluation of the means of weights in a training that keeps none",
         "an optimiser with 'ema'", "set its decay, such as 0.999");
  }
  std::map<VarId, Array> weights;
  for (const auto& [parameter, mean] : means) weights.emplace(parameter, built_.executable->read(parameter));
  const auto put_back = [&] {
    for (const auto& [parameter, value] : weights) built_.executable->write(parameter, value);
    values_changed();
  };
  try {
    for (const auto& [parameter, mean] : means) built_.executable->write(parameter, built_.executable->read(mean));
    values_changed();
    Evaluation result = evaluate_as_it_is(dataset, options);
    put_back();
    return result;
  } catch (...) {
    put_back();
    throw;
  }
}

}  // namespace asg::train
