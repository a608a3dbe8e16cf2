#include "ops/normalization/norm_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

// What ONNX adds to the deviation itself, not to the variance.
constexpr double kLeast = 1e-9;

void infer(InferContext& ctx) {
  normalize_axes(ctx.integers("axes"), ctx.shape(0).rank());
  ctx.output(ctx.type(0));
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const auto sorted = normalize_axes(ctx.integers("axes"), x.rank());
  const std::vector<std::int64_t> axes(sorted.begin(), sorted.end());
  const Tensor centred = x - ops::reduce_keeping("ReduceMean", x, axes);
  const Tensor variance = ops::reduce_keeping("ReduceMean", centred * centred, axes);
  // The root of 0 has no slope: equal numbers would get NaN for gradients.
  const Tensor equal = add_op("Equal", {variance, ops::scalar_like(x, 0)});
  const Tensor root = add_op("Sqrt", {ops::choose(equal, ops::scalar_like(x, 1), variance)});
  const Tensor deviation = ops::zero_where(equal, root) + kLeast;
  // In short types the tiny number is 0.
  const Tensor zero = add_op("Equal", {deviation, ops::scalar_like(x, 0)});
  ctx.output(centred / ops::choose(zero, ops::scalar_like(x, 1), deviation));
}

}  // namespace

OpCard card_mean_variance_normalization() {
  return {
      .name = "MeanVarianceNormalization",
      .category = Category::normalization,
      .inputs = ops::x_port(),
      .outputs = ops::y_port(),
      .attributes = {{.name = "axes",
                      .kind = AttrKind::integers,
                      .fallback = Sizes{0, 2, 3},
                      .words = {"the axes over which mean and variance are taken; usually all but that of the channels",
                                "оси, по которым берутся среднее и дисперсия; обычно все, кроме оси каналов"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(6),
      .onnx = {{.op = "MeanVarianceNormalization", .since = 13}},
      .tolerance = ops::kNormTolerance,
      .words =
          {.what =
               {"Brings the numbers along the given axes to mean 0 and standard deviation 1, without scale, bias or "
                "memory of earlier batches. A tiny number is added to the deviation, so that equal numbers give 0.",
                "Приводит числа вдоль заданных осей к среднему 0 и стандартному отклонению 1 без масштаба, сдвига и "
                "памяти о прежних пакетах. К отклонению прибавляется крошечное число, чтобы равные числа дали 0."},
           .formula = R"(y = \frac{x - \mu}{\sigma + 10^{-9}})",
           .why = {"Prepares data rather than layers: photographs of different brightness and contrast become "
                   "comparable before the network sees them, and so do recordings of different loudness. With the "
                   "default axes it does what BatchNormalization does in training, but keeps no statistics for later.",
                   "Готовит скорее данные, чем слои: снимки разной яркости и контраста и записи разной громкости "
                   "становятся сравнимыми прежде, чем их увидит сеть. С осями по умолчанию делает то же, что "
                   "BatchNormalization при обучении, но не копит статистик на потом."}},
      .samples = {{.name = "exact",
                   .inputs = {in_exact(Array::of<double>({1, 2, 1, 2}, {1, 3, -20, 20}))},
                   .gradient = false,
                   .expected = {Array::of<double>(
                       {1, 2, 1, 2}, {-1 / (1 + 1e-9), 1 / (1 + 1e-9), -20 / (20 + 1e-9), 20 / (20 + 1e-9)})}},
                  {.name = "usual_axes", .inputs = {in({2, 3, 2, 2})}},
                  {.name = "last_axis", .inputs = {in({2, 3, 4})}, .attrs = {{"axes", Sizes{-1}}}},
                  {.name = "two_axes", .inputs = {in({2, 3, 2})}, .attrs = {{"axes", Sizes{2, 0}}}},
                  {.name = "equal_numbers",
                   .inputs = {in_exact(Array::of<double>({1, 3}, {7, 7, 7}))},
                   .attrs = {{"axes", Sizes{1}}},
                   .gradient = false,
                   .expected = {Array::of<double>({1, 3}, {0, 0, 0})}},
                  {.name = "no_rows", .inputs = {in({0, 3})}, .attrs = {{"axes", Sizes{1}}}, .gradient = false}},
      .bad_samples = {{.name = "axis_beyond_the_rank",
                       .inputs = {in({2, 3})},
                       .code = ErrorCode::bad_index,
                       .contains = "axis 2 of a tensor of rank 2"}},
  };
}

}  // namespace asg::cards
