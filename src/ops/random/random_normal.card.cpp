#include "ops/random/random_parts.h"

namespace asg::cards {
namespace {

double draw(const KernelContext& ctx, const RandomStream& random, std::uint64_t position) {
  return ctx.real("mean") + ctx.real("scale") * random.normal(position);
}

}  // namespace

OpCard card_random_normal() {
  OpCard card{
      .name = "RandomNormal",
      .onnx = {{.op = "RandomNormal", .since = 1}},
      .words =
          {.what =
               {"A tensor of the given shape whose numbers follow the bell curve with the given mean and standard "
                "deviation. The same seed, step and node give the same numbers, on every device.",
                "Тензор заданной формы, числа которого распределены по нормальному закону с данными средним и "
                "стандартным отклонением. Одни и те же зерно, шаг и узел дают одни и те же числа на любом устройстве."},
           .formula = R"(y_i \sim \mathcal{N}(\mu, \sigma^2))",
           .why = {"The noise from which a diffusion model or a GAN makes a picture is drawn like this. Denoising "
                   "autoencoders add it to their input, so that copying it is no longer a solution.",
                   "Так берут шум, из которого диффузионная модель или GAN создаёт изображение. Шумоподавляющие "
                   "автокодировщики прибавляют его ко входу, и просто скопировать вход уже нельзя."}},
  };
  ops::fill_by_shape(
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
