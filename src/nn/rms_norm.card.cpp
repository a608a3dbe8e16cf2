#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const int first = normalize_axis(ctx.integer("axis"), x.rank());
  const Tensor scale = ctx.parameter("scale", nn::normalised_shape(ctx, x, first), Initializer::ones());
  ctx.output(add_op("RMSNormalization", {x, scale}, {{"axis", std::int64_t{first}}, {"epsilon", ctx.real("epsilon")}}));
}

}  // namespace

OpCard card_rms_norm() {
  return {
      .name = "nn.RMSNorm",
      .category = Category::normalization,
      .inputs = nn::x_port({"features on the axes from `axis` on", "признаки на осях, начиная с `axis`"}),
      .outputs = nn::y_port({"the features divided by their root mean square and scaled",
                             "признаки, делённые на их среднее квадратичное и умноженные на масштаб"}),
      .attributes = {{.name = "axis", .fallback = -1, .words = {"first axis of the features", "первая ось признаков"}},
                     nn::epsilon_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "",
      .words =
          {.what = {"Divides the features of each position by their root mean square, then multiplies by a learned "
                    "scale γ. Unlike layer norm it neither subtracts the mean nor adds a shift.",
                    "Делит признаки каждой позиции на их среднее квадратичное, затем умножает на обучаемый масштаб γ. "
                    "В отличие от послойной нормализации, среднее не вычитается и сдвиг не прибавляется."},
           .formula = R"(y = \gamma \frac{x}{\sqrt{\frac{1}{n} \sum_i x_i^2 + \epsilon}})",
           .why =
               {"LLaMA and its successors have it before attention and before the feed-forward part of every block. It "
                "works as well as layer norm, with one reduction instead of two and half the parameters.",
                "В LLaMA и её преемниках она стоит перед вниманием и перед полносвязной частью каждого блока. Работает "
                "не хуже послойной нормализации, а редукция нужна одна вместо двух и параметров вдвое меньше."}},
      .samples = {{.name = "last_axis", .inputs = {in({2, 3, 5})}},
                  {.name = "two_axes", .inputs = {in({2, 3, 4})}, .attrs = {{"axis", 1}}},
                  {.name = "epsilon", .inputs = {in({3, 4})}, .attrs = {{"epsilon", 0.1}}},
                  {.name = "two_axes_epsilon", .inputs = {in({2, 3, 4})}, .attrs = {{"axis", -2}, {"epsilon", 0.5}}},
                  {.name = "exact",
                   .inputs = {in_exact(Array::of<double>({1, 2}, {3, 4}))},
                   .attrs = {{"epsilon", 0.0}},
                   .gradient = false,
                   .expected = {Array::of<double>({1, 2}, {0.848528137423857, 1.131370849898476})}}},
      .bad_samples = {{.name = "no_such_axis",
                       .inputs = {in({2, 3})},
                       .attrs = {{"axis", 2}},
                       .code = ErrorCode::bad_index,
                       .contains = "axis"}},
  };
}

}  // namespace asg::nn_cards
