#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(ops::choose(ctx.in(0), ctx.in(1), ctx.in(0))); }

}  // namespace

OpCard card_and() {
  return ops::logic_op(
      {
          .name = "And",
          .scalar = ScalarOp::logical_and,
          .body = body,
          .onnx = {{.op = "And", .since = 7}},
          .torch = "torch.logical_and",
          .words =
              {.what = {"True where both elements are true, with broadcasting. It takes bools only; for the bits of "
                        "integers there is BitwiseAnd.",
                        "Истина там, где истинны оба элемента, с растягиванием форм. Принимает только логические "
                        "значения; для битов целых есть BitwiseAnd."},
               .formula = "y = a \\land b",
               .why =
                   {"Combines conditions: an attention mask allows a place that is both earlier in the text and no "
                    "padding. A detector keeps a box that has passed the threshold and is not covered by a better one.",
                    "Соединяет условия: маска внимания разрешает место, которое стоит раньше в тексте и не является "
                    "заполнением. Детектор оставляет рамку, которая прошла порог и не перекрыта лучшей."}},
          .samples = ops::logic_samples({false, false, false, true}),
      },
      [](bool a, bool b) { return a && b; });
}

}  // namespace asg::cards
