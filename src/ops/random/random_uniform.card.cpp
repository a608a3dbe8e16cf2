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
      .words = {.what = {"A tensor of the given shape whose numbers lie anywhere between two bounds with equal "
                         "probability; the upper bound itself is never drawn before rounding.",
                         "Тензор заданной формы, числа которого равновероятно лежат где угодно между двумя границами; "
                         "сама верхняя граница до округления не выпадает."},
                .formula = R"(y_i \sim U[a, b))",
                .why = {"Uniform numbers decide everything else at random: compare them with a probability for a coin, "
                        "scale them for a random shift or crop of a picture.",
                        "Из равномерных чисел делается любая другая случайность: сравните с вероятностью — получится "
                        "монета, растяните — случайный сдвиг или обрезка картинки."}},
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
