#include "ops/normalization/norm_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/norms.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  normalize_axis(ctx.integer("axis"), ctx.shape(0).rank());
  ctx.output(ctx.type(0));
}

// Zeros have no direction: they are divided by 1 and stay.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t axis = normalize_axis(ctx.integer("axis"), x.rank());
  const Tensor norm = ops::lp_norm(x, {axis}, static_cast<double>(ctx.integer("p")));
  const Tensor zero = add_op("Equal", {norm, ops::scalar_like(x, 0)});
  ctx.output(x / ops::choose(zero, ops::scalar_like(x, 1), norm));
}

std::vector<Sample> samples() {
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 2}, {3, 4, -5, 12}))},
       .expected = {Array::of<double>({2, 2}, {0.6, 0.8, -5 / 13.0, 12 / 13.0})}},
      {.name = "exact_sum",
       .inputs = {in_exact(Array::of<double>({2, 2}, {3, 1, -2, 4}))},
       .attrs = {{"p", 1}, {"axis", 0}},
       .expected = {Array::of<double>({2, 2}, {0.6, 0.2, -0.4, 0.8})}},
      {.name = "last_axis", .inputs = {ops::both_signs()}},
      {.name = "middle_axis", .inputs = {ops::both_signs()}, .attrs = {{"axis", 1}}},
      {.name = "sum_of_magnitudes", .inputs = {ops::both_signs()}, .attrs = {{"p", 1}}},
      {.name = "extremes",
       .inputs = {in_exact(Array::of<double>({3, 2}, {0, 0, 3e200, 4e200, ops::kNan, 1}))},
       .gradient = false,
       .expected = {Array::of<double>({3, 2}, {0, 0, 0.6, 0.8, ops::kNan, ops::kNan})}},
      {.name = "no_rows", .inputs = {in({0, 3})}, .gradient = false},
  };
}

}  // namespace

OpCard card_lp_normalization() {
  return {
      .name = "LpNormalization",
      .category = Category::normalization,
      .inputs = ops::x_port(),
      .outputs = ops::y_port(),
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = -1,
                      .words = {"the axis along which vectors lie", "ось, вдоль которой лежат векторы"}},
                     {.name = "p",
                      .kind = AttrKind::integer,
                      .fallback = 2,
                      .choices = {1, 2},
                      .words = {"1 divides by the sum of magnitudes, 2 by the length of the vector",
                                "1 делит на сумму модулей, 2 — на длину вектора"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(4),
      .onnx = {{.op = "LpNormalization", .since = 1}},
      .torch = "torch.nn.functional.normalize",
      .peer_differences = {{{"extremes"},
                            "squares that overflow in PyTorch do not here, and rows of zeros are left alone"}},
      .tolerance = ops::kNormTolerance,
      .words =
          {.what = {"Divides every vector along the axis by its own norm, so that all get norm 1 and only their "
                    "directions remain. A vector of zeros stays as it is.",
                    "Делит каждый вектор вдоль оси на его норму: у всех она становится равной 1, и остаются только "
                    "направления. Нулевой вектор не меняется."},
           .formula = R"(y = \frac{x}{\left( \sum_i |x_i|^p \right)^{1 / p}})",
           .why = {"After it a dot product is the cosine of an angle. Face recognition, retrieval and contrastive "
                   "learning (CLIP) compare embeddings in this way, where length would only say how confident or how "
                   "frequent something is.",
                   "После неё скалярное произведение — это косинус угла. Так сравнивают эмбеддинги в распознавании "
                   "лиц, поиске и контрастном обучении (CLIP): длина говорила бы лишь об уверенности или частоте."}},
      .samples = samples(),
      .bad_samples = {ops::refuse_integers(),
                      {.name = "no_such_axis",
                       .inputs = {in({2, 3})},
                       .attrs = {{"axis", 2}},
                       .code = ErrorCode::bad_index,
                       .contains = "axis 2 of a tensor of rank 2"}},
  };
}

}  // namespace asg::cards
