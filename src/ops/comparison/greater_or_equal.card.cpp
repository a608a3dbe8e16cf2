#include <functional>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"

namespace asg::cards {
namespace {

// Not the opposite of Less: with NaN neither holds.
void body(BodyContext& ctx) {
  const Tensor beyond = add_op("Greater", ctx.inputs);
  const Tensor equal = add_op("Equal", ctx.inputs);
  ctx.output(add_op("Or", {beyond, equal}));
}

}  // namespace

OpCard card_greater_or_equal() {
  return ops::comparison({
      .name = "GreaterOrEqual",
      .scalar = ScalarOp::greater_or_equal,
      .body = body,
      .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::greater_equal<>()); },
      .onnx = {{.op = "GreaterOrEqual", .since = 16}},
      .torch = "torch.ge",
      .words =
          {.what =
               {"Tells for each place whether the first element is at least as large as the second, with broadcasting. "
                "NaN is neither greater than, equal to, nor less than anything, so beside it the answer is false.",
                "Говорит для каждого места, не меньше ли первый элемент второго, с растягиванием форм. NaN не больше, "
                "не меньше и не равен ничему, поэтому рядом с ним ответ — ложь."},
           .formula = "y = (a \\ge b)",
           .why =
               {"Builds masks that include the boundary: a causal mask lets a position see itself and what is earlier, "
                "so row number ≥ column number. Margin losses ask with it which examples already keep their distance.",
                "Строит маски, включающие границу: причинная маска разрешает позиции видеть себя и то, что раньше, то "
                "есть номер строки ≥ номера столбца. В потерях с зазором она показывает, какие примеры уже держат "
                "дистанцию."}},
      .samples = ops::comparison_samples({true, true, false, true, true, false}, {true, true, false}),
  });
}

}  // namespace asg::cards
