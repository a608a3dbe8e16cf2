#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  ctx.output(ops::reduced(ctx, add_op("Abs", {ctx.in(0) - ctx.in(1)})));
}

}  // namespace

OpCard card_l1() {
  return {
      .name = "loss.L1",
      .category = Category::loss,
      .inputs = loss::pair_ports({"what the model gives", "что выдаёт модель"},
                                 {"what it should give", "что она должна выдать"}),
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.l1_loss",
      .words = {.what = {"The absolute difference between prediction and target. Every error counts in proportion to "
                         "its size; where both are equal the gradient is 0.",
                         "Модуль разности предсказания и цели. Каждая ошибка весит пропорционально своей величине; "
                         "там, где предсказание и цель равны, градиент равен 0."},
                .formula = R"(L = \frac{1}{n} \sum_i |p_i - t_i|)",
                .why = {"It is the mean absolute error, and its minimum is the conditional median, so a few wild "
                        "targets cannot pull the model far. Image restoration and pix2pix prefer it because it blurs "
                        "less than the squared error.",
                        "Это средняя абсолютная ошибка; её минимум — условная медиана, поэтому несколько выбросов не "
                        "утащат модель далеко. В восстановлении изображений и в pix2pix её выбирают за то, что она "
                        "размывает меньше, чем квадрат ошибки."}},
      .samples = ops::join({loss::pair_samples({}, {1.5, 3}),
                            {loss::exact_pair("exact", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25}, {0.5, 0.5, 1.5, 0})}}),
      .bad_samples = {loss::refuse_other_shape()},
  };
}

}  // namespace asg::loss_cards
