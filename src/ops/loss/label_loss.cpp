#include "ops/loss/label_loss.h"

#include "asg/graph/graph.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

namespace asg::ops {
namespace {

Tensor counted(const Tensor& labels, std::int64_t ignore_index) {
  return add_op("Not", {add_op("Equal", {labels, scalar_like(labels, static_cast<double>(ignore_index))})});
}

// Ignored labels become class 0, whose loss is then not taken. Negative ones, which indexing would count from the end,
// are moved below the range in which it does, so that it refuses them.
Tensor class_indices(const Tensor& scores, const Tensor& labels, const Tensor& is_counted, int axis) {
  const Tensor indices = where_or_zero(is_counted, labels);
  const Tensor is_negative = indices < scalar_like(indices, 0);
  return choose(is_negative, indices - class_count(scores, axis, labels.dtype()), indices);
}

}  // namespace

LabelLosses label_losses(const Tensor& log_probabilities, const Tensor& labels, const Tensor& weight, int axis,
                         std::int64_t ignore_index) {
  Graph& graph = labels.graph();
  const Tensor is_counted = counted(labels, ignore_index);
  const Tensor indices = class_indices(log_probabilities, labels, is_counted, axis);
  const Tensor class_axis = ints(graph, {axis});
  const Tensor one_class = add_op("Unsqueeze", {indices, class_axis});
  const Tensor picked = add_op("GatherElements", {log_probabilities, one_class}, {{"axis", std::int64_t{axis}}});
  const Tensor likelihood = add_op("Squeeze", {picked, class_axis});
  if (!weight.valid()) {
    const Tensor losses = where_or_zero(is_counted, -likelihood);
    return {losses, as_numbers(is_counted, likelihood)};
  }
  const Tensor weights = add_op("Gather", {weight, indices}, {{"axis", 0}});
  const Tensor losses = where_or_zero(is_counted, -(likelihood * weights));
  return {losses, where_or_zero(is_counted, weights)};
}

Tensor class_count(const Tensor& scores, int axis, DType dtype) {
  const Tensor count = add_op("Reshape", {length_of(scores, axis), ints(scores.graph(), {})});
  return add_op("Cast", {count}, {{"to", dtype}});
}

Tensor sum_over_classes(const Tensor& values, const Tensor& labels, const Tensor& weight, int axis,
                        std::int64_t ignore_index) {
  Graph& graph = values.graph();
  Tensor weighted = values;
  if (weight.valid()) {
    std::vector<std::int64_t> along(static_cast<std::size_t>(values.rank()), 1);
    along[static_cast<std::size_t>(axis)] = -1;
    weighted = values * add_op("Reshape", {weight, ints(graph, along)});
  }
  const Tensor sum = add_op("ReduceSum", {weighted, ints(graph, {axis})}, {{"keepdims", false}});
  return where_or_zero(counted(labels, ignore_index), sum);
}

void check_labels(const Tensor& scores, const Tensor& labels, const Tensor& weight, int axis) {
  bool fits = scores.rank() == labels.rank() + 1;
  for (int at = 0; fits && at < labels.rank(); ++at) {
    fits = !surely_differ(labels.shape()[at], scores.shape()[at < axis ? at : at + 1]);
  }
  if (!fits) {
    fail(ErrorCode::bad_shape,
         "scores of shape " + scores.shape().to_string() + " and labels of shape " + labels.shape().to_string(),
         "labels of the shape of the scores without their axis " + std::to_string(axis) + ", the classes");
  }
  if (!weight.valid()) return;
  if (weight.rank() != 1 || surely_differ(weight.shape()[0], scores.shape()[axis])) {
    fail(ErrorCode::bad_shape, "weights of shape " + weight.shape().to_string(),
         "one weight for each of the " + scores.shape()[axis].to_string() + " classes");
  }
}

Port labels_port() {
  return {.name = "labels",
          .dtypes = kIndex,
          .type = "I",
          .words = {"the number of the right class, from 0; the shape of the scores without the class axis",
                    "номер верного класса, с нуля; форма оценок без оси классов"},
          .differentiable = false};
}

Port weight_port() {
  return {.name = "weight",
          .kind = PortKind::optional,
          .words = {"how much each class counts; absent: all alike", "вес каждого класса; по умолчанию все равны"},
          .differentiable = false};
}

AttrSpec ignore_index_attribute() {
  return {.name = "ignore_index",
          .fallback = -100,
          .words = {"labels with this number take no part: padding, unknown pixels",
                    "метки с этим номером не участвуют: заполнение, неизвестные пиксели"}};
}

std::vector<Sample> label_samples(double low, double high) {
  const SampleInput scores = in({2, 3, 4}, low, high);
  const SampleInput labels = in_ints({2, 4}, {0, 2, 1, 1, 2, 0, 0, 1});
  const SampleInput with_gaps = in_ints({2, 4}, {0, -100, 1, 1, 2, -100, 0, 1});
  const SampleInput weight = in({3}, 0.5, 3);
  std::vector<Sample> samples;
  const auto add = [&](const Sample& sample) {
    for (Sample& variant : for_each_reduction(sample)) samples.push_back(std::move(variant));
  };
  add({.name = "plain", .inputs = {scores, labels}});
  add({.name = "weights", .inputs = {scores, labels, weight}});
  add({.name = "padding", .inputs = {scores, with_gaps}});
  add({.name = "weights_padding", .inputs = {scores, with_gaps, weight}});
  add({.name = "ignore_a_class", .inputs = {scores, labels, weight}, .attrs = {{"ignore_index", 2}}});
  add({.name = "rank_2", .inputs = {in({3, 5}, low, high), in_ints({3}, {4, 0, 2})}});
  samples.push_back({.name = "rank_4", .inputs = {in({2, 3, 1, 2}, low, high), in_ints({2, 1, 2}, {0, 2, 1, 0})}});
  samples.push_back({.name = "one_class", .inputs = {in({2, 1}, low, high), in_ints({2}, {0, 0})}, .gradient = false});
  samples.push_back({.name = "no_examples",
                     .inputs = {in({0, 3}, low, high), in_ints({0}, {})},
                     .attrs = {{"reduction", "none"}},
                     .gradient = false});
  return samples;
}

std::vector<BadSample> bad_label_samples() {
  return {{.name = "labels_with_classes",
           .inputs = {in({2, 3}), in_ints({2, 3}, {0, 0, 0, 0, 0, 0})},
           .code = ErrorCode::bad_shape,
           .contains = "without their axis 1, the classes"},
          {.name = "label_too_large",
           .inputs = {in({2, 3}), in_ints({2}, {0, 3})},
           .code = ErrorCode::computation_error,
           .contains = "an index from -3 to 2"},
          {.name = "negative_label",
           .inputs = {in({2, 3}), in_ints({2}, {0, -1})},
           .code = ErrorCode::computation_error,
           .contains = "an index from -3 to 2"},
          {.name = "weights_of_other_classes",
           .inputs = {in({2, 3}), in_ints({2}, {0, 1}), in({2})},
           .code = ErrorCode::bad_shape,
           .contains = "one weight for each of the 3 classes"}};
}

}  // namespace asg::ops
