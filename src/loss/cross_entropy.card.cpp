#include <algorithm>

#include "asg/graph/graph.h"
#include "loss/support/reduction.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& logits = ctx.in(0);
  const Tensor& labels = ctx.in(1);
  const bool fits = logits.rank() == labels.rank() + 1 &&
                    std::equal(labels.shape().begin(), labels.shape().end(), logits.shape().begin());
  if (!fits) {
    fail(ErrorCode::bad_shape,
         "logits of shape " + logits.shape().to_string() + " and labels of shape " + labels.shape().to_string(),
         "labels of the shape of the logits without their last axis, the classes");
  }
  const Tensor log_probabilities = add_op("LogSoftmax", {logits}, {{"axis", -1}});
  const Tensor last = ctx.graph().constant(Array::ints({-1}));
  const Tensor picked =
      add_op("GatherElements", {log_probabilities, add_op("Unsqueeze", {labels, last})}, {{"axis", -1}});
  ctx.output(loss::reduced(ctx, -add_op("Squeeze", {picked, last})));
}

}  // namespace

OpCard card_cross_entropy() {
  return {
      .name = "loss.CrossEntropy",
      .category = Category::loss,
      .inputs = {{.name = "logits", .words = {"scores, classes on the last axis", "оценки, классы на последней оси"}},
                 {.name = "labels",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"the number of the right class", "номер верного класса"},
                  .differentiable = false}},
      .outputs = {{.name = "loss", .words = {"one number, or one for each label", "одно число или по числу на метку"}}},
      .attributes = {loss::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.cross_entropy",
      .words =
          {.what = {"Turns scores into probabilities by softmax and takes minus the logarithm of the probability of "
                    "the right "
                    "class. It is computed from the scores directly, so that large ones do not overflow.",
                    "Превращает оценки в вероятности через softmax и берёт минус логарифм вероятности верного класса. "
                    "Вычисляется прямо по оценкам, поэтому большие значения не приводят к переполнению."},
           .formula = R"(L = -\log \frac{\exp(z_y)}{\sum_k \exp(z_k)})",
           .why =
               {"It is the loss of nearly every classifier and language model: minimising it maximises the likelihood "
                "of "
                "the data. Its gradient is simply the probabilities minus the right answer.",
                "Потеря почти всех классификаторов и языковых моделей: её минимум — это максимум правдоподобия данных. "
                "Её градиент — просто вероятности минус верный ответ."}},
      .samples = {{.name = "mean", .inputs = {in({3, 4}), in_ints({3}, {0, 3, 1})}},
                  {.name = "sum", .inputs = {in({3, 4}), in_ints({3}, {2, 2, 1})}, .attrs = {{"reduction", "sum"}}},
                  {.name = "none", .inputs = {in({3, 4}), in_ints({3}, {2, 0, 1})}, .attrs = {{"reduction", "none"}}},
                  {.name = "sequence", .inputs = {in({2, 3, 4}), in_ints({2, 3}, {0, 3, 1, 2, 2, 0})}},
                  {.name = "large_scores",
                   .inputs = {in_exact(Array::of<double>({1, 2}, {1000, 0})), in_ints({1}, {1})},
                   .gradient = false,
                   .expected = {Array::scalar(DType::f64, 1000)}}},
      .bad_samples = {{.name = "labels_with_classes",
                       .inputs = {in({3, 4}), in_ints({3, 4}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
                       .code = ErrorCode::bad_shape,
                       .contains = "without their last axis"}},
  };
}

}  // namespace asg::loss_cards
