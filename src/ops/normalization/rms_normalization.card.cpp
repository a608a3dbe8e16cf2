#include "ops/normalization/norm_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::check_normalized_shape(ctx, 1, "a scale");
  ctx.output(ctx.type(0));
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto lanes = ops::lanes_of(x.sizes(), normalize_axis(ctx.integer("axis"), x.rank()));
  const auto length = static_cast<std::size_t>(lanes.length * lanes.after_count);
  const auto scale = ctx.in(1).data<double>();
  const auto from = x.data<double>();
  const auto to = ctx.out().mutable_data<double>();
  for (std::size_t first = 0; first < to.size(); first += length) {
    const double factor = ops::moments_of(from.subspan(first, length), ctx.real("epsilon"), false).inverse_deviation;
    for (std::size_t k = 0; k < length; ++k) to[first + k] = from[first + k] * factor * scale[k];
  }
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor mean_square = ops::reduce_keeping("ReduceMean", x * x, ops::axes_from(ctx, x));
  ctx.output(x / add_op("Sqrt", {mean_square + ctx.real("epsilon")}) * ctx.in(1));
}

std::vector<Sample> samples() {
  const auto scale = [](Sizes sizes) { return in(std::move(sizes), 0.5, 1.5); };
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 7, -3, 3})), in_exact(Array::of<double>({2}, {5, 10}))},
       .attrs = {{"epsilon", 0.0}},
       .expected = {Array::of<double>({2, 2}, {1, 14, -5, 10})}},
      {.name = "last_axis", .inputs = {in({2, 3, 4}), scale({4})}},
      {.name = "two_axes", .inputs = {in({2, 2, 3}), scale({2, 3})}, .attrs = {{"axis", 1}}},
      {.name = "all_axes", .inputs = {in({2, 3}), scale({2, 3})}, .attrs = {{"axis", 0}, {"epsilon", 0.1}}},
      {.name = "zeros",
       .inputs = {in_exact(Array::of<double>({1, 2}, {0, 0})), in_exact(Array::of<double>({2}, {1, 2}))},
       .gradient = false,
       .expected = {Array::of<double>({1, 2}, {0, 0})}},
      {.name = "no_rows", .inputs = {in({0, 3}), scale({3})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_scale",
       .inputs = {in({2, 3}), in({2})},
       .code = ErrorCode::bad_shape,
       .contains = "a scale of shape [2]"},
      {.name = "no_such_axis", .inputs = {in({2, 3}), in({3})}, .attrs = {{"axis", -3}}, .code = ErrorCode::bad_index},
  };
}

}  // namespace

OpCard card_rms_normalization() {
  return {
      .name = "RMSNormalization",
      .category = Category::normalization,
      .inputs = {{.name = "x", .words = {"any tensor", "любой тензор"}},
                 {.name = "scale",
                  .words = {"a factor for each element of a row, of the shape of the normalised axes",
                            "множитель для каждого элемента строки, форма — как у нормируемых осей"}}},
      .outputs = {{.name = "y",
                   .words = {"x divided by its root mean square and scaled",
                             "x, делённый на своё среднее квадратичное и умноженный на масштаб"}}},
      .attributes = {ops::first_axis_attribute(), ops::epsilon_attribute()},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(5),
      .onnx = {{.op = "RMSNormalization", .since = 23}},
      .words = {.what = {"Divides each row by the root of the mean of its squares and multiplies it by a learned "
                         "scale. Unlike LayerNormalization it neither subtracts the mean nor adds a bias.",
                         "Делит каждую строку на корень из среднего её квадратов и умножает на обучаемый масштаб. В "
                         "отличие от LayerNormalization не вычитает среднее и не прибавляет сдвиг."},
                .formula = R"(y = \frac{x}{\sqrt{\frac{1}{n} \sum_i x_i^2 + \varepsilon}} \cdot \gamma)",
                .why = {"Most of what normalisation does for training comes from fixing the size of activations, not "
                        "their mean. LLaMA and most language models after it therefore put this cheaper form before "
                        "the attention and before the feed-forward part of every block.",
                        "Почти вся польза нормализации для обучения — в том, что закреплена величина активаций, а не "
                        "их среднее. Поэтому LLaMA и большинство последующих языковых моделей ставят этот более "
                        "дешёвый вариант перед слоем внимания и перед полносвязной частью каждого блока."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
