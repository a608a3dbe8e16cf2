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
          .body = body,
          .onnx = {{.op = "And", .since = 7}},
          .torch = "torch.logical_and",
          .words = {.what = {"True where both elements are true, with broadcasting.",
                             "Истина там, где истинны оба элемента, с растягиванием форм."},
                    .formula = "y = a \\land b",
                    .why = {"Combines conditions: an attention mask allows a place that is both earlier in the text "
                            "and no padding.",
                            "Соединяет условия: маска внимания разрешает место, которое и раньше в тексте, и не "
                            "является заполнением."}},
          .samples = ops::logic_samples({false, false, false, true}),
      },
      [](bool a, bool b) { return a && b; });
}

}  // namespace asg::cards
