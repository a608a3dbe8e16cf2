#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const Tensor difference = ctx.in(0) - ctx.in(1);
  ctx.output(ops::reduced(ctx, difference * difference));
}

}  // namespace

OpCard card_mean_squared_error() {
  return {
      .name = "loss.MeanSquaredError",
      .category = Category::loss,
      .inputs = loss::pair_ports({"what the model gives", "что выдаёт модель"},
                                 {"what it should give", "что она должна выдать"}),
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.mse_loss",
      .words = {.what = {"The squared difference between prediction and target, averaged over all elements unless "
                         "`reduction` says otherwise. An error twice as large costs four times as much.",
                         "Квадрат разности предсказания и цели, усреднённый по всем элементам, если `reduction` не "
                         "велит иного. Вдвое большая ошибка стоит вчетверо дороже."},
                .formula = R"(L = \frac{1}{n} \sum_i (p_i - t_i)^2)",
                .why = {"The usual loss where a number is to be predicted: minimising it maximises the likelihood "
                        "under Gaussian noise, and its minimum is the conditional mean. Diffusion models learn with it "
                        "to predict the noise in a picture.",
                        "Обычная функция потерь, когда нужно предсказать число: минимизировать её — значит "
                        "максимизировать правдоподобие при гауссовом шуме, а минимум достигается на условном среднем. "
                        "По ней диффузионные модели учатся предсказывать шум в изображении."}},
      .samples =
          ops::join({loss::pair_samples({}, {1, 3}),
                     {loss::exact_pair("exact", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25}, {0.25, 0.25, 2.25, 0})}}),
      .bad_samples = {loss::refuse_other_shape()},
  };
}

}  // namespace asg::loss_cards
