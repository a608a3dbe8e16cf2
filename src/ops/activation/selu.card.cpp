#include "asg/graph/card.h"
#include "ops/activation/elu_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// The fixed point of mean 0 and variance 1 (Klambauer and others, 2017). ONNX writes the same numbers rounded to f32.
constexpr double kAlpha = 1.6732632423543772848170429916717;
constexpr double kGamma = 1.0507009873554804934193349852946;

}  // namespace

OpCard card_selu() {
  return ops::bent_activation(
      {
          .name = "Selu",
          .attributes = {{.name = "alpha",
                          .kind = AttrKind::real,
                          .fallback = Attr(kAlpha),
                          .words = {"depth of the bend below zero, before scaling",
                                    "глубина изгиба ниже нуля, до масштабирования"}},
                         {.name = "gamma",
                          .kind = AttrKind::real,
                          .fallback = Attr(kGamma),
                          .words = {"scale of the whole function, its slope above zero",
                                    "масштаб всей функции, её наклон выше нуля"}}},
          .onnx = {{.op = "Selu", .since = 6}},
          .torch = "torch.nn.functional.selu",
          .words = {.what = {"A scaled Elu with two constants. Their default values are chosen so that inputs of mean "
                             "0 and variance 1 give outputs of mean 0 and variance 1 again; other values give that up.",
                             "Масштабированная Elu с двумя постоянными. По умолчанию они выбраны так, что входы со "
                             "средним 0 и дисперсией 1 дают выходы снова со средним 0 и дисперсией 1; с другими "
                             "значениями это свойство теряется."},
                    .formula = "y = \\gamma \\begin{cases} x & x > 0 \\\\ \\alpha (e^{x} - 1) & x \\le 0 \\end{cases}",
                    .why = {"Keeps the signal at the same strength through many layers without any normalisation "
                            "layer. The proof holds for plain feed-forward networks with LeCun initialisation and "
                            "alpha dropout; elsewhere it is just another activation.",
                            "Удерживает силу сигнала через много слоёв без слоёв нормализации. Доказательство верно "
                            "для обычных сетей прямого распространения с инициализацией Лекуна и alpha dropout; в "
                            "других местах это просто ещё одна активация."}},
          .samples = ops::join(
              {ops::kinked_samples(),
               {{.name = "other_alpha", .inputs = {ops::both_signs()}, .attrs = {{"alpha", 2.5}}},
                {.name = "other_gamma", .inputs = {ops::both_signs()}, .attrs = {{"gamma", 0.7}}},
                {.name = "both_given", .inputs = {ops::both_signs()}, .attrs = {{"alpha", 2.0}, {"gamma", 3.0}}},
                ops::exact("kink_and_extremes", {0, 1, -1, -2, -1000, 1000, ops::kNan},
                           {0, 1.0507009873554805, -1.1113307378125625, -1.5201664685956948, -1.7580993408473766,
                            1050.7009873554805, ops::kNan})}}),
      },
      [](const AttrReader& attributes) {
        const double gamma = attributes.real("gamma");
        return ops::Bend{.slope = gamma, .floor = gamma * attributes.real("alpha"), .width = 1};
      });
}

}  // namespace asg::cards
