#include <functional>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"

namespace asg::cards {
namespace {

// Not the opposite of Greater: with NaN neither holds.
void body(BodyContext& ctx) {
  const Tensor beyond = add_op("Less", ctx.inputs);
  const Tensor equal = add_op("Equal", ctx.inputs);
  ctx.output(add_op("Or", {beyond, equal}));
}

}  // namespace

OpCard card_less_or_equal() {
  return ops::comparison({
      .name = "LessOrEqual",
      .scalar = ScalarOp::less_or_equal,
      .body = body,
      .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::less_equal<>()); },
      .onnx = {{.op = "LessOrEqual", .since = 16}},
      .torch = "torch.le",
      .words = {.what = {"Tells for each place whether the first element is at most as large as the second, with "
                         "broadcasting. Equal numbers count; a NaN on either side makes it false.",
                         "Говорит для каждого места, не больше ли первый элемент второго, с растягиванием форм. Равные "
                         "числа подходят; NaN с любой стороны даёт ложь."},
                .formula = "y = (a \\le b)",
                .why = {"Top-p sampling keeps a word as long as the likelier words before it sum to at most p. It also "
                        "finds where a piecewise function uses its lower piece: Shrink sets to zero what is at most "
                        "lambd away from zero.",
                        "Выборка top-p оставляет слово, пока более вероятные слова перед ним в сумме дают не больше p. "
                        "Ещё она находит, где у кусочной функции нижний кусок: Shrink обнуляет то, что отстоит от нуля "
                        "не больше чем на lambd."}},
      .samples = ops::comparison_samples({true, false, false, false, true, false}, {true, false, true}),
  });
}

}  // namespace asg::cards
