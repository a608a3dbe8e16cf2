#include <algorithm>
#include <cmath>

#include "check/compiler/grower.h"

namespace asg {

// x in [-1, 1], for functions that grow fast.
Tensor CaseGrower::bent(const Tensor& x, double magnitude) { return magnitude <= 2 ? x : tanh(x); }

void CaseGrower::unary() {
  const Tensor x = pick();
  const double m = magnitude_of(x);
  switch (dice_.pick(26)) {
    case 0:
      return keep(tanh(x), 1);
    case 1:
      return keep(sigmoid(x), 1);
    case 2:
      return keep(relu(x), m);
    case 3:
      return keep(gelu(x, {.approximate = dice_.one_in(2) ? "tanh" : "none"}), m);
    case 4:
      return keep(silu(x), m);
    case 5:
      return keep(exp(bent(x, m)), 8);
    case 6:
      return keep(abs(x), m);
    case 7:
      return keep(-x, m);
    case 8:
      return keep(sqrt(abs(x) + 0.25), m);
    case 9:
      return keep(erf(x), 1);
    case 10:
      return keep(softplus(x), m + 1);
    case 11:
      return keep(leaky_relu(x), m);
    case 12:
      return keep(reciprocal(abs(x) + 0.5), 2);
    case 13:
      return keep(sin(x), 1);
    case 14:
      return keep(clip(x, scalar(-0.5), scalar(0.75)), 1);
    case 15:
      return keep(square(x), m * m);
    case 16:
      return keep(log(abs(x) + 0.5), 4);
    case 17:
      return keep(x * dice_.between(-2, 2), 2 * m);
    case 18:
      return keep(x + dice_.between(-1, 1), m + 1);
    case 19:
      return keep(elu(x), m);
    case 20:
      return keep(pow(bent(x, m), scalar(dice_.one_in(2) ? 2 : 3)), 8);
    case 21:
      return keep(mish(x), m);
    case 22:
      return keep(cos(x), 1);
    case 23:
      return keep(hard_swish(x), m);
    case 24:
      return keep(identity(x), m);
    default:
      return keep(softsign(x), 1);
  }
}

void CaseGrower::binary() {
  const Tensor x = pick();
  const Tensor y = partner(x);
  const double m = magnitude_of(x);
  const double n = magnitude_of(y);
  switch (dice_.pick(10)) {
    case 0:
    case 1:
      return keep(x + y, m + n);
    case 2:
      return keep(x - y, m + n);
    case 3:
      return keep(y - x, m + n);
    case 4:
    case 5:
      return keep(x * y, m * n);
    case 6:
      return keep(max(x, {y}), std::max(m, n));
    case 7:
      return keep(min(x, {y}), std::max(m, n));
    case 8:
      return keep(x / (abs(y) + 0.5), 2 * m);
    default:
      return keep(sum(x, {y, x}), 2 * m + n);
  }
}

Tensor CaseGrower::condition(const Tensor& x) {
  switch (dice_.pick(4)) {
    case 0:
      return boolean_input(x.shape().sizes());
    case 1:
      return greater(x, scalar(dice_.between(-0.5, 0.5)));
    case 2:
      return less(x, partner(x));
    default:
      return not_(greater(x, scalar(dice_.between(-0.5, 0.5))));
  }
}

void CaseGrower::choose() {
  const Tensor x = pick();
  const Tensor y = partner(x);
  const Tensor which = condition(x);
  if (dice_.one_in(4)) others_.push_back(which);
  keep(where(which, x, y), std::max(magnitude_of(x), magnitude_of(y)));
}

// What was rounded to fewer bits is used, and may leave the graph.
void CaseGrower::round_trip() {
  static const std::vector<DType> floats = {DType::f32, DType::f64, DType::bf16, DType::f16};
  const Tensor x = pick();
  const DType to = dice_.any_of(floats);
  const Tensor there = cast(x, to);
  Tensor changed = there;
  if (dice_.one_in(2)) changed = changed * 0.5;
  if (dice_.one_in(3)) others_.push_back(changed);
  keep(cast(changed, dtype_), magnitude_of(x));
}

// Integers go their own way and meet the floats as factors or conditions.
void CaseGrower::integers() {
  static const std::vector<DType> kinds = {DType::i64, DType::i32, DType::u8, DType::i8, DType::i16, DType::u32};
  const Tensor x = pick();
  const DType kind = dice_.any_of(kinds);
  const Sizes sizes = x.shape().sizes();
  const Tensor a = integer_input(kind, sizes, 0, 9);
  const Tensor b = integer_input(kind, dice_.one_in(2) ? sizes : Sizes{}, 1, 5);
  Tensor result;
  switch (dice_.pick(6)) {
    case 0:
      result = a + b;
      break;
    case 1:
      result = a * b;
      break;
    case 2:
      result = max(a, {b});
      break;
    case 3:
      result = mod(a, b);
      break;
    case 4:
      result = a / b;
      break;
    default:
      result = bitwise_and(a, b);
  }
  if (dice_.one_in(3)) others_.push_back(reduce_sum(result, random_axes(result.rank()), {.keepdims = dice_.one_in(2)}));
  if (dice_.one_in(3)) others_.push_back(result);
  if (dice_.one_in(2)) return keep(where(greater(result, b), x, scalar(0.5)), magnitude_of(x));
  keep(x * (cast(result, dtype_) * 0.125), 4 * magnitude_of(x));
}

void CaseGrower::drop_out() {
  const Tensor x = pick();
  const Tensor seed = graph().constant(Array::scalar_i64(static_cast<std::int64_t>(dice_.below(100))).cast(DType::u64));
  const Tensor step = graph().constant(Array::scalar_i64(static_cast<std::int64_t>(dice_.below(9))).cast(DType::u64));
  const DropoutOutputs dropped = dropout(x, seed, step, {.ratio = 0.25});
  if (dice_.one_in(3)) others_.push_back(dropped.mask);
  keep(dropped.y, 2 * magnitude_of(x));
}

void CaseGrower::share_cheap(const Tensor& x) {
  if (x.rank() == 0 || element_count(x.shape().sizes()) == 0) return;
  const Tensor cheap = dice_.one_in(2) ? x * dice_.between(0.5, 2) : x + weight({x.shape().sizes().back()}, 1);
  if (dice_.one_in(2)) keep(tanh(cheap), 1);
  const Sizes sizes = x.shape().sizes();
  switch (dice_.pick(5)) {
    case 0: {
      std::vector<std::int64_t> perm;
      for (std::int64_t axis = x.rank(); axis-- > 0;) perm.push_back(axis);
      return keep(exp(transpose(cheap, {.perm = perm}) * 0.25), 8);
    }
    case 1: {
      if (x.rank() == 4) return;
      Sizes repeats(sizes.size() + 1, 1);
      repeats[0] = 2;
      // At once reduced again, so that it may be large.
      return keep(reduce_mean(exp(cheap * weight(repeats, 0.5)), Ints{0}, {.keepdims = false}), 8);
    }
    case 2: {
      const Tensor indices = integer_input(DType::i64, {sizes[0]}, 0, sizes[0] - 1);
      return keep(gather(cheap, indices) * 0.5, 2);
    }
    case 3:
      return keep(sort(cheap, {.axis = random_axis(x)}).values, 4);
    default: {
      // A result of the graph, that a kernel after a sum over all rows reads as well.
      others_.push_back(dice_.one_in(2) ? cheap : reshape(cheap, Ints{-1}));
      return keep(cheap - reduce_mean(cheap, Ints{0}), 4);
    }
  }
}

}  // namespace asg
