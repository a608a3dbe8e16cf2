#include "asg/graph/card.h"
#include "ops/activation/elu_parts.h"
#include "ops/support/infer.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  if (ctx.real("alpha") == 0) {
    fail(ErrorCode::bad_attribute, "alpha = 0", "an alpha that is not 0, since x is divided by it",
         "use relu, which Celu tends to as alpha goes to 0");
  }
  ops::infer_same(ctx);
}

}  // namespace

OpCard card_celu() {
  return ops::bent_activation(
      {
          .name = "Celu",
          .attributes = {{.name = "alpha",
                          .kind = AttrKind::real,
                          .fallback = Attr(1.0),
                          .words = {"The floor lies at -alpha, and the bend is that much wider too; not 0.",
                                    "Пол лежит на уровне −alpha, и во столько же раз шире изгиб; не 0."}}},
          .infer = infer,
          .onnx = {{.op = "Celu", .since = 12}},
          .torch = "torch.nn.functional.celu",
          .words = {.what = {"An Elu whose slope at zero is 1 for every alpha: the exponential is stretched along x as "
                             "much as along y. Far below zero it tends to -alpha.",
                             "Elu, у которой наклон в нуле равен 1 при любом alpha: экспонента растянута по x так же, "
                             "как по y. Далеко ниже нуля она стремится к −alpha."},
                    .formula = "y = \\max(x, 0) + \\min(0, \\alpha (e^{x / \\alpha} - 1))",
                    .why = {"Because its derivative has no jump, alpha can be tuned without making the network harder "
                            "to train. Small values approach Relu, large ones a straight line.",
                            "Производная не имеет скачка, поэтому alpha можно подбирать, не усложняя обучение. Малые "
                            "значения приближают её к Relu, большие — к прямой."}},
          .samples = ops::join(
              {ops::kinked_samples(),
               {{.name = "wider", .inputs = {ops::both_signs()}, .attrs = {{"alpha", 2.5}}},
                ops::exact("kink_and_extremes", {0, -1, -2, -1000, 1000, ops::kNan},
                           {0, -0.7869386805747332, -1.2642411176571153, -2, 1000, ops::kNan}, {{"alpha", 2.0}})}}),
          .bad_samples = {ops::refuse_integers(),
                          {.name = "alpha_zero",
                           .inputs = {in({2})},
                           .attrs = {{"alpha", 0.0}},
                           .code = ErrorCode::bad_attribute,
                           .contains = "alpha = 0"}},
      },
      [](const AttrReader& attributes) {
        const double alpha = attributes.real("alpha");
        return ops::Bend{.slope = 1, .floor = alpha, .width = alpha};
      });
}

}  // namespace asg::cards
