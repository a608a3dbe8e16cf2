#include "loss/support/pairs.h"
#include "ops/support/gradients.h"

namespace asg::loss_cards {
namespace {

// The logarithm, but not below −100, so that a wrong certainty costs much and not infinitely much. There the gradient
// is 0. NaN stays NaN.
Tensor bounded_log(const Tensor& x) {
  constexpr double kLeast = -100;
  const Tensor is_zero = add_op("Equal", {x, ops::scalar_like(x, 0)});
  const Tensor is_tiny = x < 3.8e-44;  // e^−100, which is 0 in f16
  const Tensor too_small = add_op("Or", {is_zero, is_tiny});
  const Tensor logarithm = add_op("Log", {ops::choose(too_small, ops::scalar_like(x, 1), x)});
  return ops::choose(too_small, ops::scalar_like(x, kLeast), logarithm);
}

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const Tensor& probability = ctx.in(0);
  const Tensor& target = ctx.in(1);
  const Tensor yes = bounded_log(probability);
  const Tensor no = bounded_log(1.0 - probability);
  const Tensor if_yes = target * yes;
  const Tensor if_no = (1.0 - target) * no;
  ctx.output(ops::reduced(ctx, -(if_yes + if_no)));
}

}  // namespace

OpCard card_binary_cross_entropy() {
  return {
      .name = "loss.BinaryCrossEntropy",
      .category = Category::loss,
      .inputs =
          loss::pair_ports({"probabilities from 0 to 1", "вероятности от 0 до 1"},
                           {"the true class, 0 or 1, or a probability", "верный класс, 0 или 1, либо вероятность"}),
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.binary_cross_entropy",
      .peer_differences = {{{"exact"}, "where a logarithm is bounded its slope is 0; PyTorch divides by 1e-12 there"}},
      .words =
          {.what =
               {"Minus the logarithm of the probability that was given to the true one of two classes. Logarithms are "
                "cut off at −100, so a certain and wrong answer costs 100 and not infinity; beyond the cut the "
                "gradient is 0.",
                "Минус логарифм вероятности, данной верному из двух классов. Логарифмы ограничены снизу числом −100, "
                "поэтому уверенный неверный ответ стоит 100, а не бесконечность; за этой границей градиент равен 0."},
           .formula = R"(l = -t \ln p - (1 - t) \ln(1 - p))",
           .why =
               {"It judges yes-or-no predictions that are already probabilities, as in autoencoders of black-and-white "
                "pictures. From raw scores use loss.BinaryCrossEntropyWithLogits, which loses no digits near 0 and 1.",
                "Оценивает ответы «да или нет», уже записанные вероятностями, например в автокодировщиках чёрно-белых "
                "изображений. Для сырых оценок берите loss.BinaryCrossEntropyWithLogits: она не теряет знаков около 0 "
                "и 1."}},
      .samples = ops::join({loss::pair_samples({0.1, 0.9}, {0, 1}),
                            {loss::exact_pair("exact", {0, 1, 0, 1, 0.2, 0.5}, {0, 1, 1, 0, 0.3, 1},
                                              {0, 0, 100, 100, 0.6390318596501768, 0.6931471805599453})}}),
      .bad_samples = {loss::refuse_other_shape()},
  };
}

}  // namespace asg::loss_cards
