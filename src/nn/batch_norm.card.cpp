#include "asg/graph/graph.h"
#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

std::vector<std::int64_t> other_axes(int rank, int channel) {
  std::vector<std::int64_t> axes;
  for (int axis = 0; axis < rank; ++axis) {
    if (axis != channel) axes.push_back(axis);
  }
  return axes;
}

// n / (n - 1) for the elements per channel, whose number is known only when the batch is. Counted in f32: f16 ends at
// 65,504.
Tensor unbiased_factor(const Tensor& x, const std::vector<std::int64_t>& axes) {
  Graph& graph = x.graph();
  const Tensor shape = add_op("Shape", {x});
  Tensor count = graph.constant(Array::scalar_i64(1));
  for (std::int64_t axis : axes) {
    count = add_op("Mul", {count, add_op("Gather", {shape, graph.constant(Array::scalar_i64(axis))})});
  }
  const DType wide = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
  const Tensor n = add_op("Cast", {count}, {{"to", wide}});
  const Tensor rest = add_op("Max", {n - 1.0, graph.scalar(wide, 1)});
  return add_op("Cast", {n / rest}, {{"to", x.dtype()}});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const int channel = normalize_axis(ctx.integer("axis"), x.rank());
  const Shape vector = {nn::known_length(ctx, x, channel, "channels")};
  const TensorType statistics{x.dtype(), vector};
  const Tensor scale = ctx.parameter("scale", vector, Initializer::ones());
  const Tensor bias = ctx.parameter("bias", vector, Initializer::zeros());
  const Tensor running_mean = ctx.buffer("running_mean", statistics, Initializer::zeros());
  const Tensor running_variance = ctx.buffer("running_variance", statistics, Initializer::ones());
  Tensor mean = running_mean;
  Tensor variance = running_variance;
  if (ctx.training()) {
    const std::vector<std::int64_t> axes = other_axes(x.rank(), channel);
    const Tensor axes_tensor = ctx.graph().constant(Array::ints(axes));
    mean = add_op("ReduceMean", {x, axes_tensor}, {{"keepdims", false}});
    const Tensor centred = x - nn::along_axis(mean, x.rank(), channel);
    variance = add_op("ReduceMean", {centred * centred, axes_tensor}, {{"keepdims", false}});
    // The running variance is the unbiased one, as it stands for the whole population.
    const Tensor unbiased = variance * unbiased_factor(x, axes);
    const double momentum = ctx.real("momentum");
    const auto blended = [momentum](const Tensor& old, const Tensor& fresh) {
      const Tensor kept = old * (1 - momentum);
      return kept + fresh * momentum;
    };
    ctx.update("running_mean", blended(running_mean, mean));
    ctx.update("running_variance", blended(running_variance, unbiased));
  }
  const Tensor deviation = add_op("Sqrt", {variance + ctx.real("epsilon")});
  const Tensor normalised =
      (x - nn::along_axis(mean, x.rank(), channel)) / nn::along_axis(deviation, x.rank(), channel);
  ctx.output(normalised * nn::along_axis(scale, x.rank(), channel) + nn::along_axis(bias, x.rank(), channel));
}

}  // namespace

OpCard card_batch_norm() {
  return {
      .name = "nn.BatchNorm",
      .category = Category::normalization,
      .inputs = nn::x_port({"channels on the axis `axis`", "каналы на оси `axis`"}),
      .outputs = nn::y_port(
          {"the normalised channels, scaled and shifted", "нормированные каналы, умноженные на масштаб и сдвинутые"}),
      .attributes = {{.name = "axis", .fallback = 1, .words = {"the channel axis", "ось каналов"}},
                     {.name = "momentum",
                      .kind = AttrKind::real,
                      .fallback = 0.1,
                      .least = 0,
                      .most = 1,
                      .words = {"weight of the newest batch in the running statistics",
                                "вес последнего пакета в накопленных статистиках"}},
                     nn::epsilon_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.BatchNorm2d",
      .words =
          {.what = {"Shifts and scales each channel to mean 0 and variance 1 over the batch, then applies a learned "
                    "scale γ and shift β. Training also keeps running statistics, with the unbiased variance, which "
                    "evaluation uses instead of those of the batch.",
                    "Приводит каждый канал к среднему 0 и дисперсии 1 по пакету, затем применяет обучаемые масштаб γ и "
                    "сдвиг β. При обучении накапливаются статистики, с несмещённой дисперсией, и при оценке они "
                    "заменяют пакетные."},
           .formula = R"(y = \gamma \frac{x - \mu_c}{\sqrt{\sigma_c^2 + \epsilon}} + \beta)",
           .why =
               {"It lets convolutional networks such as ResNet use larger learning rates and makes them less sensitive "
                "to their initialisation. It is the reason why training and evaluation must be told apart.",
                "Позволяет свёрточным сетям вроде ResNet выдерживать больший темп обучения и меньше зависеть от "
                "начальных весов. Из-за неё обучение и оценку нужно различать."}},
      .samples = {{.name = "images", .inputs = {in({3, 2, 4, 5})}},
                  {.name = "features", .inputs = {in({6, 3})}},
                  {.name = "channels_last", .inputs = {in({3, 4, 2})}, .attrs = {{"axis", -1}}},
                  {.name = "momentum", .inputs = {in({4, 3})}, .attrs = {{"momentum", 0.3}}},
                  {.name = "epsilon", .inputs = {in({4, 3})}, .attrs = {{"epsilon", 0.1}}},
                  {.name = "axis_momentum", .inputs = {in({4, 2, 3})}, .attrs = {{"axis", 2}, {"momentum", 0.3}}},
                  {.name = "axis_epsilon", .inputs = {in({4, 2, 3})}, .attrs = {{"axis", 2}, {"epsilon", 0.1}}},
                  {.name = "momentum_epsilon", .inputs = {in({4, 3})}, .attrs = {{"momentum", 0.5}, {"epsilon", 0.1}}}},
      .bad_samples = {{.name = "no_such_axis", .inputs = {in({3})}, .code = ErrorCode::bad_index, .contains = "axis"}},
  };
}

}  // namespace asg::nn_cards
