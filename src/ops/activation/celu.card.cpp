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
                          .words = {"the floor lies at -alpha, and the bend is as many times wider; must not be 0",
                                    "пол лежит на уровне −alpha, и во столько же раз шире изгиб; не может быть 0"}}},
          .infer = infer,
          .onnx = {{.op = "Celu", .since = 12}},
          .torch = "torch.nn.functional.celu",
          .words =
              {.what = {"An Elu whose slope at zero is 1 for every alpha, because the exponential is stretched along x "
                        "as much as along y. Positive elements pass unchanged; with a positive alpha very negative "
                        "ones tend to -alpha.",
                        "Elu, у которой наклон в нуле равен 1 при любом alpha: экспонента растянута по x так же, как "
                        "по y. Положительные элементы проходят без изменений, а сильно отрицательные при положительном "
                        "alpha стремятся к −alpha."},
               .formula = "y = \\max(x, 0) + \\min(0, \\alpha (e^{x / \\alpha} - 1))",
               .why = {"Its derivative has no jump, which matters where the derivative of a network is itself a "
                       "result: the ANI potentials of chemistry use Celu with alpha 0.1, because forces are slopes of "
                       "the predicted energy. A small alpha brings it close to Relu, a large one to a straight line.",
                       "Её производная не имеет скачка, и это важно там, где производная сети сама служит ответом: "
                       "потенциалы ANI в химии берут Celu с alpha = 0,1, потому что силы — это наклоны предсказанной "
                       "энергии. Малое alpha приближает её к Relu, большое — к прямой."}},
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
