#pragma once

#include <cstdint>
#include <vector>

#include "asg/graph/card.h"

// Losses against class numbers. The ops NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss have the classes on axis
// 1, as ONNX does; the losses of asg::loss on any axis.
namespace asg::ops {

// What each label costs and how much it weighs, both of the shape of the labels and 0 where a label is ignored.
struct LabelLosses {
  Tensor losses;
  Tensor weights;
};

// −weight[label] · log_probabilities[label]. `weight`, one number for each class, may be absent. A label that is
// neither a class nor `ignore_index` is refused when the graph runs.
LabelLosses label_losses(const Tensor& log_probabilities, const Tensor& labels, const Tensor& weight, int axis,
                         std::int64_t ignore_index);

// The number of classes as a scalar of the dtype.
Tensor class_count(const Tensor& scores, int axis, DType dtype);

// The sum of `values` over the classes, weighted by class where `weight` is given, and 0 where a label is ignored.
Tensor sum_over_classes(const Tensor& values, const Tensor& labels, const Tensor& weight, int axis,
                        std::int64_t ignore_index);

// Refuses labels whose shape is not that of the scores without the class axis, and weights that are not one number for
// each class.
void check_labels(const Tensor& scores, const Tensor& labels, const Tensor& weight, int axis);

Port labels_port();
Port weight_port();
AttrSpec ignore_index_attribute();

// Every reduction with and without weights and ignored labels, classes on axis 1. The scores are drawn from the range.
std::vector<Sample> label_samples(double low, double high);
std::vector<BadSample> bad_label_samples();

}  // namespace asg::ops
