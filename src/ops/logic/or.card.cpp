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
          .body = body,
          .onnx = {{.op = "Or", .since = 7}},
          .torch = "torch.logical_or",
          .words = {.what = {"True where at least one of the two elements is true, with broadcasting.",
                             "Истина там, где истинен хотя бы один из двух элементов, с растягиванием форм."},
                    .formula = "y = a \\lor b",
                    .why = {"Joins masks: a token is left out of the loss if it is padding or belongs to the question.",
                            "Объединяет маски: токен не входит в потерю, если он заполнение или относится к вопросу."}},
          .samples = ops::logic_samples({false, true, true, true}),
      },
      [](bool a, bool b) { return a || b; });
}

}  // namespace asg::cards
