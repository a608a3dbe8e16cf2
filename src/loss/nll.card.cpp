#include "loss/support/classes.h"
#include "ops/loss/label_loss.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/samples.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  const int axis = loss::class_axis(ctx);
  const Tensor weight = loss::class_weight(ctx);
  ops::check_labels(ctx.in(0), ctx.in(1), weight, axis);
  const ops::LabelLosses parts = ops::label_losses(ctx.in(0), ctx.in(1), weight, axis, ctx.integer("ignore_index"));
  ctx.output(ops::reduced(ctx, parts.losses, parts.weights));
}

}  // namespace

OpCard card_nll() {
  return {
      .name = "loss.NLL",
      .category = Category::loss,
      .inputs = {{.name = "log_probabilities", .words = {"classes on the axis `axis`", "классы на оси `axis`"}},
                 ops::labels_port(),
                 ops::weight_port()},
      .outputs = ops::loss_port(),
      .attributes = {loss::class_axis_attribute(), ops::ignore_index_attribute(), ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.nll_loss",
      .words =
          {.what =
               {"Minus the log-probability of the right class, weighted by class where weights are given. The mean "
                "divides by the weights of the labels that count, so padding does not dilute it; with no label left it "
                "is NaN.",
                "Минус логарифм вероятности верного класса, с весами классов, если они даны. Среднее делится на сумму "
                "весов учтённых меток, поэтому заполнение его не разбавляет; если меток не осталось, получается NaN."},
           .formula = R"(L = \frac{-\sum_n w_{t_n} \ln p_{n, t_n}}{\sum_n w_{t_n}})",
           .why = {"Use it when a model already gives log-probabilities, such as a mixture or a model that ends in "
                   "LogSoftmax. From raw scores loss.CrossEntropy is one step shorter and safer.",
                   "Нужна, когда модель уже выдаёт логарифмы вероятностей: смесь распределений или модель, кончающаяся "
                   "на LogSoftmax. Для сырых оценок loss.CrossEntropy на шаг короче и надёжнее."}},
      .samples = ops::join({loss::class_samples(-3, -0.1),
                            {{.name = "exact",
                              .inputs = {in_exact(Array::of<double>(
                                             {2, 3, 2}, {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75})),
                                         in_ints({2, 2}, {0, 2, 1, 1}), in_exact(ops::reals({0.5, 2, 1.5}))},
                              .attrs = {{"axis", 1}},
                              .gradient = false,
                              .expected = {Array::scalar(DType::f64, -1.7291666666666667)}}}}),
      .bad_samples = loss::bad_class_samples(),
  };
}

}  // namespace asg::loss_cards
