#include <algorithm>
#include <cmath>

#include "check/compiler/grower.h"

namespace asg {
namespace {

std::int64_t reduced_count(const Sizes& sizes, const std::vector<std::int64_t>& axes) {
  std::int64_t count = 1;
  for (const std::int64_t axis : axes) count *= sizes[static_cast<std::size_t>(axis)];
  return count;
}

}  // namespace

Tensor CaseGrower::reduced(const Tensor& x, const std::vector<std::int64_t>& axes, bool keepdims, double& magnitude) {
  const std::int64_t count = reduced_count(x.shape().sizes(), axes);
  const double m = magnitude_of(x);
  // Of nothing only a sum is a number.
  switch (count == 0 ? 0 : dice_.pick(9)) {
    case 3:
      magnitude = m;
      return reduce_mean(x, axes, {.keepdims = keepdims});
    case 4:
      magnitude = m;
      return reduce_max(x, axes, {.keepdims = keepdims});
    case 5:
      magnitude = m;
      return reduce_min(x, axes, {.keepdims = keepdims});
    case 6:
      magnitude = m * std::sqrt(static_cast<double>(count));
      return reduce_l2(x, axes, {.keepdims = keepdims});
    case 7:
      magnitude = m + std::log(static_cast<double>(count));
      return reduce_log_sum_exp(x, axes, {.keepdims = keepdims});
    case 8:
      magnitude = m * m;
      return reduce_variance(x, axes, {.keepdims = keepdims});
    default:
      magnitude = m * std::max(1.0, 2 * std::sqrt(static_cast<double>(count)));
      return reduce_sum(x, axes, {.keepdims = keepdims});
  }
}

// A value per row as one per column where that has the same sizes, for readers that repeat it along other axes.
Tensor CaseGrower::turned(const Tensor& reduced, const Tensor& x) {
  const Sizes sizes = x.shape().sizes();
  const std::size_t rank = sizes.size();
  if (rank < 2 || sizes[rank - 1] != sizes[rank - 2]) return reduced;
  std::vector<std::int64_t> perm;
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) perm.push_back(axis);
  std::swap(perm[rank - 1], perm[rank - 2]);
  return transpose(reduced, {.perm = perm});
}

void CaseGrower::reduce() {
  const Tensor x = pick();
  if (x.rank() == 0) return;
  const std::vector<std::int64_t> axes = random_axes(x.rank());
  double magnitude = 1;
  const Tensor result = reduced(x, axes, dice_.one_in(2), magnitude);
  keep(result, magnitude);
}

// One value, its reductions, and elementwise users of both.
void CaseGrower::reduce_and_use() {
  const Tensor x = pick();
  if (x.rank() == 0) return;
  const double m = magnitude_of(x);
  const std::vector<std::int64_t> axes = random_axes(x.rank());
  double magnitude = 1;
  const Tensor once = reduced(x, axes, true, magnitude);
  const Tensor kept = magnitude > 4 ? once * (1 / magnitude) : once;
  const Tensor scaled = dice_.one_in(3) ? turned(kept, x) : kept;
  if (dice_.one_in(2)) keep(x * dice_.between(0.5, 2), 2 * m);
  switch (dice_.pick(4)) {
    case 0:
      keep(x - scaled, m + 4);
      break;
    case 1:
      keep(x * scaled, 4 * m);
      break;
    case 2:
      keep(x / (abs(scaled) + 0.5), 2 * m);
      break;
    default:
      keep(tanh(x + scaled), 1);
  }
  if (!dice_.one_in(2)) return;
  const std::vector<std::int64_t> others = random_axes(x.rank());
  double other_magnitude = 1;
  const Tensor second = reduced(dice_.one_in(2) ? x : moderate(pool_.back()), others, false, other_magnitude);
  keep(second, other_magnitude);
}

