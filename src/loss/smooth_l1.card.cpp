#include "loss/support/bent.h"
#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const double beta = ctx.real("beta");
  const Tensor difference = ctx.in(0) - ctx.in(1);
  // With beta = 0 nothing is left of the parabola.
  const Tensor losses = beta == 0 ? add_op("Abs", {difference}) : loss::bent(difference, beta) * (1 / beta);
  ctx.output(ops::reduced(ctx, losses));
}

}  // namespace

OpCard card_smooth_l1() {
  return {
      .name = "loss.SmoothL1",
      .category = Category::loss,
      .inputs = loss::pair_ports({"what the model gives", "что выдаёт модель"},
                                 {"what it should give", "что она должна выдать"}),
      .outputs = ops::loss_port(),
      .attributes = {{.name = "beta",
                      .kind = AttrKind::real,
                      .fallback = 1.0,
                      .least = 0,
                      .words = {"where the parabola becomes a line; 0 gives loss.L1",
                                "где парабола переходит в прямую; 0 даёт loss.L1"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.smooth_l1_loss",
      .peer_differences = {{{"beta_zero"}, "at equality the gradient is 0, as that of loss.L1; PyTorch takes -1"}},
      .words = {.what = {"The absolute difference with its corner rounded off: below `beta` it is a parabola, above it "
                         "a line of slope 1. So the gradient fades as the error vanishes, yet never exceeds 1.",
                         "Модуль разности со скруглённым углом: до `beta` — парабола, дальше — прямая с наклоном 1. "
                         "Поэтому градиент затухает вместе с ошибкой, но никогда не превышает 1."},
                .formula = R"(l(d) = \begin{cases} \frac{d^2}{2 \beta} & |d| < \beta \\ )"
                           R"(|d| - \frac{\beta}{2} & |d| \ge \beta \end{cases})",
                .why = {"Fast R-CNN and later detectors learn the places and sizes of boxes with it: a box that is far "
                        "off at first does not throw the training. The limit beta → 0 is the absolute error.",
                        "По ней Fast R-CNN и последующие детекторы учат положение и размер рамок: рамка, которая "
                        "поначалу далеко от цели, не срывает обучение. В пределе beta → 0 это абсолютная ошибка."}},
      .samples = ops::join({loss::pair_samples({}, {1.5, 3}),
                            loss::pair_samples({-0.2, 0.2}, {-2.5, -1.5}, {{"beta", 4.0}}),
                            {loss::exact_pair("exact", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25}, {0.125, 0.125, 1, 0}),
                             loss::exact_pair("exact_half", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25},
                                              {0.25, 0.25, 1.25, 0}, {{"beta", 0.5}}),
                             loss::exact_pair("beta_zero", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25}, {0.5, 0.5, 1.5, 0},
                                              {{"beta", 0.0}}),
                             loss::exact_pair("huge", {1e200, -1e300}, {0, 0}, {1e200, 1e300})}}),
      .bad_samples = {loss::refuse_other_shape(),
                      {.name = "negative_beta",
                       .inputs = {in({2}), in({2})},
                       .attrs = {{"beta", -1.0}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "at least 0"}},
  };
}

}  // namespace asg::loss_cards
