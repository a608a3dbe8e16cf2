#include "ops/normalization/norm_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::check_normalized_shape(ctx, 1, "a scale");
  ops::check_normalized_shape(ctx, 2, "a bias");
  ctx.output(ctx.type(0));
  const Shape& x = ctx.shape(0);
  std::vector<Dim> rows = x.dims();
  std::fill(rows.begin() + normalize_axis(ctx.integer("axis"), x.rank()), rows.end(), Dim(1));
  ctx.output({ctx.dtype(0), Shape(rows)});
  ctx.output({ctx.dtype(0), Shape(rows)});
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto lanes = ops::lanes_of(x.sizes(), normalize_axis(ctx.integer("axis"), x.rank()));
  const auto length = static_cast<std::size_t>(lanes.length * lanes.after_count);
  const auto scale = ctx.in(1).data<double>();
  const auto bias = ctx.has(2) ? ctx.in(2).data<double>() : std::span<const double>();
  const auto means = ctx.out(1).mutable_data<double>();
  const auto inverses = ctx.out(2).mutable_data<double>();
  for (std::size_t row = 0; row < static_cast<std::size_t>(lanes.before_count); ++row) {
    const auto from = x.data<double>().subspan(row * length, length);
    const auto to = ctx.out().mutable_data<double>().subspan(row * length, length);
    const ops::Moments moments = ops::moments_of(from, ctx.real("epsilon"));
    means[row] = moments.mean;
    inverses[row] = moments.inverse_deviation;
    for (std::size_t k = 0; k < length; ++k) {
      to[k] = (from[k] - moments.mean) * moments.inverse_deviation * scale[k] + (bias.empty() ? 0 : bias[k]);
    }
  }
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const ops::NormalizedTensor rows = ops::normalized(x, ops::axes_from(ctx, x), ctx.real("epsilon"));
  const Tensor scaled = rows.value * ctx.in(1);
  ctx.output(ctx.has(2) ? scaled + ctx.in(2) : scaled);
  ctx.output(rows.mean);
  ctx.output(add_op("Reciprocal", {rows.deviation}));
}

std::vector<Sample> samples() {
  const auto scale = [](Sizes sizes) { return in(std::move(sizes), 0.5, 1.5); };
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 3, -20, 20})), in_exact(Array::of<double>({2}, {2, 3})),
                  in_exact(Array::of<double>({2}, {10, 20}))},
       .attrs = {{"epsilon", 0.0}},
       .gradient = false,
       .expected = {Array::of<double>({2, 2}, {8, 23, 8, 23}), Array::of<double>({2, 1}, {2, 0}),
                    Array::of<double>({2, 1}, {1, 0.05})}},
      {.name = "last_axis", .inputs = {in({2, 3, 4}), scale({4}), in({4})}},
      {.name = "no_bias", .inputs = {in({3, 5}), scale({5})}},
      {.name = "two_axes", .inputs = {in({2, 3, 4}), scale({3, 4}), in({3, 4})}, .attrs = {{"axis", 1}}},
      {.name = "all_axes", .inputs = {in({2, 3}), scale({2, 3})}, .attrs = {{"axis", 0}, {"epsilon", 1e-2}}},
      {.name = "large_epsilon", .inputs = {in({4, 3}), scale({3}), in({3})}, .attrs = {{"epsilon", 0.5}}},
      {.name = "constant_rows",
       .inputs = {in_exact(Array::of<double>({1, 3}, {7, 7, 7})), in_exact(Array::of<double>({3}, {1, 2, 3})),
                  in_exact(Array::of<double>({3}, {4, 5, 6}))},
       .gradient = false,
       .expected = {Array::of<double>({1, 3}, {4, 5, 6})}},
      {.name = "no_rows", .inputs = {in({0, 3}), scale({3}), in({3})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_scale",
       .inputs = {in({2, 3}), in({2})},
       .code = ErrorCode::bad_shape,
       .contains = "the shape of what is normalised: [3]"},
      {.name = "other_bias",
       .inputs = {in({2, 3}), in({3}), in({2})},
       .code = ErrorCode::bad_shape,
       .contains = "a bias"},
      {.name = "no_such_axis", .inputs = {in({2, 3}), in({3})}, .attrs = {{"axis", 2}}, .code = ErrorCode::bad_index},
      {.name = "negative_epsilon",
       .inputs = {in({2, 3}), in({3})},
       .attrs = {{"epsilon", -1.0}},
       .code = ErrorCode::bad_attribute,
       .contains = "at least 0"},
  };
}

}  // namespace

OpCard card_layer_normalization() {
  return {
      .name = "LayerNormalization",
      .category = Category::normalization,
      .inputs = {{.name = "x", .words = {"any tensor", "любой тензор"}},
                 {.name = "scale",
                  .words = {"a factor for each normalised element, of the shape of the normalised axes",
                            "множитель для каждого нормируемого элемента, форма — как у нормируемых осей"}},
                 {.name = "bias",
                  .kind = PortKind::optional,
                  .words = {"a number to add to each, of the same shape", "слагаемое для каждого, той же формы"}}},
      .outputs = {{.name = "y",
                   .words = {"x normalised, scaled and shifted",
                             "x, нормированный, умноженный на масштаб и сдвинутый"}},
                  {.name = "mean",
                   .words = {"the mean of each row, of the dtype of x; normalised axes have length 1",
                             "среднее каждой строки, того же типа, что x; длина нормируемых осей — 1"}},
                  {.name = "inv_std_dev",
                   .words = {"one divided by the standard deviation of each row",
                             "единица, делённая на стандартное отклонение каждой строки"}}},
      .attributes = {ops::first_axis_attribute(), ops::epsilon_attribute()},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(8),
      .onnx = {{.op = "LayerNormalization", .since = 17}},
      .torch = "torch.nn.functional.layer_norm",
      .words = {.what = {"Brings the numbers of each row (of the axes from `axis` on) to mean 0 and variance 1, then "
                         "multiplies them by a scale and adds a bias, both learned. Every row is treated on its own, "
                         "so the result does not depend on the rest of the batch.",
                         "Приводит числа каждой строки (по осям начиная с `axis`) к среднему 0 и дисперсии 1, затем "
                         "умножает на обучаемый масштаб и прибавляет обучаемый сдвиг. Каждая строка обрабатывается "
                         "отдельно, поэтому результат не зависит от остального пакета."},
                .formula = R"(y = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} \cdot \gamma + \beta)",
                .why = {"In deep networks the size of activations drifts from layer to layer and training becomes "
                        "unstable. Normalising before or after each block keeps them in one range, which is why every "
                        "transformer has such a layer; scale and bias give back the freedom that it takes away.",
                        "В глубоких сетях величина активаций от слоя к слою уплывает, и обучение теряет устойчивость. "
                        "Нормализация до или после каждого блока удерживает их в одном диапазоне, поэтому она есть в "
                        "каждом трансформере; масштаб и сдвиг возвращают отнятую ею свободу."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