void CaseGrower::normalise() {
  const Tensor x = pick_of_rank(1, 4);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  const Sizes sizes = x.shape().sizes();
  const int axis = dice_.one_in(3) ? random_axis(x) : x.rank() - 1;
  const Sizes features(sizes.begin() + axis, sizes.end());
  // Of a single number there is no deviation to divide by.
  if (element_count(features) < 2) return;
  const double epsilon = 1e-3;
  const int how = dice_.pick(5);
  const Tensor scale = weight(features, 1);
  switch (how) {
    case 0: {
      const Tensor bias = weight(features, 1);
      const LayerNormalizationOutputs normed = layer_normalization(x, scale, bias, {.axis = axis, .epsilon = epsilon});
      if (dice_.one_in(3)) keep(normed.mean, 1);
      return keep(normed.y, 4);
    }
    case 1:
      return keep(rms_normalization(x, scale, {.axis = axis, .epsilon = epsilon}), 4);
    case 2:
      return keep(layer_normalization(x, scale, {}, {.axis = axis, .epsilon = epsilon}).y, 4);
    default: {
      // By hand, as other systems write it.
      std::vector<std::int64_t> axes;
      for (std::int64_t each = axis; each < x.rank(); ++each) axes.push_back(each);
      const Tensor bias = weight(features, 1);
      const Tensor centred = x - reduce_mean(x, axes);
      const Tensor variance = reduce_mean(square(centred), axes);
      const Tensor normed = centred / sqrt(variance + epsilon);
      return keep(normed * scale + bias, 4);
    }
  }
}

void CaseGrower::normalise_channels() {
  const Tensor x = pick_of_rank(3, 4);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  const Sizes sizes = x.shape().sizes();
  const std::int64_t channels = sizes[1];
  const std::int64_t pixels = element_count(sizes) / (sizes[0] * channels);
  const double epsilon = 1e-3;
  const int how = dice_.pick(3);
  const Tensor scale = weight({channels}, 1);
  const Tensor bias = weight({channels}, 1);
  switch (how) {
    case 0:
      if (pixels < 2) return;
      return keep(instance_normalization(x, scale, bias, {.epsilon = epsilon}), 4);
    case 1: {
      const std::int64_t groups = channels % 2 == 0 ? 2 : 1;
      if (pixels * channels / groups < 2) return;
      return keep(group_normalization(x, scale, bias, groups, {.epsilon = epsilon}), 4);
    }
    default: {
      if (pixels * sizes[0] < 2) return;
      const Tensor mean = weight({channels}, 1);
      const Tensor variance = abs(weight({channels}, 1)) + 0.5;
      const BatchNormalizationOutputs normed =
          batch_normalization(x, scale, bias, mean, variance, {.epsilon = epsilon, .training_mode = !dice_.one_in(3)});
      if (dice_.one_in(2)) others_.push_back(normed.running_mean);
      return keep(normed.y, 4);
    }
  }
}

void CaseGrower::soften() {
  const Tensor x = pick_of_rank(1, 4);
  if (!x.valid()) return;
  const int axis = dice_.one_in(2) ? x.rank() - 1 : random_axis(x);
  if (dice_.one_in(3)) return keep(log_softmax(x, {.axis = axis}), magnitude_of(x) + 6);
  keep(softmax(x, {.axis = axis}), 1);
}

void CaseGrower::cumulate() {
  const Tensor x = pick_of_rank(1, 4);
  if (!x.valid()) return;
  const int axis = random_axis(x);
  const double count = static_cast<double>(x.shape().sizes()[static_cast<std::size_t>(axis)]);
  const Tensor along = graph().constant(Array::scalar_i64(axis));
  const bool exclusive = dice_.one_in(2);
  const bool reverse = dice_.one_in(2);
  keep(cum_sum(x, along, {.exclusive = exclusive, .reverse = reverse}),
       magnitude_of(x) * std::max(1.0, 2 * std::sqrt(count)));
}

void CaseGrower::order() {
  const Tensor x = pick_of_rank(1, 3);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  const int axis = random_axis(x);
  const std::int64_t count = x.shape().sizes()[static_cast<std::size_t>(axis)];
  const double m = magnitude_of(x);
  switch (dice_.pick(3)) {
    case 0: {
      const TopKOutputs top = top_k(x, Ints{(count + 1) / 2}, {.axis = axis});
      return keep(top.values, m);
    }
    case 1:
      return keep(sort(x, {.axis = axis}).values, m);
    default: {
      const Tensor where_largest = arg_max(x, {.axis = axis, .keepdims = dice_.one_in(2)});
      others_.push_back(where_largest);
    }
  }
}

}  // namespace asg
