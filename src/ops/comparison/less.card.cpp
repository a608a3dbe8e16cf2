#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::binary<T, bool>(ctx, [](T a, T b) { return a < b; }); });
}

}  // namespace

OpCard card_less() {
  return {
      .name = "Less",
      .category = Category::comparison,
      .inputs = ops::operand_ports(kNumbers),
      .outputs = ops::bool_port(),
      .traits = {.elementwise = true},
      .infer = ops::infer_broadcast_to_bool,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason =
          "A comparison jumps between false and true and is flat elsewhere, so its slope is 0 wherever it has one.",
      .onnx = {{.op = "Less", .since = 13}},
      .torch = "torch.lt",
      .tolerance = ops::kExact,
      .words = {.what = {"Tells for each place whether the first element is smaller than the second, with "
                         "broadcasting. Any comparison with NaN is false.",
                         "Говорит для каждого места, меньше ли первый элемент второго, с растягиванием форм. "
                         "Всякое сравнение с NaN ложно."},
                .formula = "y = (a < b)",
                .why = {"Comparing positions with a length masks the padding of a batch, and comparing random "
                        "numbers with a probability draws a dropout mask.",
                        "Сравнение номеров позиций с длиной закрывает маской заполнение в пакете, а сравнение "
                        "случайных чисел с вероятностью рисует маску dropout."}},
      .samples = ops::join({ops::binary_samples({}, {}, false),
                            {{.name = "ties_and_nan",
                              .inputs = {in_exact(ops::reals({1, 1, ops::kNan, -ops::kInfinity, 0})),
                                         in_exact(ops::reals({1, 2, 0, 5, -0.0}))},
                              .gradient = false,
                              .expected = {ops::bools({false, true, false, true, false})}},
                             {.name = "integers",
                              .inputs = {in_ints({3}, {1, -2, -3}), in_ints({3}, {1, 2, -4})},
                              .gradient = false,
                              .expected = {ops::bools({false, true, false})}}}}),
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes(), ops::refuse_bool_operands()},
  };
}

}  // namespace asg::cards
