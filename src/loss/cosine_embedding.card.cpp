#include <algorithm>

#include "loss/support/pairs.h"
#include "ops/support/gradients.h"

namespace asg::loss_cards {
namespace {

Tensor dot(const Tensor& a, const Tensor& b) {
  return add_op("ReduceSum", {a * b, ops::ints(a.graph(), {-1})}, {{"keepdims", false}});
}

// The small number keeps the cosine of a zero vector, and its gradient, finite; it is PyTorch's, but where f16 cannot
// hold it.
Tensor cosine(const Tensor& a, const Tensor& b) {
  const double small = a.dtype() == DType::f16 ? 1e-7 : 1e-12;
  const Tensor product = dot(a, b);
  const Tensor left = add_op("Sqrt", {dot(a, a) + small});
  const Tensor right = add_op("Sqrt", {dot(b, b) + small});
  return product / (left * right);
}

void body(BodyContext& ctx) {
  const Tensor& first = ctx.in(0);
  const Tensor& labels = ctx.in(2);
  loss::check_equal_shapes(ctx, 0, 1);
  if (labels.rank() + 1 != first.rank() ||
      !std::equal(labels.shape().begin(), labels.shape().end(), first.shape().begin())) {
    fail(ErrorCode::bad_shape,
         "vectors of shape " + first.shape().to_string() + " and labels of shape " + labels.shape().to_string(),
         "one label for each vector: the shape without its last axis, the features");
  }
  const Tensor likeness = cosine(first, ctx.in(1));
  const Tensor is_same = add_op("Equal", {labels, ops::scalar_like(labels, 1)});
  const Tensor is_other = add_op("Equal", {labels, ops::scalar_like(labels, -1)});
  const Tensor if_other = ops::where_or_zero(is_other, add_op("Relu", {likeness - ctx.real("margin")}));
  ctx.output(ops::reduced(ctx, ops::choose(is_same, 1.0 - likeness, if_other)));
}

std::vector<Sample> samples() {
  const SampleInput first = in_exact(Array::of<double>({3, 3}, {1, 2, 3, 1, 0, -1, 0, 0, 0}));
  const SampleInput second = in_exact(Array::of<double>({3, 3}, {1, 2, 2.5, 2, 1, 1, 1, 1, 1}));
  const auto case_of = [](std::string name, double margin) {
    return Sample{.name = std::move(name),
                  .inputs = {in({2, 3}, 0.2, 1), in({2, 3}, 0.2, 1), in_ints({2}, {1, -1})},
                  .attrs = {{"margin", margin}}};
  };
  return ops::join({ops::for_each_reduction(case_of("no_margin", 0)),
                    ops::for_each_reduction(case_of("margin", -0.5)),
                    {{.name = "sequence",
                      .inputs = {in({2, 3, 4}, 0.2, 1), in({2, 3, 4}, 0.2, 1), in_ints({2, 3}, {1, 1, -1, -1, 1, -1})},
                      .attrs = {{"reduction", "sum"}}},
                     {.name = "one_pair", .inputs = {in({3}), in({3}), in_ints({}, {1})}},
                     {.name = "exact_same",
                      .inputs = {first, second, in_ints({3}, {1, 1, 1})},
                      .attrs = {{"reduction", "none"}},
                      .gradient = false,
                      .expected = {ops::reals({0.003976158888085002, 0.7113248654052833, 1})}},
                     {.name = "exact_other",
                      .inputs = {first, second, in_ints({3}, {-1, -1, -1})},
                      .attrs = {{"reduction", "none"}, {"margin", 0.2}},
                      .gradient = false,
                      .expected = {ops::reals({0.7960238411119149, 0.08867513459471665, 0})}},
                     {.name = "other_labels_cost_nothing",
                      .inputs = {in({2, 3}), in({2, 3}), in_ints({2}, {0, 2})},
                      .gradient = false,
                      .expected = {Array::scalar(DType::f64, 0)}}}});
}

}  // namespace

OpCard card_cosine_embedding() {
  return {
      .name = "loss.CosineEmbedding",
      .category = Category::loss,
      .inputs = {{.name = "first", .words = {"features on the last axis", "признаки на последней оси"}},
                 {.name = "second", .words = {"what they are compared with", "с чем их сравнивают"}},
                 {.name = "labels",
                  .dtypes = kSigned,
                  .type = "",
                  .words = {"1: should point the same way; −1: should not",
                            "1 — должны смотреть в одну сторону, −1 — не должны"},
                  .differentiable = false}},
      .outputs = ops::loss_port(),
      .attributes = {{.name = "margin",
                      .kind = AttrKind::real,
                      .fallback = 0.0,
                      .least = -1,
                      .most = 1,
                      .words = {"the cosine up to which a pair with label −1 costs nothing",
                                "косинус, до которого пара с меткой −1 ничего не стоит"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.cosine_embedding_loss",
      .peer_differences = {{{"exact_same"},
                            "1e-12 is added in f64; PyTorch rounds it to f32, which a zero vector shows"}},
      .words = {.what = {"Compares two vectors by the cosine of the angle between them. Pairs that belong together "
                         "lose what is missing to a cosine of 1, the others lose what exceeds `margin`; lengths do not "
                         "matter, and a label that is neither 1 nor −1 costs nothing.",
                         "Сравнивает два вектора по косинусу угла между ними. Пары, которые должны совпадать, теряют "
                         "недостающее до косинуса 1, остальные — превышение над `margin`; длины не важны, а метка, "
                         "отличная от 1 и −1, ничего не стоит."},
                .formula =
                    R"(l = \begin{cases} 1 - \cos(a, b) & t = 1 \\ \max(0, \cos(a, b) - m) & t = -1 \end{cases})",
                .why = {"Sentence and image embeddings are compared by angle, so they are trained by angle; "
                        "Sentence-BERT may be fitted to pairs of sentences this way. The margin lets strangers be "
                        "merely different instead of opposite.",
                        "Эмбеддинги фраз и изображений сравнивают по углу, поэтому и обучают по углу; так можно "
                        "дообучить Sentence-BERT на парах предложений. Отступ позволяет чужим быть просто разными, а "
                        "не противоположными."}},
      .samples = samples(),
      .bad_samples = {{.name = "label_for_each_feature",
                       .inputs = {in({2, 3}), in({2, 3}), in_ints({2, 3}, {1, 1, 1, 1, 1, 1})},
                       .code = ErrorCode::bad_shape,
                       .contains = "one label for each vector"}},
  };
}

}  // namespace asg::loss_cards
