#include "loss/support/pairs.h"
#include "ops/support/gradients.h"

namespace asg::loss_cards {
namespace {

// The p-norm of the difference along the last axis. The small number keeps the root differentiable where two points
// coincide, as in PyTorch.
Tensor distance(const Tensor& a, const Tensor& b, double p) {
  constexpr double kApart = 1e-6;
  const Tensor difference = a - b + kApart;
  const Tensor last = ops::ints(a.graph(), {-1});
  const auto total = [&](const Tensor& terms) { return add_op("ReduceSum", {terms, last}, {{"keepdims", false}}); };
  if (p == 2) return add_op("Sqrt", {total(difference * difference)});
  const Tensor magnitude = add_op("Abs", {difference});
  if (p == 1) return total(magnitude);
  const Tensor sum = total(add_op("Pow", {magnitude, ops::scalar_like(magnitude, p)}));
  return add_op("Pow", {sum, ops::scalar_like(sum, 1 / p)});
}

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  loss::check_equal_shapes(ctx, 0, 2);
  if (ctx.in(0).rank() == 0) fail(ErrorCode::bad_shape, "an anchor of rank 0", "features on the last axis");
  const double p = ctx.real("p");
  const Tensor near = distance(ctx.in(0), ctx.in(1), p);
  const Tensor far = distance(ctx.in(0), ctx.in(2), p);
  ctx.output(ops::reduced(ctx, add_op("Relu", {near - far + ctx.real("margin")})));
}

std::vector<Sample> samples() {
  std::vector<std::vector<Sample>> sets;
  for (const double p : {2.0, 1.0, 3.0}) {
    for (const double margin : {1.0, 4.0}) {
      sets.push_back(ops::for_each_reduction(
          {.name = "p_" + std::to_string(static_cast<int>(p)) + "_margin_" + std::to_string(static_cast<int>(margin)),
           .inputs = {in({2, 3}, 2, 3), in({2, 3}, -1, 0), in({2, 3}, 0.5, 1.5)},
           .attrs = {{"p", p}, {"margin", margin}}}));
    }
  }
  const SampleInput anchor = in_exact(Array::of<double>({3, 3}, {1, 2, 3, 1, 0, -1, 0, 0, 0}));
  const SampleInput positive = in_exact(Array::of<double>({3, 3}, {1, 2, 2.5, 2, 1, 1, 1, 1, 1}));
  const SampleInput negative = in_exact(Array::of<double>({3, 3}, {0, 2, 3, 1, 0.5, -1, 0.2, 0.1, 0}));
  const auto exact = [&](std::string name, Attrs attrs, std::vector<double> expected) {
    attrs.set("reduction", "none");
    return Sample{.name = std::move(name),
                  .inputs = {anchor, positive, negative},
                  .attrs = std::move(attrs),
                  .gradient = false,
                  .expected = {ops::reals(expected)}};
  };
  sets.push_back({exact("exact_1", {{"p", 1.0}}, {0.5000000000000002, 4.499996, 3.699998}),
                  exact("exact_2", {}, {0.5000000000009999, 2.949489109788084, 2.508443619406194}),
                  exact("exact_3", {{"p", 3.0}}, {0.5000000000000002, 2.654434397371156, 2.234240901354258}),
                  exact("exact_small_margin", {{"margin", 0.1}}, {0, 2.0494891097880843, 1.6084436194061942}),
                  {.name = "sequence",
                   .inputs = {in({2, 3, 4}, 2, 3), in({2, 3, 4}, -1, 0), in({2, 3, 4}, 0.5, 1.5)},
                   .gradient = false},
                  {.name = "one_example", .inputs = {in({3}, 2, 3), in({3}, -1, 0), in({3}, 0.5, 1.5)}}});
  return ops::join(std::move(sets));
}

}  // namespace

OpCard card_triplet_margin() {
  return {
      .name = "loss.TripletMargin",
      .category = Category::loss,
      .inputs = {{.name = "anchor", .words = {"features on the last axis", "признаки на последней оси"}},
                 {.name = "positive",
                  .words = {"what should lie near the anchor", "что должно лежать рядом с опорным"}},
                 {.name = "negative", .words = {"what should lie far from it", "что должно лежать далеко от него"}}},
      .outputs = ops::loss_port(),
      .attributes = {{.name = "p",
                      .kind = AttrKind::real,
                      .fallback = 2.0,
                      .least = 1,
                      .words = {"the norm: 2 is the usual distance", "норма: 2 — обычное расстояние"}},
                     {.name = "margin",
                      .kind = AttrKind::real,
                      .fallback = 1.0,
                      .least = 0,
                      .words = {"by how much farther the negative must lie",
                                "насколько дальше должен лежать отрицательный пример"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.triplet_margin_loss",
      .words =
          {.what = {"Takes three points: an anchor, one that belongs to it and one that does not. Nothing is lost "
                    "while the stranger lies farther away by `margin`, otherwise what is missing; once all are that "
                    "far apart, nothing more is learned.",
                    "Берёт три точки: опорную, свою и чужую. Потерь нет, пока чужая дальше своей на `margin`; иначе "
                    "теряется недостающее. Когда все чужие отошли достаточно далеко, учиться больше нечему."},
           .formula = R"(l = \max\left(0, \|a - b\|_p - \|a - c\|_p + m\right))",
           .why = {"FaceNet and semantic search learn their embeddings this way. Distances come to mean likeness, also "
                   "for people and sentences that were never in the training set.",
                   "Так обучают эмбеддинги FaceNet и смыслового поиска. Расстояние начинает означать сходство, в том "
                   "числе для людей и фраз, которых не было в обучающей выборке."}},
      .samples = samples(),
      .bad_samples = {{.name = "other_shape",
                       .inputs = {in({2, 3}), in({2, 3}), in({3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "equal shapes"},
                      {.name = "p_below_1",
                       .inputs = {in({2}), in({2}), in({2})},
                       .attrs = {{"p", 0.5}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "at least 1"}},
  };
}

}  // namespace asg::loss_cards
