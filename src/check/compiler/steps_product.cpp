#include <algorithm>
#include <cmath>

#include "check/compiler/grower.h"

namespace asg {
namespace {

// Of weights, so that a sum of so many products is as large as what is multiplied.
double reach_for(std::int64_t terms) { return std::sqrt(3.0 / static_cast<double>(std::max<std::int64_t>(1, terms))); }

}  // namespace

void CaseGrower::multiply() {
  const Tensor x = pick_of_rank(2, 4);
  if (!x.valid()) return;
  const Sizes sizes = x.shape().sizes();
  const std::int64_t inner = sizes.back();
  const std::int64_t columns = length();
  const double m = 2 * magnitude_of(x);
  Sizes result = sizes;
  result.back() = columns;
  if (!is_small_enough(result) || !is_small_enough({inner, columns})) return;
  const double reach = reach_for(inner);
  switch (dice_.pick(6)) {
    case 0: {
      if (x.rank() != 2) return;
      const bool turned = dice_.one_in(2);
      const Tensor w = weight(turned ? Sizes{columns, inner} : Sizes{inner, columns}, reach);
      const Tensor c = weight({columns}, 1);
      return keep(gemm(x, w, c, {.trans_b = turned}), m + 1);
    }
    case 1: {
      // With itself: x · xᵀ.
      std::vector<std::int64_t> perm;
      for (std::int64_t axis = 0; axis < x.rank(); ++axis) perm.push_back(axis);
      std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
      Sizes square_sizes = sizes;
      square_sizes.back() = sizes[sizes.size() - 2];
      if (!is_small_enough(square_sizes)) return;
      const double count = static_cast<double>(std::max<std::int64_t>(1, inner));
      return keep(mat_mul(x, transpose(x, {.perm = perm})), magnitude_of(x) * magnitude_of(x) * count);
    }
    case 2: {
      // A matrix for each of a batch.
      Sizes batched(sizes.begin(), sizes.end() - 2);
      batched.push_back(inner);
      batched.push_back(columns);
      if (!is_small_enough(batched)) return;
      return keep(mat_mul(x, weight(batched, reach)), m);
    }
    case 3: {
      // From the other side.
      const std::int64_t terms = sizes[sizes.size() - 2];
      Sizes other = sizes;
      other[other.size() - 2] = columns;
      if (!is_small_enough(other) || !is_small_enough({columns, terms})) return;
      return keep(mat_mul(weight({columns, terms}, reach_for(terms)), x), m);
    }
    default: {
      const Tensor product = mat_mul(x, weight({inner, columns}, reach));
      if (dice_.one_in(6) && sizes[0] > 0) {
        // A kernel that reads the product at its point and elsewhere.
        const Tensor first = slice(product, Ints{0}, Ints{1}, Ints{0});
        return keep(dice_.one_in(2) ? product + first : first + product, 2 * m);
      }
      if (dice_.one_in(2)) return keep(product, m);
      return keep(product + weight({columns}, 1), m + 1);
    }
  }
}

void CaseGrower::convolve() {
  const Tensor x = pick_of_rank(3, 4);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  const Sizes sizes = x.shape().sizes();
  const int spatial = x.rank() - 2;
  const std::int64_t channels = sizes[1];
  const std::int64_t group = channels % 2 == 0 && dice_.one_in(3) ? 2 : dice_.one_in(6) ? channels : 1;
  const std::int64_t filters = group * (1 + dice_.pick(group > 2 ? 2 : 4));
  Sizes kernel;
  Sizes strides;
  Sizes pads;
  for (int axis = 0; axis < spatial; ++axis) {
    const std::int64_t size = sizes[static_cast<std::size_t>(axis + 2)];
    kernel.push_back(std::min<std::int64_t>(size, 1 + dice_.pick(3)));
    strides.push_back(1 + dice_.pick(2));
    pads.push_back(dice_.pick(2));
  }
  for (int axis = 0; axis < spatial; ++axis) pads.push_back(dice_.pick(2));
  Sizes weights = {filters, channels / group};
  weights.insert(weights.end(), kernel.begin(), kernel.end());
  if (!is_small_enough(weights)) return;
  const double reach = reach_for(element_count(weights) / filters);
  const double m = 2 * magnitude_of(x) + 1;
  if (dice_.one_in(4)) {
    // Transposed: from channels to filters of the reverse convolution.
    Sizes turned = {channels, filters / group};
    turned.insert(turned.end(), kernel.begin(), kernel.end());
    const std::vector<std::int64_t> none(pads.size(), 0);
    const Tensor w = weight(turned, reach);
    const Tensor b = dice_.one_in(2) ? weight({filters}, 1) : Tensor();
    const Tensor y = conv_transpose(x, w, b, {.strides = strides, .pads = none, .group = group});
    if (is_small_enough(y.shape().sizes())) keep(y, 2 * m);
    return;
  }
  const Tensor w = weight(weights, reach);
  const Tensor b = dice_.one_in(2) ? weight({filters}, 1) : Tensor();
  const Tensor y = conv(x, w, b, {.strides = strides, .pads = pads, .group = group});
  keep(y, m);
}

void CaseGrower::pool_windows() {
  const Tensor x = pick_of_rank(3, 4);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  const Sizes sizes = x.shape().sizes();
  Sizes kernel;
  Sizes strides;
  Sizes pads;
  for (std::size_t axis = 2; axis < sizes.size(); ++axis) {
    kernel.push_back(std::min<std::int64_t>(sizes[axis], 1 + dice_.pick(3)));
    strides.push_back(1 + dice_.pick(3));
    pads.push_back(kernel.back() > 1 ? dice_.pick(2) : 0);
  }
  const std::size_t spatial = pads.size();
  for (std::size_t axis = 0; axis < spatial; ++axis) pads.push_back(kernel[axis] > 1 ? dice_.pick(2) : 0);
  const bool ceil_mode = dice_.one_in(2);
  const double m = magnitude_of(x);
  switch (dice_.pick(6)) {
    case 0:
    case 1: {
      const MaxPoolOutputs pooled = max_pool(x, kernel, {.strides = strides, .pads = pads, .ceil_mode = ceil_mode});
      if (dice_.one_in(3)) others_.push_back(pooled.indices);
      return keep(pooled.y, m);
    }
    case 2:
    case 3: {
      const bool counts = dice_.one_in(2);
      return keep(average_pool(x, kernel,
                               {.strides = strides, .pads = pads, .ceil_mode = ceil_mode, .count_include_pad = counts}),
                  m);
    }
    case 4:
      return keep(dice_.one_in(2) ? global_average_pool(x) : global_max_pool(x), m);
    default:
      return keep(adaptive_average_pool(x, Sizes(spatial, 2)), m);
  }
}

Tensor CaseGrower::called(const Tensor& x) {
  const std::int64_t inner = x.shape().sizes().back();
  if (dice_.one_in(2) || !is_small_enough({inner, inner})) return sort(x, {.axis = random_axis(x)}).values;
  return mat_mul(x, weight({inner, inner}, reach_for(inner)));
}

// The first rows as a result, all of it under another name, a sum over the rows, or the largest of each row.
void CaseGrower::read_beside(const Tensor& x) {
  const std::int64_t rows = x.shape().sizes()[0];
  switch (dice_.pick(4)) {
    case 0:
      others_.push_back(slice(x, Ints{0}, Ints{dice_.from_to(1, rows)}, Ints{0}));
      return;
    case 1:
      return keep(dice_.one_in(2) ? sum(x, {}) : reduce_max(unsqueeze(x, Ints{0}), Ints{0}, {.keepdims = false}), 4);
    case 2:
      return keep(reduce_sum(x, Ints{0}, {.keepdims = false}) * (1 / static_cast<double>(rows)), 4);
    default:
      return keep(reduce_max(x, Ints{-1}), 4);
  }
}

// Elements between two calls may take over the memory of the first one's result, unless somebody else reads it.
void CaseGrower::work_between_calls() {
  const Tensor x = pick_of_rank(2, 3);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  const Tensor first = called(x);
  const bool comes_before = dice_.one_in(2);
  if (comes_before) read_beside(first);
  const Tensor between = dice_.one_in(2) ? tanh(first) : relu(first * weight({first.shape().sizes().back()}, 1));
  if (!comes_before) read_beside(first);
  keep(called(between), 2 * magnitude_of(x));
}

// Attention of a value to itself, by heads that are cut out of it where it has them.
void CaseGrower::attend() {
  const Tensor x = pick_of_rank(3, 4);
  if (!x.valid() || element_count(x.shape().sizes()) == 0) return;
  Tensor q = x;
  if (x.rank() == 3) q = unsqueeze(x, Ints{1});
  const Sizes sizes = q.shape().sizes();
  const Sizes scores = {sizes[0], sizes[1], sizes[2], sizes[2]};
  if (!is_small_enough(scores) || !is_small_enough({sizes[3], sizes[3]})) return;
  const Tensor k = mat_mul(q, weight({sizes[3], sizes[3]}, reach_for(sizes[3])));
  const Tensor v = dice_.one_in(2) ? q : k;
  keep(attention(q, k, v, {}, {}, {}, {.is_causal = dice_.one_in(2)}), magnitude_of(x));
}

}  // namespace asg
