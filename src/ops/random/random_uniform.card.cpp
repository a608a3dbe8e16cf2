#include "ops/random/random_parts.h"

namespace asg::cards {
namespace {

double draw(const KernelContext& ctx, const RandomStream& random, std::uint64_t position) {
  const double low = ctx.real("low");
  return low + (ctx.real("high") - low) * random.uniform(position);
}

}  // namespace

OpCard card_random_uniform() {
  OpCard card{
      .name = "RandomUniform",
      .onnx = {{.op = "RandomUniform", .since = 1}},
      .words =
          {.what = {"A tensor of the given shape whose numbers lie anywhere between two bounds with equal probability; "
                    "the upper bound itself is never drawn before rounding. The same seed, step and node give the same "
                    "numbers again.",
                    "Тензор заданной формы, числа которого равновероятно лежат где угодно между двумя границами; сама "
                    "верхняя граница до округления не выпадает. Те же зерно, шаг и узел снова дают те же числа."},
           .formula = R"(y_i \sim U[a, b))",
           .why = {"Other random choices are made of uniform numbers: compared with a probability they are a coin, as "
                   "for flipping a picture, and scaled they are a random shift or crop. Drawn between -a and a with a "
                   "= √(6 / (inputs + outputs)) they are the usual first weights of a linear layer.",
                   "Из равномерных чисел делается любая другая случайность: сравните с вероятностью — получится "
                   "монета, например для отражения изображения; растяните — случайный сдвиг или обрезка. Взятые от −a "
                   "до a с a = √(6 / (входы + выходы)), они служат обычными начальными весами линейного слоя."}},
  };
  ops::fill_by_shape(
      card,
      {{.name = "low", .fallback = 0.0, .other = -1.5, .words = {"the least number", "наименьшее число"}},
       {.name = "high",
        .fallback = 1.0,
        .other = 2.0,
        .words = {"the number below which all lie", "число, ниже которого лежат все"}}},
      draw);
  return card;
}

}  // namespace asg::cards
