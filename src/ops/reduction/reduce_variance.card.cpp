#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/operands.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Two passes: differences from the mean are squared, so that a large mean does not swallow them.
void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const double groups = static_cast<double>(ctx.out().count());
  const double count = static_cast<double>(x.count()) / groups;
  const auto add_share = [count](double mean, double value) { return mean + value / count; };
  const auto square = [](double value, double mean) { return (value - mean) * (value - mean); };
  const auto found = ops::fold_around_pivots(x, ops::kernel_axes(ctx, 1), 0, add_share, square);
  const auto sums = found.sums.data<double>();
  const auto out = ctx.out().mutable_data<double>();
  const double divisor = count - static_cast<double>(ctx.integer("correction"));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = sums[k] / divisor;
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const auto axes = ops::axes_or_all(ctx, x, ctx.has(1) ? ctx.in(1) : Tensor());
  const Tensor centred = x - ops::reduce_keeping("ReduceMean", x, axes);
  const Tensor sum = ops::reduce_keeping("ReduceSum", centred * centred, axes);
  const Tensor kept = sum * ops::reciprocal_count(x, axes, ctx.integer("correction"));
  ops::output_reduced(ctx, kept, axes);
}

// All choices of axes and keepdims with the divisor n, and with n - 1 where every group has two elements or more.
std::vector<Sample> samples() {
  std::vector<Sample> all = ops::reduction_samples();
  // Without axes every element is a group of its own, whose variance is 0 whatever it is.
  std::erase_if(all, [](const Sample& sample) { return sample.attrs.find("noop_with_empty_axes") != nullptr; });
  const std::size_t plain = all.size();
  for (std::size_t k = 0; k < plain; ++k) {
    if (!all[k].gradient) continue;
    all.push_back(all[k]);
    all.back().name += "_corrected";
    all.back().attrs.set("correction", 1);
  }
  all.push_back(ops::exact_rows("by_hand", {{1, 2, 3, 6}, {5, 5, 5, 5}}, {3.5, 0}));
  all.push_back(ops::exact_rows("corrected_by_hand", {{1, 2, 6}, {5, 5, 5}}, {7, 0}, {{"correction", 1}}));
  all.push_back(ops::exact_rows("large_mean", {{1e9 + 1, 1e9 - 1}}, {1}));
  all.push_back(ops::exact_rows("of_one", {{4}}, {0}));
  all.push_back(ops::exact_rows("of_one_corrected", {{4}}, {ops::kNan}, {{"correction", 1}}));
  all.push_back({.name = "of_nothing",
                 .inputs = {in({1, 0}), in_ints({1}, {1})},
                 .attrs = {{"keepdims", false}},
                 .gradient = false,
                 .expected = {ops::reals({ops::kNan})}});
  return all;
}

}  // namespace

OpCard card_reduce_variance() {
  OpCard card = ops::reduction_card("ReduceVariance", kFloats);
  card.attributes.pop_back();  // no axes always mean all
  card.attributes.push_back({.name = "correction",
                             .kind = AttrKind::integer,
                             .fallback = 0,
                             .choices = {0, 1},
                             .words = {"Divide by n - correction: 0 for the variance of these elements, 1 to estimate "
                                       "that of the population they were drawn from.",
                                       "Делить на n - correction: 0 — дисперсия самих элементов, 1 — оценка дисперсии "
                                       "совокупности, из которой они взяты."}});
  card.body = body;
  card.kernel = kernel;
  card.gradient_kind = GradientKind::body;
  card.cost = ops::cost_per_input(4);
  card.torch = "torch.var";
  card.words = {
      .what =
          {"The mean squared distance of the elements from their mean, along the given axes. With `correction` 1 the "
           "sum is divided by n - 1, because a mean taken from the same elements lies too close to them; a single "
           "element then gives NaN, and so do no elements. Every element moves the mean too, and the gradient counts "
           "that.",
           "Средний квадрат расстояния элементов от их среднего вдоль данных осей. При `correction` 1 сумма делится на "
           "n - 1, потому что среднее, взятое по тем же элементам, лежит к ним слишком близко; один элемент тогда даёт "
           "NaN, как и пустой набор. Каждый элемент сдвигает и среднее, и градиент это учитывает."},
      .formula = R"(y = \frac{1}{n - c} \sum_{i=1}^{n} (x_i - \bar{x})^2)",
      .why = {"LayerNorm and BatchNorm divide by its root, so that activations keep one scale from layer to layer. "
              "Watched over training it shows activations that die out or blow up.",
              "LayerNorm и BatchNorm делят на корень из неё, чтобы активации от слоя к слою сохраняли один масштаб. "
              "Если следить за ней при обучении, видно, как активации затухают или разрастаются."}};
  card.samples = samples();
  return card;
}

}  // namespace asg::cards
