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
      .body = body,
      .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::less_equal<>()); },
      .onnx = {{.op = "LessOrEqual", .since = 16}},
      .torch = "torch.le",
      .words =
          {.what = {"Tells for each place whether the first element is at most as large as the second, with "
                    "broadcasting. Equal numbers count; a NaN on either side makes it false.",
                    "Говорит для каждого места, не больше ли первый элемент второго, с растягиванием форм. Равные "
                    "числа подходят; NaN с любой стороны даёт ложь."},
           .formula = "y = (a \\le b)",
           .why =
               {"Tells padding from content when positions are compared with lengths, and finds where a piecewise "
                "function uses its lower piece. The smooth L1 loss chooses its square where the error is at most beta.",
                "Отличает содержимое от заполнения, когда номера позиций сравнивают с длинами, и находит, где у "
                "кусочной функции нижний кусок. Гладкая потеря L1 берёт квадрат там, где ошибка не больше beta."}},
      .samples = ops::comparison_samples({true, false, false, false, true, false}, {true, false, true}),
  });
}

}  // namespace asg::cards
