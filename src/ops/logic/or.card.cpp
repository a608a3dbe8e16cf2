#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(ops::choose(ctx.in(0), ctx.in(0), ctx.in(1))); }

}  // namespace

OpCard card_or() {
  return ops::logic_op(
      {
          .name = "Or",
          .scalar = ScalarOp::logical_or,
          .body = body,
          .onnx = {{.op = "Or", .since = 7}},
          .torch = "torch.logical_or",
          .words = {.what = {"True where at least one of the two elements is true, both included, with broadcasting. "
                             "Only two falses give false.",
                             "Истина там, где истинен хотя бы один из двух элементов или оба сразу, с растягиванием "
                             "форм. Ложь дают только два ложных."},
                    .formula = "y = a \\lor b",
                    .why = {"Joins masks: a token is left out of the loss if it is padding or belongs to the question. "
                            "While a batch of texts is generated, a text counts as finished if it was finished before "
                            "or has just got its end token.",
                            "Объединяет маски: токен не входит в потерю, если он заполнение или относится к вопросу. "
                            "При генерации пакета текстов текст считается законченным, если он закончился раньше или "
                            "только что получил конечный токен."}},
          .samples = ops::logic_samples({false, true, true, true}),
      },
      [](bool a, bool b) { return a || b; });
}

}  // namespace asg::cards
