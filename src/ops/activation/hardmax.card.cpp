#include <cmath>

#include "asg/graph/card.h"
#include "ops/activation/softmax_parts.h"
#include "ops/support/cost.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// NaN counts as the largest, as it does for ArgMax.
bool exceeds(double value, double best) { return value > best || (std::isnan(value) && !std::isnan(best)); }

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const double* from = x.data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  const auto lanes = ops::lanes_of(x.sizes(), normalize_axis(ctx.integer("axis"), x.rank()));
  if (lanes.length == 0) return;
  ops::for_each_lane(lanes, [&](std::int64_t first) {
    std::int64_t best = first;
    for (std::int64_t along = 1; along < lanes.length; ++along) {
      const std::int64_t at = first + along * lanes.after_count;
      if (exceeds(from[at], from[best])) best = at;
    }
    to[best] = 1;
  });
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = ops::softmax_samples();
  for (Sample& sample : samples) sample.gradient = false;
  samples.push_back(ops::exact("first_of_equals", {1, 3, 3, 2}, {0, 1, 0, 0}));
  samples.push_back(ops::exact("extremes", {-ops::kInfinity, 5, ops::kInfinity, -1}, {0, 0, 1, 0}));
  samples.push_back(ops::exact("nan_counts_as_largest", {1, ops::kNan, ops::kInfinity, ops::kNan}, {0, 1, 0, 0}));
  samples.push_back({.name = "by_column",
                     .inputs = {in_exact(Array::of<double>({2, 3}, {1, 5, 2, 3, 4, 2}))},
                     .attrs = {{"axis", 0}},
                     .gradient = false,
                     .expected = {Array::of<double>({2, 3}, {0, 1, 1, 1, 0, 0})}});
  return samples;
}

}  // namespace

OpCard card_hardmax() {
  return ops::softmax_op({
      .name = "Hardmax",
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason =
          "The winner stays the winner when the numbers move a little, so the slope is 0 wherever there is one.",
      .cost = ops::cost_per_output(1),
      .onnx = {{.op = "Hardmax", .since = 13}},
      .tolerance = ops::kExact,
      .words = {.what = {"Along one axis puts 1 at the largest element and 0 everywhere else. Of several equal ones "
                         "the first wins, and NaN counts as larger than any number.",
                         "Вдоль одной оси ставит 1 на месте наибольшего элемента и 0 на всех остальных. Из нескольких "
                         "равных побеждает первый, а NaN считается больше любого числа."},
                .formula = "y_{i} = (i = \\arg \\max_{j} x_{j})",
                .why = {"What Softmax becomes when its temperature goes to zero: a decision instead of a distribution. "
                        "It has no useful gradient, so models that must choose use a softmax in the backward pass, as "
                        "Gumbel-softmax does.",
                        "То, чем становится Softmax, когда температура падает до нуля: решение вместо распределения. "
                        "Полезного градиента у неё нет, поэтому модели, которым надо выбирать, на обратном проходе "
                        "берут softmax, как в Gumbel-softmax."}},
      .samples = samples(),
  });
}

}  // namespace asg::cards
