#include "asg/train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "asg/core/error.h"
#include "asg/core/log.h"
#include "asg/train/trainer.h"
#include "train/evaluation_checks.h"

namespace asg::train {
namespace {

// One logit an example, [n] or [n, 1], is of class 1.
std::int64_t right_answers(const std::string& name, const Array& logits, const Array& labels) {
  check_logits(name, logits.sizes(), labels.sizes());
  std::int64_t right = 0;
  if (logits.count() == labels.count()) {
    for (std::int64_t example = 0; example < labels.count(); ++example) {
      if ((logits.get(example) > 0 ? 1 : 0) == labels.get_i64(example)) ++right;
    }
    return right;
  }
  const std::int64_t classes = logits.sizes().back();
  for (std::int64_t example = 0; example < labels.count(); ++example) {
    std::int64_t best = 0;
    for (std::int64_t label = 1; label < classes; ++label) {
      if (logits.get(example * classes + label) > logits.get(example * classes + best)) best = label;
    }
    if (best == labels.get_i64(example)) ++right;
  }
  return right;
}

// What metrics compare with the labels.
std::string predicted_output(const Graph& model, const TrainerOptions& options) {
  if (model.find_output(options.logits) != nullptr) return options.logits;
  std::vector<std::string> others;
  for (const Output& output : model.outputs()) {
    if (output.name != options.loss) others.push_back(output.name);
  }
  if (others.size() != 1) {
    fail(ErrorCode::missing_output,
         "metrics of a model with " + std::to_string(others.size()) + " outputs beside the loss",
         "an output '" + options.logits + "', or one alone", "make it an output of the model");
  }
  return others.front();
}

// Metrics of the output that classifies take its numbers for what they are.
metrics::Settings settings_by(const std::string& predicted, const TrainerOptions& options) {
  if (predicted != options.logits) return {};
  return {{"input", std::string("logits")}};
}

// Sizes of an array of that shape, of as many examples as there are labels; nothing where they are not known.
std::optional<Sizes> sizes_beside(const Shape& shape, const Array& labels) {
  Sizes sizes;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!shape[axis].is_known() && (!shape[axis].is_symbol() || axis >= labels.rank())) return std::nullopt;
    sizes.push_back(shape[axis].is_known() ? shape[axis].value() : labels.sizes()[static_cast<std::size_t>(axis)]);
  }
  return sizes;
}

// The same data give the same words at each validation: once is enough.
void warn_once(const std::string& words) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  if (told.insert(words).second) log(LogLevel::warning, words);
}

// NaN where the examples do not define it: a training does not end for that.
double value_or_nan(const metrics::Metric& metric) {
  try {
    return metric.value();
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::missing_value) throw;
    warn_once("the metric '" + metric.info().name + "' has no value and is told as NaN: " + error.detail().given +
              "; needed: " + error.detail().needed);
    return std::nan("");
  }
}

}  // namespace

std::vector<std::unique_ptr<metrics::Metric>> metrics_of(const std::vector<std::string>& descriptions,
                                                         const metrics::Settings& otherwise) {
  std::vector<std::unique_ptr<metrics::Metric>> result;
  std::set<std::string> names;
  for (const std::string& each : descriptions) {
    result.push_back(metrics::metric_from_json(each.starts_with('{') ? each : '"' + each + '"', otherwise));
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

void check_metrics(const std::vector<std::string>& descriptions, const Graph& model, const TrainerOptions& options,
                   const data::Dataset& dataset) {
  const std::string field = dataset.has(options.labels) ? options.labels : std::string(data::kLabels);
  if (descriptions.empty() || !dataset.has(field)) return;
  const std::string predicted = predicted_output(model, options);
  const TensorType& type = model.type(model.find_output(predicted)->value);
  const bool has_batch = type.shape.rank() > 0 && type.shape[0].is_known();
  const std::int64_t examples = has_batch ? type.shape[0].value() : 1;
  if (examples > dataset.count()) return;
  const Array labels = dataset.take(0, examples).at(field);
  const std::optional<Sizes> sizes = sizes_beside(type.shape, labels);
  if (!sizes) return;
  for (const auto& metric : metrics_of(descriptions, settings_by(predicted, options))) {
    try {
      metric->add(Array(type.dtype, *sizes), labels);
    } catch (const UserError& error) {
      throw error.with_where("the metric '" + metric->info().name + "' of the output '" + predicted + "'");
    }
  }
}

Evaluation Trainer::evaluate_as_it_is(const data::Dataset& dataset, const EvaluationOptions& options) {
  Evaluation result;
  std::int64_t right = 0;
  std::int64_t asked = 0;  // an example of a text has as many labels as tokens
  const std::string predicted = options.metrics.empty() ? "" : predicted_output(model_.graph(), options_);
  const auto metrics = metrics_of(options.metrics, settings_by(predicted, options_));
  const bool classifies = dataset.classes() > 0 && model_.graph().find_output(options_.logits) != nullptr;
  for (std::int64_t first = 0; first < dataset.count(); first += options.batch_size) {
    const std::int64_t last = std::min(first + options.batch_size, dataset.count());
    const NamedArrays batch = inputs_of(dataset.take(first, last));
    const NamedArrays outputs = infer(batch);
    result.loss += outputs.at(options_.loss).get(0) * static_cast<double>(last - first);
    if (classifies) {
      const Array& labels = batch.at(options_.labels);
      right += right_answers(options_.logits, outputs.at(options_.logits), labels);
      asked += labels.count();
    }
    for (const auto& metric : metrics) metric->add(outputs.at(predicted), batch.at(options_.labels));
  }
  result.examples = dataset.count();
  if (result.examples == 0) return result;
  result.loss /= static_cast<double>(result.examples);
  if (classifies) result.accuracy = static_cast<double>(right) / static_cast<double>(asked);
  for (const auto& metric : metrics) result.metrics[metric->info().name] = value_or_nan(*metric);
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
