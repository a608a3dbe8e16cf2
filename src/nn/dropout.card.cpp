#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  // Declared in both modes, so that the slots do not depend on the mode.
  const Tensor seed = ctx.seed();
  const Tensor step = ctx.step();
  const double ratio = ctx.real("ratio");
  if (!ctx.training() || ratio == 0) {
    ctx.output(add_op("Identity", {ctx.in(0)}));
    return;
  }
  ctx.output(ctx.op_named("mask", "Dropout", {ctx.in(0), seed, step}, {{"ratio", ratio}}));
}

}  // namespace

OpCard card_dropout() {
  return {
      .name = "nn.Dropout",
      .category = Category::random,
      .inputs = nn::x_port({"any tensor", "любой тензор"}),
      .outputs = nn::y_port({"the tensor with some elements set to zero", "тензор, часть элементов которого обнулена"}),
      .attributes = {{.name = "ratio",
                      .kind = AttrKind::real,
                      .fallback = 0.5,
                      .least = 0,
                      .most = 0.95,
                      .words = {"share of elements set to zero", "доля обнуляемых элементов"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Dropout",
      .words =
          {.what =
               {"In training it sets each element to zero with probability `ratio` and multiplies the others by 1 / (1 "
                "- ratio), so that the mean stays the same. In evaluation it passes its input through unchanged.",
                "При обучении обнуляет каждый элемент с вероятностью `ratio`, а остальные умножает на 1 / (1 - ratio), "
                "чтобы среднее сохранилось. При оценке пропускает вход без изменений."},
           .formula = R"(y = \frac{m \odot x}{1 - p}, \quad m \sim \text{Bernoulli}(1 - p))",
           .why = {"It keeps a network from relying on single features and so from learning its training set by heart; "
                   "AlexNet used it in its large linear layers. The mask depends only on seed, step and this layer, so "
                   "an edit elsewhere does not change it.",
                   "Не даёт сети опираться на отдельные признаки и заучивать обучающую выборку; в AlexNet он стоял в "
                   "больших линейных слоях. Маска зависит только от зерна, шага и этого слоя, поэтому правка в другом "
                   "месте её не меняет."}},
      .samples = {{.name = "half", .inputs = {in({3, 4, 5}, 0.5, 1.5)}},
                  {.name = "quarter", .inputs = {in({6, 4}, 0.5, 1.5)}, .attrs = {{"ratio", 0.25}}},
                  {.name = "none", .inputs = {in({2, 3})}, .attrs = {{"ratio", 0.0}}}},
      .bad_samples = {{.name = "all",
                       .inputs = {in({2, 3})},
                       .attrs = {{"ratio", 1.0}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "at most 0.95"}},
  };
}

}  // namespace asg::nn_cards
