#include "ops/random/random_parts.h"

namespace asg::cards {
namespace {

double draw(const KernelContext& ctx, const RandomStream& random, std::uint64_t position) {
  return ctx.real("mean") + ctx.real("scale") * random.normal(position);
}

}  // namespace

OpCard card_random_normal_like() {
  OpCard card{
      .name = "RandomNormalLike",
      .onnx = {{.op = "RandomNormalLike", .since = 1}},
      .words =
          {.what = {"Draws a number from the bell curve for each element of another tensor, of which only shape and "
                    "type matter. Any batch size therefore gets as much noise as it needs.",
                    "Берёт по числу из нормального распределения на каждый элемент другого тензора, от которого важны "
                    "лишь форма и тип. Поэтому пакет любого размера получает столько шума, сколько ему нужно."},
           .formula = R"(y_i \sim \mathcal{N}(\mu, \sigma^2), \quad \operatorname{shape}(y) = \operatorname{shape}(x))",
           .why = {"A variational autoencoder needs noise of the shape of μ for its step from mean and deviation to a "
                   "sample, z = μ + σ · noise. The gradient then flows through μ and σ, not through the noise.",
                   "Вариационному автокодировщику для перехода от среднего и отклонения к случайному коду, z = μ + σ · "
                   "шум, нужен шум той же формы, что μ. Градиент при этом идёт через μ и σ, а не через шум."}},
  };
  ops::fill_like(
      card,
      {{.name = "mean", .fallback = 0.0, .other = 1.5, .words = {"the mean of the numbers", "среднее чисел"}},
       {.name = "scale",
        .fallback = 1.0,
        .other = 0.25,
        .words = {"their standard deviation", "их стандартное отклонение"}}},
      draw);
  return card;
}

}  // namespace asg::cards
