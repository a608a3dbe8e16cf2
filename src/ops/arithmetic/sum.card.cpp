#include "asg/graph/card.h"
#include "ops/support/elementwise.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) { ops::fold_inputs<double>(ctx, ops::wrapping_add<double>); }

void body(BodyContext& ctx) {
  ops::variadic_body(ctx, [](const Tensor& sum, const Tensor& next) { return sum + next; });
}

void gradient(GradientContext& ctx) {
  for (int index = 0; index < ctx.input_count(); ++index) {
    if (ctx.needs(index)) ctx.set_summed(index, ctx.grad());
  }
}

}  // namespace

OpCard card_sum() {
  return ops::variadic_op(
      {
          .name = "Sum",
          .body = body,
          .kernel = kernel,
          .gradient = gradient,
          .onnx = {{.op = "Sum", .since = 13}},
          .torch = "torch.add",
          .words = {.what = {"Adds any number of tensors element by element, with broadcasting; with one input, that "
                             "input. To add up the elements of one tensor use ReduceSum.",
                             "Складывает сколько угодно тензоров поэлементно, с растягиванием форм; если вход один, то "
                             "это он сам. Для суммы элементов одного тензора есть ReduceSum."},
                    .formula = "y = \\sum_{i} x_{i}",
                    .why = {"Merges branches: BERT adds the embeddings of token, position and segment into one vector "
                            "before its first block. Every branch gets the whole gradient, whatever their number.",
                            "Сливает ветви: BERT складывает эмбеддинги токена, позиции и сегмента в один вектор перед "
                            "первым блоком. Каждая ветвь получает градиент целиком, сколько бы их ни было."}},
          .samples = ops::join(
              {ops::variadic_samples(),
               {ops::exact3("three", {3, 0, ops::kInfinity}, {1, 3, 1}, {2, 6, -ops::kInfinity}, {6, 9, ops::kNan})}}),
      },
      kFloats);
}

}  // namespace asg::cards
