#include "loss/support/classes.h"
#include "ops/loss/label_loss.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/samples.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& labels = ctx.in(1);
  const int axis = loss::class_axis(ctx);
  const Tensor weight = loss::class_weight(ctx);
  const std::int64_t ignored = ctx.integer("ignore_index");
  ops::check_labels(ctx.in(0), labels, weight, axis);
  const Tensor log_probabilities = add_op("LogSoftmax", {ctx.in(0)}, {{"axis", std::int64_t{axis}}});
  const ops::LabelLosses parts = ops::label_losses(log_probabilities, labels, weight, axis, ignored);
  Tensor losses = parts.losses;
  const double smoothing = ctx.real("label_smoothing");
  if (smoothing > 0) {
    // The wrong classes, and the right one once more, share `smoothing` evenly.
    const Tensor all = ops::sum_over_classes(log_probabilities, labels, weight, axis, ignored);
    const Tensor share = smoothing / ops::class_count(log_probabilities, axis, log_probabilities.dtype());
    const Tensor sharp = losses * (1 - smoothing);
    losses = sharp - all * share;
  }
  ctx.output(ops::reduced(ctx, losses, parts.weights));
}

std::vector<Sample> samples() {
  const SampleInput scores = in_exact(Array::of<double>({4, 3}, {1, 2, 3, 0.5, -1, 0, 2, 2, 2, -1, 0, 4}));
  const SampleInput labels = in_ints({4}, {2, 0, 1, 1});
  const SampleInput weight = in_exact(ops::reals({0.5, 2, 1.5}));
  const auto exact = [&](std::string name, bool weighted, Attrs attrs, double expected) {
    Sample sample{.name = std::move(name),
                  .inputs = {scores, labels},
                  .attrs = std::move(attrs),
                  .gradient = false,
                  .expected = {Array::scalar(DType::f64, expected)}};
    if (weighted) sample.inputs.push_back(weight);
    return sample;
  };
  const Attrs smooth = {{"label_smoothing", 0.2}};
  const Attrs smooth_images = {{"label_smoothing", 0.2}, {"axis", 1}, {"ignore_index", 1}};
  return ops::join(
      {loss::class_samples(-2, 2),
       ops::for_each_reduction({.name = "smoothing",
                                .inputs = {in({2, 3, 4}), in_ints({2, 3}, {0, 3, -100, 2, 2, 1}), in({4}, 0.5, 3)},
                                .attrs = smooth}),
       ops::for_each_reduction({.name = "smoothing_images",
                                .inputs = {in({2, 3, 2}), in_ints({2, 2}, {0, 2, 1, 2})},
                                .attrs = smooth_images}),
       // Values by PyTorch.
       {exact("exact", false, {}, 1.5337734371470102),
        exact("exact_weights", true, {}, 1.8600314344914664),
        exact("exact_ignored", false, {{"ignore_index", 1}}, 0.5058682848905544),
        exact("exact_smoothing", false, {{"label_smoothing", 0.1}}, 1.5504401038136768),
        exact("exact_everything", true, {{"label_smoothing", 0.1}, {"ignore_index", 1}}, 0.5910125168527945),
        exact("exact_everything_sum", true, {{"label_smoothing", 0.1}, {"ignore_index", 1}, {"reduction", "sum"}},
              1.182025033705589),
        {.name = "large_scores",
         .inputs = {in_exact(Array::of<double>({1, 2}, {1000, 0})), in_ints({1}, {1})},
         .gradient = false,
         .expected = {Array::scalar(DType::f64, 1000)}},
        {.name = "all_ignored_mean_is_not_a_number",
         .inputs = {in({2, 3}), in_ints({2}, {-100, -100})},
         .gradient = false,
         .expected = {Array::scalar(DType::f64, ops::kNan)}}}});
}

}  // namespace

OpCard card_cross_entropy() {
  return {
      .name = "loss.CrossEntropy",
      .category = Category::loss,
      .inputs = {{.name = "logits", .words = {"scores, classes on the axis `axis`", "оценки, классы на оси `axis`"}},
                 ops::labels_port(),
                 ops::weight_port()},
      .outputs = ops::loss_port(),
      .attributes = {loss::class_axis_attribute(),
                     {.name = "label_smoothing",
                      .kind = AttrKind::real,
                      .fallback = 0.0,
                      .least = 0,
                      .most = 1,
                      .words = {"the share of the target that is spread evenly over all classes",
                                "доля цели, которая поровну распределяется между всеми классами"}},
                     ops::ignore_index_attribute(),
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.cross_entropy",
      .words =
          {.what =
               {"Turns scores into probabilities by softmax and takes minus the logarithm of the probability of the "
                "right class. It is computed from the scores directly, so that large ones do not overflow; labels that "
                "are ignored count neither in the sum nor in the mean, and with none left the mean is NaN.",
                "Превращает оценки в вероятности через softmax и берёт минус логарифм вероятности верного класса. "
                "Вычисляется прямо по оценкам, поэтому большие значения не приводят к переполнению; пропущенные метки "
                "не входят ни в сумму, ни в среднее, а если не осталось ни одной, среднее — NaN."},
           .formula = R"(L = -\log \frac{\exp(z_y)}{\sum_k \exp(z_k)})",
           .why =
               {"It is the loss of nearly every classifier and language model: minimising it maximises the likelihood "
                "of the data. Its gradient by the scores is simply the probabilities minus the right answer.",
                "Функция потерь почти всех классификаторов и языковых моделей: её минимум — это максимум правдоподобия "
                "данных. Её градиент по оценкам — просто вероятности минус верный ответ."}},
      .samples = samples(),
      .bad_samples = loss::bad_class_samples(),
  };
}

}  // namespace asg::loss_cards
