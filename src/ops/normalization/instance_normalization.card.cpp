#include "ops/normalization/norm_parts.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

std::vector<Sample> samples() {
  const auto vectors = [](std::int64_t channels) { return std::pair{in({channels}, 0.5, 1.5), in({channels})}; };
  const auto [scale, bias] = vectors(2);
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 2, 2}, {1, 3, -20, 20})), in_exact(Array::of<double>({2}, {2, 3})),
                  in_exact(Array::of<double>({2}, {10, 20}))},
       .attrs = {{"epsilon", 0.0}},
       .gradient = false,
       .expected = {Array::of<double>({1, 2, 2}, {8, 12, 17, 23})}},
      {.name = "one_axis", .inputs = {in({2, 3, 4}), vectors(3).first, vectors(3).second}},
      {.name = "two_axes", .inputs = {in({1, 2, 2, 3}), scale, bias}, .attrs = {{"epsilon", 0.1}}},
      {.name = "three_axes", .inputs = {in({1, 2, 2, 1, 2}), scale, bias}},
      {.name = "no_pictures", .inputs = {in({0, 2, 3}), scale, bias}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "no_channels",
       .inputs = {in({3}), in({3}), in({3})},
       .code = ErrorCode::bad_shape,
       .contains = "unsqueeze a missing batch or channel axis"},
      {.name = "scale_for_other_channels",
       .inputs = {in({2, 3, 4}), in({4}), in({3})},
       .code = ErrorCode::bad_shape,
       .contains = "a scale of shape [4]"},
      {.name = "bias_that_is_a_matrix",
       .inputs = {in({2, 3, 4}), in({3}), in({3, 1})},
       .code = ErrorCode::bad_shape,
       .contains = "one number for each of the 3 channels"},
  };
}

}  // namespace

OpCard card_instance_normalization() {
  return {
      .name = "InstanceNormalization",
      .category = Category::normalization,
      .inputs = ops::grouped_norm_inputs(),
      .outputs = ops::grouped_norm_outputs(),
      .attributes = {ops::epsilon_attribute()},
      .infer = ops::infer_grouped_norm,
      .body = [](BodyContext& ctx) { ops::grouped_norm_body(ctx, 0); },
      .kernel = [](KernelContext& ctx) { ops::grouped_norm_kernel(ctx, 0); },
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(8),
      .onnx = {{.op = "InstanceNormalization", .since = 6}},
      .torch = "torch.nn.functional.instance_norm",
      .words =
          {.what = {"Brings every channel of every picture, on its own, to mean 0 and variance 1 over its spatial "
                    "axes, then applies a scale and a bias for each channel. A channel with a single position has "
                    "nothing to compare with and becomes its bias.",
                    "Приводит каждый канал каждого изображения по отдельности к среднему 0 и дисперсии 1 по "
                    "пространственным осям, затем применяет масштаб и сдвиг своего канала. Каналу из одной позиции "
                    "сравнивать не с чем: он становится равен своему сдвигу."},
           .formula =
               R"(y_{n c i} = \gamma_c \frac{x_{n c i} - \mu_{n c}}{\sqrt{\sigma_{n c}^2 + \varepsilon}} + \beta_c)",
           .why = {"Contrast and colour cast of a single picture are statistics of its channels; this op removes them. "
                   "That made fast style transfer work: scale and bias then put a new style in.",
                   "Контраст и цветовой оттенок отдельного изображения — это статистики его каналов; операция их "
                   "убирает. На этом построен быстрый перенос стиля: новый стиль вносят масштаб и сдвиг."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
