#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  loss::check_equal_shapes(ctx, 0, 2);
  const Tensor lead = (ctx.in(0) - ctx.in(1)) * ctx.in(2);
  ctx.output(ops::reduced(ctx, add_op("Relu", {ctx.real("margin") - lead})));
}

// Scores far enough apart, one way and the other, that no sample stands at the corner.
std::vector<Sample> samples() {
  const auto case_of = [](std::string name, double margin, bool gradient = true) {
    return Sample{.name = std::move(name),
                  .inputs = {in({2, 3}, 1, 2), in({2, 3}, -1, 0), in({2, 3}, -1.5, -0.5)},
                  .attrs = {{"margin", margin}},
                  .gradient = gradient};
  };
  return ops::join(
      {ops::for_each_reduction(case_of("no_margin", 0)),
       ops::for_each_reduction(case_of("margin", 0.5)),
       {{.name = "rank_3", .inputs = {in({1, 2, 3}, 1, 2), in({1, 2, 3}, -1, 0), in({1, 2, 3}, -1, -0.5)}},
        {.name = "different_lengths", .inputs = {in({2, 3, 4}), in({2, 3, 4}), in({2, 3, 4})}, .gradient = false},
        {.name = "exact",
         .inputs = {in_exact(ops::reals({0.5, -1, 2, 0.25})), in_exact(ops::reals({1, -0.5, 0.5, 0.25})),
                    in_exact(ops::reals({1, -1, 1, -1}))},
         .attrs = {{"margin", 0.5}, {"reduction", "none"}},
         .gradient = false,
         .expected = {ops::reals({1, 0, 0, 0.5})}}}});
}

}  // namespace

OpCard card_margin_ranking() {
  return {
      .name = "loss.MarginRanking",
      .category = Category::loss,
      .inputs = {{.name = "first", .words = {"scores of the first ones", "оценки первых"}},
                 {.name = "second", .words = {"scores of the second ones", "оценки вторых"}},
                 {.name = "target",
                  .words = {"1 where the first should rank higher, −1 where the second should",
                            "1, где выше должен стоять первый, −1 — где второй"}}},
      .outputs = ops::loss_port(),
      .attributes = {{.name = "margin",
                      .kind = AttrKind::real,
                      .fallback = 0.0,
                      .words = {"by how much the right one must lead", "насколько верный должен опережать"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.margin_ranking_loss",
      .peer_differences = {{{"exact"}, "at the corner the gradient is 0; PyTorch takes the slope of the line"}},
      .words =
          {.what =
               {"Looks at pairs of scores: nothing is lost while the one that should rank higher leads by `margin`, "
                "otherwise what it lacks of that lead. Only the difference of the two matters, not their values.",
                "Смотрит на пары оценок: потерь нет, пока тот, кто должен стоять выше, опережает на `margin`; иначе "
                "теряется то, чего до этого не хватает. Важна только разность двух оценок, а не их значения."},
           .formula = R"(l = \max(0, m - t (a - b)))",
           .why = {"Search, recommendation and the reward models of language models learn from comparisons. People say "
                   "which of two answers is better more reliably than how good one is.",
                   "Поиск, рекомендации и модели вознаграждения для языковых моделей учатся на сравнениях. Люди "
                   "надёжнее говорят, какой из двух ответов лучше, чем насколько хорош один."}},
      .samples = samples(),
      .bad_samples = {{.name = "other_shape",
                       .inputs = {in({2}), in({2}), in({3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "equal shapes"}},
  };
}

}  // namespace asg::loss_cards
