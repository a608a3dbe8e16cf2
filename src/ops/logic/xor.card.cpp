#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(add_op("Not", {add_op("Equal", ctx.inputs)})); }

}  // namespace

OpCard card_xor() {
  return ops::logic_op(
      {
          .name = "Xor",
          .scalar = ScalarOp::logical_xor,
          .body = body,
          .onnx = {{.op = "Xor", .since = 7}},
          .torch = "torch.logical_xor",
          .words =
              {.what = {"True where exactly one of the two elements is true, with broadcasting. In other words, it "
                        "asks whether they differ: two trues give false.",
                        "Истина там, где истинен ровно один из двух элементов, с растягиванием форм. Иначе говоря, "
                        "спрашивает, различаются ли они: два истинных дают ложь."},
               .formula = "y = a \\oplus b",
               .why =
                   {"Marks disagreements: where two masks or two classifiers give different answers. It is also the "
                    "classic function that no single linear layer can learn, the reason why networks have hidden "
                    "layers.",
                    "Отмечает расхождения: места, где две маски или два классификатора отвечают по-разному. Ещё это "
                    "классическая функция, которую не выучит один линейный слой: из-за таких и нужны скрытые слои."}},
          .samples = ops::logic_samples({false, true, true, false}),
      },
      [](bool a, bool b) { return a != b; });
}

}  // namespace asg::cards
