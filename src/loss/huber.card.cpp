#include "loss/support/bent.h"
#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  if (ctx.real("delta") <= 0) fail(ErrorCode::bad_attribute, "a delta of 0", "a delta above 0");
  ctx.output(ops::reduced(ctx, loss::bent(ctx.in(0) - ctx.in(1), ctx.real("delta"))));
}

}  // namespace

OpCard card_huber() {
  return {
      .name = "loss.Huber",
      .category = Category::loss,
      .inputs = loss::pair_ports({"what the model gives", "что выдаёт модель"},
                                 {"what it should give", "что она должна выдать"}),
      .outputs = ops::loss_port(),
      .attributes = {{.name = "delta",
                      .kind = AttrKind::real,
                      .fallback = 1.0,
                      .least = 0,
                      .words = {"the error from which the loss grows linearly; above 0",
                                "ошибка, с которой потеря растёт линейно; больше 0"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.huber_loss",
      .words =
          {.what = {"Half the squared error for errors below `delta`, and a line that continues it with slope `delta` "
                    "beyond. It is `delta` times loss.SmoothL1 with the same bend.",
                    "Половина квадрата ошибки, пока ошибка меньше `delta`, а дальше — продолжающая её прямая с "
                    "наклоном `delta`. Это loss.SmoothL1 с тем же изгибом, умноженная на `delta`."},
           .formula = R"(l(d) = \begin{cases} \frac{1}{2} d^2 & |d| < \delta \\ )"
                      R"(\delta \left(|d| - \frac{\delta}{2}\right) & |d| \ge \delta \end{cases})",
           .why = {"Near the answer it behaves like the squared error, far away like the absolute one, so outliers in "
                   "the data do little harm. Deep Q-learning (DQN) uses it because its targets are noisy.",
                   "Около ответа она ведёт себя как квадрат ошибки, вдали — как её модуль, и выбросы в данных почти не "
                   "вредят. В глубоком Q-обучении (DQN) её берут потому, что цели там шумные."}},
      .samples = ops::join({loss::pair_samples({}, {2.5, 4}),
                            loss::pair_samples({-0.2, 0.2}, {-2.5, -1.5}, {{"delta", 4.0}}),
                            {loss::exact_pair("exact", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25}, {0.125, 0.125, 1, 0}),
                             loss::exact_pair("exact_half", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25},
                                              {0.125, 0.125, 0.625, 0}, {{"delta", 0.5}}),
                             loss::exact_pair("exact_two", {0.5, -1, 2, 0.25}, {1, -0.5, 0.5, 0.25},
                                              {0.125, 0.125, 1.125, 0}, {{"delta", 2.0}})}}),
      .bad_samples = {loss::refuse_other_shape(),
                      {.name = "delta_zero",
                       .inputs = {in({2}), in({2})},
                       .attrs = {{"delta", 0.0}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "above 0"}},
  };
}

}  // namespace asg::loss_cards
