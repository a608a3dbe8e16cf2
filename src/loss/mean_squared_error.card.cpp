#include "loss/support/reduction.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  if (ctx.in(0).shape() != ctx.in(1).shape()) {
    fail(ErrorCode::bad_shape,
         "a prediction of shape " + ctx.in(0).shape().to_string() + " and a target of shape " +
             ctx.in(1).shape().to_string(),
         "equal shapes", "broadcasting a target by accident is a common mistake; expand it if it is meant");
  }
  const Tensor difference = ctx.in(0) - ctx.in(1);
  ctx.output(loss::reduced(ctx, difference * difference));
}

}  // namespace

OpCard card_mean_squared_error() {
  return {
      .name = "loss.MeanSquaredError",
      .category = Category::loss,
      .inputs = {{.name = "prediction", .words = {"what the model gives", "что выдаёт модель"}},
                 {.name = "target", .words = {"what it should give", "что она должна выдать"}}},
      .outputs = {{.name = "loss",
                   .words = {"one number, or one for each element", "одно число или по числу на элемент"}}},
      .attributes = {loss::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.mse_loss",
      .words =
          {.what = {"The squared difference between prediction and target, averaged over all elements. Large errors "
                    "weigh far "
                    "more than small ones.",
                    "Квадрат разности предсказания и цели, усреднённый по всем элементам. Большие ошибки весят намного "
                    "больше "
                    "малых."},
           .formula = R"(L = \frac{1}{n} \sum_i (p_i - t_i)^2)",
           .why =
               {"The usual loss where a number is to be predicted: it is the likelihood under Gaussian noise, and its "
                "minimum is the conditional mean.",
                "Обычная потеря, когда нужно предсказать число: она отвечает правдоподобию при гауссовом шуме, а её "
                "минимум — "
                "условное среднее."}},
      .samples = {{.name = "mean", .inputs = {in({2, 3, 4}), in({2, 3, 4}, 1, 3)}},
                  {.name = "sum", .inputs = {in({3, 4}), in({3, 4})}, .attrs = {{"reduction", "sum"}}},
                  {.name = "none", .inputs = {in({3, 4}), in({3, 4})}, .attrs = {{"reduction", "none"}}}},
      .bad_samples = {{.name = "broadcast",
                       .inputs = {in({3, 4}), in({4})},
                       .code = ErrorCode::bad_shape,
                       .contains = "equal shapes"}},
  };
}

}  // namespace asg::loss_cards
