#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const Tensor shortfall = add_op("Relu", {1.0 - ctx.in(0) * ctx.in(1)});
  ctx.output(ops::reduced(ctx, shortfall * shortfall));
}

}  // namespace

OpCard card_squared_hinge() {
  return {
      .name = "loss.SquaredHinge",
      .category = Category::loss,
      .inputs = loss::pair_ports({"scores", "оценки"}, {"−1 or 1", "−1 или 1"}),
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.margin_ranking_loss",
      .words = {.what = {"The square of loss.Hinge: still nothing beyond the margin of 1, but the slope starts from 0 "
                         "there and rises with the shortfall. So it has no corner.",
                         "Квадрат потери loss.Hinge: за отступом 1 по-прежнему ничего, но наклон там начинается с нуля "
                         "и растёт с недостачей. Поэтому угла у неё нет."},
                .formula = R"(l = \max(0, 1 - t p)^2)",
                .why = {"BinaryNet, with its weights of one bit, and smooth support vector machines are trained with "
                        "it. Gross mistakes are punished harder than by the plain hinge, and the gradient has no jump.",
                        "С ней обучают BinaryNet с однобитовыми весами и гладкие варианты метода опорных векторов. "
                        "Грубые ошибки наказываются сильнее, чем в loss.Hinge, а градиент не скачет."}},
      .samples = ops::join({loss::pair_samples({-0.9, 0.9}, {-1, 1}),
                            {loss::exact_pair("exact", {0.5, -1, 2, 0.25}, {1, -1, -1, 1}, {0.25, 0, 9, 0.5625})}}),
      .bad_samples = {loss::refuse_other_shape()},
  };
}

}  // namespace asg::loss_cards
