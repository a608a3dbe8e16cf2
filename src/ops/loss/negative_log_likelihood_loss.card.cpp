#include "ops/loss/label_loss.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/cost.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor weight = ctx.has(2) ? ctx.in(2) : Tensor{};
  ops::check_labels(ctx.in(0), ctx.in(1), weight, 1);
  const ops::LabelLosses parts = ops::label_losses(ctx.in(0), ctx.in(1), weight, 1, ctx.integer("ignore_index"));
  ctx.output(ops::reduced(ctx, parts.losses, parts.weights));
}

// Values by PyTorch: log-probabilities 0, 0.25, … in order, two examples with two places each.
std::vector<Sample> samples() {
  const SampleInput scores =
      in_exact(Array::of<double>({2, 3, 2}, {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75}));
  const SampleInput labels = in_ints({2, 2}, {0, 2, 1, 1});
  const SampleInput weight = in_exact(ops::reals({0.5, 2, 1.5}));
  const SampleInput ignored = in_ints({2, 2}, {-100, -100, -100, -100});
  return ops::join({ops::label_samples(-3, -0.1),
                    {{.name = "exact_none",
                      .inputs = {scores, labels},
                      .attrs = {{"reduction", "none"}},
                      .expected = {Array::of<double>({2, 2}, {0, -1.25, -2, -2.25})}},
                     {.name = "exact_mean",
                      .inputs = {scores, labels, weight},
                      .expected = {Array::scalar(DType::f64, -1.7291666666666667)}},
                     {.name = "exact_ignored_sum",
                      .inputs = {scores, labels, weight},
                      .attrs = {{"reduction", "sum"}, {"ignore_index", 0}},
                      .expected = {Array::scalar(DType::f64, -10.375)}},
                     {.name = "exact_ignored_mean",
                      .inputs = {scores, labels, weight},
                      .attrs = {{"ignore_index", 0}},
                      .expected = {Array::scalar(DType::f64, -1.8863636363636365)}},
                     {.name = "all_ignored_mean_is_not_a_number",
                      .inputs = {scores, ignored},
                      .gradient = false,
                      .expected = {Array::scalar(DType::f64, ops::kNan)}},
                     {.name = "all_ignored_sum_is_zero",
                      .inputs = {scores, ignored},
                      .attrs = {{"reduction", "sum"}},
                      .gradient = false,
                      .expected = {Array::scalar(DType::f64, 0)}},
                     {.name = "impossible_class",
                      .inputs = {in_exact(Array::of<double>({1, 2}, {0, -ops::kInfinity})), in_ints({1}, {1})},
                      .gradient = false,
                      .expected = {Array::scalar(DType::f64, ops::kInfinity)}}}});
}

}  // namespace

OpCard card_negative_log_likelihood_loss() {
  return {
      .name = "NegativeLogLikelihoodLoss",
      .category = Category::loss,
      .inputs = {{.name = "log_probabilities",
                  .words = {"[batch, classes, …]: logarithms of probabilities",
                            "[пакет, классы, …]: логарифмы вероятностей"}},
                 ops::labels_port(),
                 ops::weight_port()},
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute(), ops::ignore_index_attribute()},
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_input(1),
      .onnx = {{.op = "NegativeLogLikelihoodLoss", .since = 13}},
      .torch = "torch.nn.functional.nll_loss",
      .words =
          {.what = {"Reads off the log-probability of the right class for each example and turns its sign, so that "
                    "certainty costs 0 and doubt costs more. The mean divides by the total weight of the labels that "
                    "count; where all are ignored it is NaN.",
                    "Берёт для каждого примера логарифм вероятности верного класса с обратным знаком: уверенность "
                    "стоит 0, сомнение — дороже. При усреднении сумма делится на общий вес учтённых меток; если не "
                    "учтена ни одна, получается NaN."},
           .formula = R"(L = \frac{-\sum_n w_{t_n} x_{n, t_n}}{\sum_n w_{t_n}})",
           .why =
               {"Behind LogSoftmax it is the cross-entropy of classifiers and language models. Weights make rare "
                "classes count more, as in segmentation, where the background covers most pixels; `ignore_index` "
                "leaves out padding.",
                "После LogSoftmax это перекрёстная энтропия классификаторов и языковых моделей. Веса усиливают редкие "
                "классы, например в сегментации, где почти все пиксели — фон; `ignore_index` исключает заполнение."}},
      .samples = samples(),
      .bad_samples = ops::bad_label_samples(),
  };
}

}  // namespace asg::cards
