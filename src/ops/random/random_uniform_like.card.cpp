#include "ops/random/random_parts.h"

namespace asg::cards {
namespace {

double draw(const KernelContext& ctx, const RandomStream& random, std::uint64_t position) {
  const double low = ctx.real("low");
  return low + (ctx.real("high") - low) * random.uniform(position);
}

}  // namespace

OpCard card_random_uniform_like() {
  OpCard card{
      .name = "RandomUniformLike",
      .onnx = {{.op = "RandomUniformLike", .since = 1}},
      .words = {.what = {"One uniform number between `low` and `high` for every element of x, `high` itself excluded "
                         "before rounding. The result takes shape and type from x; its values are not looked at.",
                         "По одному равномерному числу от `low` до `high` на каждый элемент x; сама граница `high` до "
                         "округления не выпадает. От x берутся форма и тип, значения не используются."},
                .formula = R"(y_i \sim U[a, b), \quad \operatorname{shape}(y) = \operatorname{shape}(x))",
                .why = {"Uniform noise u of the shape of the logits, added to them as -ln(-ln u), turns an argmax into "
                        "a random choice by their softmax (the Gumbel trick). Stochastic depth asks it once per "
                        "example whether a layer is skipped.",
                        "Равномерный шум u той же формы, что логиты, прибавленный к ним как −ln(−ln u), превращает "
                        "argmax в случайный выбор с вероятностями softmax (приём Гумбеля). При стохастической глубине "
                        "по такому числу для каждого примера решают, пропустить ли слой."}},
  };
  ops::fill_like(card,
                 {{.name = "low", .fallback = 0.0, .other = -1.5, .words = {"the least number", "наименьшее число"}},
                  {.name = "high",
                   .fallback = 1.0,
                   .other = 2.0,
                   .words = {"the number below which all lie", "число, ниже которого лежат все"}}},
                 draw);
  return card;
}

}  // namespace asg::cards
