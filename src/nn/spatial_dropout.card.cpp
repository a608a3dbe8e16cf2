#include "nn/support/layers.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

namespace asg::nn_cards {
namespace {

// The lengths of `x` with 1 on all axes but the first, the examples, and the channels.
Tensor shape_of_mask(const Tensor& x, int channel) {
  std::vector<Tensor> lengths;
  for (int axis = 0; axis < x.rank(); ++axis) {
    lengths.push_back(axis == 0 || axis == channel ? ops::length_of(x, axis) : ops::ints(x.graph(), {1}));
  }
  return add_op("Concat", lengths, {{"axis", 0}});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  // Declared in both modes, so that the slots do not depend on the mode.
  const Tensor seed = ctx.seed();
  const Tensor step = ctx.step();
  if (x.rank() < 2) {
    fail(ErrorCode::bad_shape, "an input of shape " + x.shape().to_string(), "axes for examples and channels");
  }
  const int channel = normalize_axis(ctx.integer("axis"), x.rank());
  const double ratio = ctx.real("ratio");
  if (!ctx.training() || ratio == 0) {
    ctx.output(add_op("Identity", {x}));
    return;
  }
  const Tensor ones = add_op("Expand", {ops::scalar_like(x, 1), shape_of_mask(x, channel)});
  ctx.output(x * ctx.op_named("mask", "Dropout", {ones, seed, step}, {{"ratio", ratio}}));
}

}  // namespace

OpCard card_spatial_dropout() {
  return {
      .name = "nn.SpatialDropout",
      .category = Category::random,
      .inputs =
          nn::x_port({"examples on axis 0, channels on the axis `axis`", "примеры на оси 0, каналы на оси `axis`"}),
      .outputs = nn::y_port({"the tensor with whole channels set to zero", "тензор с целиком обнулёнными каналами"}),
      .attributes = {{.name = "ratio",
                      .kind = AttrKind::real,
                      .fallback = 0.5,
                      .least = 0,
                      .most = 0.95,
                      .words = {"share of channels set to zero", "доля обнуляемых каналов"}},
                     {.name = "axis", .fallback = 1, .words = {"the channel axis", "ось каналов"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Dropout2d",
      .words =
          {.what = {"In training it sets whole channels of an example to zero with probability `ratio` and multiplies "
                    "the others by 1 / (1 - ratio). In evaluation it passes its input through unchanged.",
                    "При обучении целиком обнуляет каналы примера с вероятностью `ratio`, а остальные умножает на 1 / "
                    "(1 - ratio). При оценке пропускает вход без изменений."},
           .formula = R"(y_{n,c} = \frac{m_{n,c} \, x_{n,c}}{1 - p}, \quad m_{n,c} \sim \text{Bernoulli}(1 - p))",
           .why = {"Neighbouring pixels of a feature map tell nearly the same, so dropping single ones removes no "
                   "information. Dropping the whole map does, and the network must learn to do without any one "
                   "feature; it was introduced for finding human joints in pictures.",
                   "Соседние точки карты признаков говорят почти одно и то же, поэтому обнуление отдельных точек "
                   "ничего не отнимает. Обнуление всей карты отнимает, и сети приходится обходиться без любого "
                   "признака; впервые так обучали сеть, находящую суставы человека на изображениях."}},
      .samples = {{.name = "images", .inputs = {in({2, 3, 4, 2}, 0.5, 1.5)}},
                  {.name = "last_axis", .inputs = {in({3, 2, 4}, 0.5, 1.5)}, .attrs = {{"axis", -1}}},
                  {.name = "few", .inputs = {in({2, 5, 3}, 0.5, 1.5)}, .attrs = {{"ratio", 0.2}}},
                  {.name = "few_last_axis",
                   .inputs = {in({2, 3, 5}, 0.5, 1.5)},
                   .attrs = {{"ratio", 0.2}, {"axis", 2}}},
                  {.name = "none", .inputs = {in({2, 3})}, .attrs = {{"ratio", 0.0}}}},
      .bad_samples = {{.name = "no_channels",
                       .inputs = {in({3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "axes for examples and channels"}},
  };
}

}  // namespace asg::nn_cards
