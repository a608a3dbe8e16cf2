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
      .words =
          {.what = {"One uniform number between `low` and `high` for every element of x. The values of x are not "
                    "looked at.",
                    "По одному равномерному числу от `low` до `high` на каждый элемент x. Значения x не используются."},
           .formula = R"(y_i \sim U[a, b), \quad \operatorname{shape}(y) = \operatorname{shape}(x))",
           .why = {"Noise of the shape of the logits turns a softmax into a random choice (the Gumbel trick), and "
                   "stochastic depth asks once per example whether a layer is skipped.",
                   "Шум формы логитов превращает softmax в случайный выбор (приём Гумбеля), а при стохастической "
                   "глубине так решают для каждого примера, пропустить ли слой."}},
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
