#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::fold_inputs<double>(ctx, ops::wrapping_add<double>);
  const auto count = static_cast<double>(ctx.input_count());
  for (double& sum : ctx.out().mutable_data<double>()) sum /= count;
}

void body(BodyContext& ctx) {
  const Tensor sum = add_op("Sum", ctx.inputs);
  ctx.output(sum / static_cast<double>(ctx.input_count()));
}

void gradient(GradientContext& ctx) {
  const Tensor share = ctx.grad() / static_cast<double>(ctx.input_count());
  for (int index = 0; index < ctx.input_count(); ++index) {
    if (ctx.needs(index)) ctx.set_summed(index, share);
  }
}

}  // namespace

OpCard card_mean() {
  return ops::variadic_op(
      {
          .name = "Mean",
          .body = body,
          .kernel = kernel,
          .gradient = gradient,
          .onnx = {{.op = "Mean", .since = 13}},
          .torch = "torch.mean",
          .words =
              {.what = {"The mean of several tensors at each place, with broadcasting; with one input, that input. For "
                        "the mean of the elements of one tensor there is ReduceMean.",
                        "Среднее нескольких тензоров на каждом месте, с растягиванием форм; если вход один, то это он "
                        "сам. Для среднего по элементам одного тензора есть ReduceMean."},
               .formula = "y = \\frac{1}{n} \\sum_{i=1}^{n} x_{i}",
               .why = {"Averages the predictions of an ensemble or of several crops of one picture, which smooths out "
                       "the mistakes that they do not share. Each of the n inputs gets one n-th of the gradient.",
                       "Усредняет предсказания ансамбля или нескольких фрагментов одного изображения и тем сглаживает "
                       "ошибки, которые у них не общие. Каждому из n входов достаётся n-я доля градиента."}},
          .samples = ops::join(
              {ops::variadic_samples(),
               {ops::exact3("three", {3, 0, ops::kInfinity}, {1, 3, 1}, {2, 6, ops::kNan}, {2, 3, ops::kNan})}}),
      },
      kFloats);
}

}  // namespace asg::cards
