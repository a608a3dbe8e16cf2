#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  constexpr double kFirstSlope = 0.25;
  if (!ctx.boolean("per_channel")) {
    ctx.output(add_op("PRelu", {x, ctx.parameter("slope", {1}, Initializer::constant(kFirstSlope))}));
    return;
  }
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  const Tensor slope =
      ctx.parameter("slope", {nn::known_length(ctx, x, axis, "channels")}, Initializer::constant(kFirstSlope));
  ctx.output(add_op("PRelu", {x, nn::along_axis(slope, x.rank(), axis)}));
}

// Numbers of both signs, away from the corner at 0.
SampleInput both_signs(const Sizes& sizes) {
  Array numbers(DType::f64, sizes);
  for (std::int64_t at = 0; at < numbers.count(); ++at)
    numbers.set(at, (at % 2 == 0 ? 1 : -1) * (0.3 + 0.1 * static_cast<double>(at)));
  return in_exact(numbers);
}

}  // namespace

OpCard card_p_relu() {
  return {
      .name = "nn.PRelu",
      .category = Category::activation,
      .inputs = nn::x_port({"any tensor; channels on the axis `axis`", "любой тензор; каналы на оси `axis`"}),
      .outputs = nn::y_port(
          {"x, with negative elements multiplied by the slope", "x, где отрицательные элементы умножены на наклон"}),
      .attributes = {{.name = "per_channel",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"one slope for each channel instead of one for all",
                                "свой наклон у каждого канала вместо одного общего"}},
                     {.name = "axis",
                      .fallback = 1,
                      .words = {"the channel axis, where slopes are per channel",
                                "ось каналов, если наклон у каждого свой"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.PReLU",
      .words = {.what = {"Keeps positive elements and multiplies negative ones by a slope that is learned, for all "
                         "channels together or for each its own. It starts at 0.25.",
                         "Сохраняет положительные элементы, а отрицательные умножает на обучаемый наклон: один на все "
                         "каналы или свой у каждого. Начинает с 0,25."},
                .formula = R"(y = \begin{cases} x & x \ge 0 \\ a x & x < 0 \end{cases})",
                .why = {"Relu throws negative values away, LeakyRelu keeps a fixed part; here the network decides how "
                        "much. It was part of the first networks that beat people on ImageNet.",
                        "Relu отбрасывает отрицательные значения, LeakyRelu сохраняет заданную часть; здесь долю "
                        "выбирает сама сеть. С ней работали первые сети, обошедшие человека на ImageNet."}},
      .samples = {{.name = "one_slope", .inputs = {both_signs({2, 3, 4})}},
                  {.name = "channels", .inputs = {both_signs({2, 3, 4})}, .attrs = {{"per_channel", true}}},
                  {.name = "last_axis", .inputs = {both_signs({2, 3})}, .attrs = {{"per_channel", true}, {"axis", -1}}},
                  {.name = "one_slope_last_axis", .inputs = {both_signs({3})}, .attrs = {{"axis", -1}}},
                  {.name = "empty", .inputs = {in({0, 3})}, .gradient = false}},
      .bad_samples = {{.name = "no_such_axis",
                       .inputs = {in({3})},
                       .attrs = {{"per_channel", true}},
                       .code = ErrorCode::bad_index,
                       .contains = "axis"}},
  };
}

}  // namespace asg::nn_cards
