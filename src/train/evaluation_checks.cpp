#include "train/evaluation_checks.h"

#include <algorithm>

namespace asg::train {
namespace {

SizesByName sizes_of_batch(const data::Dataset& dataset, std::int64_t examples, const Trainer& trainer,
                           const Graph& graph) {
  SizesByName sizes;
  for (const data::Field& field : dataset.fields()) {
    const std::string& input = trainer.input_of(field.name);
    const NodeId id = graph.find_node(input);
    const auto inputs = graph.inputs();
    if (id && std::find(inputs.begin(), inputs.end(), id) != inputs.end()) sizes[input] = field.batch_sizes(examples);
  }
  return sizes;
}

// The sizes of an output; nothing where only data decide them.
std::optional<Sizes> sizes_of_output(const Graph& concrete, const std::string& name) {
  const Shape& shape = concrete.type(concrete.find_output(name)->value).shape;
  return shape.is_known() ? std::optional(shape.sizes()) : std::nullopt;
}

void check_output(const Graph& inference, const std::string& name) {
  if (inference.find_output(name) != nullptr) return;
  fail(ErrorCode::missing_output, "an evaluation without the output '" + name + "'",
       "the output '" + name + "', from inputs that the data set feeds", "set the output to a value of the model");
}

}  // namespace

std::vector<SizesByName> evaluation_sizes(const data::Dataset& dataset, std::int64_t batch_size, const Trainer& trainer,
                                          const Graph& graph) {
  std::vector<SizesByName> result;
  const std::int64_t count = dataset.count();
  if (count >= batch_size) result.push_back(sizes_of_batch(dataset, batch_size, trainer, graph));
  if (count % batch_size != 0) result.push_back(sizes_of_batch(dataset, count % batch_size, trainer, graph));
  return result;
}

void check_evaluation(const data::Dataset& dataset, const Feed& feed, const Trainer& trainer, const Graph& model,
                      const Graph& inference) {
  const TrainerOptions& options = trainer.options();
  check_output(inference, options.loss);
  check_metrics(feed.evaluation.metrics, model, options, dataset);
  const bool classifies = dataset.classes() > 0 && model.find_output(options.logits) != nullptr;
  if (feed.watched_figure == "accuracy" && !classifies && dataset.classes() > 0) check_output(model, options.logits);
  if (!classifies) return;
  check_output(inference, options.logits);
  for (const SizesByName& sizes : evaluation_sizes(dataset, feed.evaluation.batch_size, trainer, inference)) {
    const Graph concrete = specialise(inference, symbol_lengths(inference, sizes)).graph;
    const std::optional<Sizes> logits = sizes_of_output(concrete, options.logits);
    const auto labels = sizes.find(options.labels);
    if (logits && labels != sizes.end()) check_logits(options.logits, *logits, labels->second);
  }
}

void check_logits(const std::string& name, const Sizes& logits, const Sizes& labels) {
  const std::int64_t examples = element_count(labels);
  const std::int64_t count = element_count(logits);
  if (count == examples) return;
  if (!logits.empty() && logits.back() > 0 && count == examples * logits.back()) return;
  fail(ErrorCode::bad_shape,
       "the output '" + name + "' of shape " + Shape::of(logits).to_string() + " beside labels of shape " +
           Shape::of(labels).to_string(),
       "a number for each class on the last axis, for each label", "make the output of the last layer '" + name + "'");
}

}  // namespace asg::train
