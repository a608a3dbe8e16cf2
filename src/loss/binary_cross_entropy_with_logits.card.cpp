#include "loss/support/pairs.h"
#include "ops/support/gradients.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const Tensor& logits = ctx.in(0);
  const Tensor& target = ctx.in(1);
  // −ln σ(x) = softplus(−x) and −ln(1 − σ(x)) = x + softplus(−x), neither of which overflows.
  Tensor cost = add_op("Softplus", {-logits});
  if (ctx.has(2)) {
    const Tensor positive = add_op("Expand", {ctx.in(2), ops::shape_of(logits)});
    const Tensor factor = (positive - 1.0) * target + 1.0;
    cost = cost * factor;
  }
  const Tensor if_no = (1.0 - target) * logits;
  ctx.output(ops::reduced(ctx, if_no + cost));
}

std::vector<Port> ports() {
  std::vector<Port> ports =
      loss::pair_ports({"scores: any numbers, positive for yes", "оценки: любые числа, положительные — «да»"},
                       {"the true class, 0 or 1, or a probability", "верный класс, 0 или 1, либо вероятность"});
  ports.push_back({.name = "pos_weight",
                   .kind = PortKind::optional,
                   .words = {"how much more the class 1 counts; its shape broadcasts to that of the target",
                             "во сколько раз класс 1 важнее; форма растягивается до формы цели"},
                   .differentiable = false});
  return ports;
}

std::vector<Sample> samples() {
  const std::vector<double> logits = {0, 1000, -1000, 2, -1000, -3};
  const std::vector<double> target = {1, 1, 0, 0, 1, 0.25};
  Sample weighted = loss::exact_pair("exact_weighted", logits, target,
                                     {2.0794415416798357, 0, 0, 2.1269280110429727, 3000, 2.322881027360613});
  weighted.inputs.push_back(in_exact(Array::scalar(DType::f64, 3)));
  return ops::join({loss::pair_samples({-2, 2}, {0, 1}),
                    ops::for_each_reduction({.name = "weights_by_column",
                                             .inputs = {in({2, 3}, -2, 2), in({2, 3}, 0, 1), in({3}, 0.5, 3)}}),
                    {loss::exact_pair("exact", logits, target,
                                      {0.6931471805599453, 0, 0, 2.1269280110429727, 1000, 0.7985873515737419}),
                     weighted}});
}

}  // namespace

OpCard card_binary_cross_entropy_with_logits() {
  return {
      .name = "loss.BinaryCrossEntropyWithLogits",
      .category = Category::loss,
      .inputs = ports(),
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.binary_cross_entropy_with_logits",
      .words =
          {.what = {"Binary cross-entropy of σ(x), computed from the score x itself. Scores of any size keep all their "
                    "digits, and an optional weight makes the class 1 count more.",
                    "Двоичная перекрёстная энтропия от σ(x), вычисленная прямо по оценке x. Оценки любой величины не "
                    "теряют знаков, а необязательный вес усиливает класс 1."},
           .formula = R"(l = (1 - t) x + (1 + (w - 1) t) \ln(1 + e^{-x}))",
           .why =
               {"Each output is a question of its own, so one picture may hold a cat and a dog at once; the "
                "discriminator of a GAN answers real or fake with it. Without weights its gradient by the score is "
                "simply σ(x) − t.",
                "Каждый выход — отдельный вопрос, поэтому на одном изображении могут быть и кошка, и собака; с ней же "
                "дискриминатор GAN отвечает, настоящее оно или нет. Без весов градиент по оценке — просто σ(x) − t."}},
      .samples = samples(),
      .bad_samples = {loss::refuse_other_shape(),
                      {.name = "weights_that_do_not_broadcast",
                       .inputs = {in({2, 3}), in({2, 3}), in({2})},
                       .code = ErrorCode::broadcast_mismatch,
                       .contains = "[2]"}},
  };
}

}  // namespace asg::loss_cards
