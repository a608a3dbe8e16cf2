#include "ops/loss/label_loss.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/cost.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor weight = ctx.has(2) ? ctx.in(2) : Tensor{};
  ops::check_labels(ctx.in(0), ctx.in(1), weight, 1);
  const Tensor log_probabilities = add_op("LogSoftmax", {ctx.in(0)}, {{"axis", 1}});
  ctx.output(add_op("NegativeLogLikelihoodLoss", {log_probabilities, ctx.in(1), weight},
                    {{"reduction", ctx.text("reduction")}, {"ignore_index", ctx.integer("ignore_index")}}));
  ctx.output(log_probabilities);
}

// Values by PyTorch.
std::vector<Sample> samples() {
  const SampleInput scores = in_exact(Array::of<double>({4, 3}, {1, 2, 3, 0.5, -1, 0, 2, 2, 2, -1, 0, 4}));
  const SampleInput labels = in_ints({4}, {2, 0, 1, 1});
  const SampleInput weight = in_exact(ops::reals({0.5, 2, 1.5}));
  return ops::join(
      {ops::label_samples(-2, 2),
       {{.name = "exact_none",
         .inputs = {scores, labels},
         .attrs = {{"reduction", "none"}},
         .expected = {ops::reals({0.4076059644443804, 0.6041306053367284, 1.0986122886681098, 4.024744890138822})}},
        {.name = "exact_weights",
         .inputs = {scores, labels, weight},
         .expected = {Array::scalar(DType::f64, 1.8600314344914664)}},
        {.name = "exact_weights_ignored",
         .inputs = {scores, labels, weight},
         .attrs = {{"ignore_index", 1}},
         .expected = {Array::scalar(DType::f64, 0.4567371246674674)}},
        {.name = "large_scores",
         .inputs = {in_exact(Array::of<double>({1, 2}, {1000, 0})), in_ints({1}, {1})},
         .gradient = false,
         .expected = {Array::scalar(DType::f64, 1000), Array::of<double>({1, 2}, {0, -1000})}},
        {.name = "all_ignored_mean_is_not_a_number",
         .inputs = {in({2, 3}), in_ints({2}, {-100, -100})},
         .gradient = false,
         .expected = {Array::scalar(DType::f64, ops::kNan)}}}});
}

}  // namespace

OpCard card_softmax_cross_entropy_loss() {
  std::vector<Port> outputs = ops::loss_port();
  outputs.push_back({.name = "log_probabilities",
                     .words = {"LogSoftmax of the scores along the classes", "LogSoftmax оценок вдоль классов"}});
  return {
      .name = "SoftmaxCrossEntropyLoss",
      .category = Category::loss,
      .inputs = {{.name = "scores", .words = {"[batch, classes, …]: any numbers", "[пакет, классы, …]: любые числа"}},
                 ops::labels_port(),
                 ops::weight_port()},
      .outputs = std::move(outputs),
      .attributes = {ops::reduction_attribute(), ops::ignore_index_attribute()},
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_input(ops::kTranscendental + 5),
      .onnx = {{.op = "SoftmaxCrossEntropyLoss", .since = 13}},
      .torch = "torch.nn.functional.cross_entropy",
      .words =
          {.what = {"LogSoftmax along the class axis and NegativeLogLikelihoodLoss in one op; the log-probabilities "
                    "are its second output. Scores of any size are safe, because no probability is ever formed.",
                    "LogSoftmax вдоль оси классов и NegativeLogLikelihoodLoss одной операцией; логарифмы вероятностей "
                    "— второй выход. Оценки могут быть любой величины: сами вероятности не вычисляются."},
           .formula = R"(L = \frac{\sum_n w_{t_n} \left(\ln \sum_k e^{x_{n k}} - x_{n, t_n}\right)}{\sum_n w_{t_n}})",
           .why = {"ONNX files of training graphs carry it, with the classes on axis 1, where pictures have their "
                   "channels. In a model written here loss.CrossEntropy is its more convenient form, with any class "
                   "axis and label smoothing.",
                   "Встречается в файлах ONNX с графами обучения; классы там стоят на оси 1, как каналы изображений. В "
                   "модели, написанной здесь, удобнее loss.CrossEntropy: любая ось классов и сглаживание меток."}},
      .samples = samples(),
      .bad_samples = ops::bad_label_samples(),
  };
}

}  // namespace asg::cards
