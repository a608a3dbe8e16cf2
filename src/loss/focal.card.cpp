#include "loss/support/pairs.h"
#include "ops/support/gradients.h"

namespace asg::loss_cards {
namespace {

// missed^gamma. Below 1 the power is infinitely steep at 0, where the loss has no slope: nothing goes through it there.
Tensor power_of(const Tensor& missed, double gamma) {
  if (gamma == 1) return missed;
  const Tensor exponent = ops::scalar_like(missed, gamma);
  if (gamma > 1) return add_op("Pow", {missed, exponent});
  const Tensor zero = ops::scalar_like(missed, 0);
  const Tensor is_zero = add_op("Equal", {missed, zero});
  return ops::choose(is_zero, zero,
                     add_op("Pow", {ops::choose(is_zero, ops::scalar_like(missed, 1), missed), exponent}));
}

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const Tensor& logits = ctx.in(0);
  const Tensor& target = ctx.in(1);
  const Tensor if_no = (1.0 - target) * logits;
  const Tensor cross_entropy = if_no + add_op("Softplus", {-logits});
  const double gamma = ctx.real("gamma");
  Tensor losses = cross_entropy;
  if (gamma != 0) {
    // The probability that was given to the wrong class.
    const Tensor yes = add_op("Sigmoid", {logits});
    const Tensor either = yes + target;
    const Tensor missed = either - yes * target * 2.0;
    losses = losses * power_of(missed, gamma);
  }
  const double alpha = ctx.real("alpha");
  if (alpha >= 0) losses = losses * (target * (2 * alpha - 1) + (1 - alpha));
  ctx.output(ops::reduced(ctx, losses));
}

// All pairs of alpha and gamma under every reduction.
std::vector<Sample> samples() {
  std::vector<std::vector<Sample>> sets;
  for (const double alpha : {0.25, 0.75, -1.0}) {
    for (const double gamma : {2.0, 0.0, 1.0, 1.5, 0.5}) {
      sets.push_back(ops::for_each_reduction({.name = "alpha_" + std::to_string(static_cast<int>(alpha * 100)) +
                                                      "_gamma_" + std::to_string(static_cast<int>(gamma * 10)),
                                              .inputs = {in({1, 3}, -3, 3), in({1, 3}, 0.2, 0.8)},
                                              .attrs = {{"alpha", alpha}, {"gamma", gamma}}}));
    }
  }
  const std::vector<double> logits = {0, 2, -1, -3, 1000, -1000};
  const std::vector<double> target = {1, 0, 1, 0, 1, 1};
  sets.push_back(
      {loss::exact_pair("exact", logits, target,
                        {0.04332169878499658, 1.2375586345660565, 0.17546707585284624, 8.196249337274787e-05, 0, 250}),
       loss::exact_pair("no_alpha", logits, target,
                        {0.34657359027997264, 1.8733919771959593, 0.9600712226463136, 0.0023042975737701346, 0, 1000},
                        {{"alpha", -1.0}, {"gamma", 1.0}}),
       loss::exact_pair("no_focus", logits, target,
                        {0.4158883083359672, 0.8507712044171891, 0.7879570125109336, 0.019434940629496786, 0, 600},
                        {{"alpha", 0.6}, {"gamma", 0.0}}),
       {.name = "rank_3", .inputs = {in({2, 3, 4}, -3, 3), in({2, 3, 4}, 0, 1)}, .gradient = false}});
  return ops::join(std::move(sets));
}

}  // namespace

OpCard card_focal() {
  return {
      .name = "loss.Focal",
      .category = Category::loss,
      .inputs = loss::pair_ports({"scores: any numbers, positive for yes", "оценки: любые числа, положительные — «да»"},
                                 {"the true class, 0 or 1", "верный класс, 0 или 1"}),
      .outputs = ops::loss_port(),
      .attributes = {{.name = "alpha",
                      .kind = AttrKind::real,
                      .fallback = 0.25,
                      .least = -1,
                      .most = 1,
                      .words = {"weight of the class 1, from 0 to 1; the class 0 has the rest. −1: no weights",
                                "вес класса 1, от 0 до 1; остальное у класса 0. −1: без весов"}},
                     {.name = "gamma",
                      .kind = AttrKind::real,
                      .fallback = 2.0,
                      .least = 0,
                      .words = {"how strongly easy examples are discounted; 0 is plain cross-entropy",
                                "насколько сильно ослабляются лёгкие примеры; 0 — обычная перекрёстная энтропия"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torchvision.ops.sigmoid_focal_loss",
      .words =
          {.what = {"Binary cross-entropy from scores, multiplied by the missing probability to the power `gamma`. An "
                    "example that is already classified with confidence hardly counts any more, a missed one counts "
                    "almost fully; on top of that `alpha` gives the class 1 a quarter of the weight by default.",
                    "Двоичная перекрёстная энтропия по оценкам, умноженная на недостающую вероятность в степени "
                    "`gamma`. Пример, уже распознанный уверенно, почти не считается, промах — почти полностью; кроме "
                    "того, `alpha` по умолчанию даёт классу 1 четверть веса."},
           .formula = R"(l = -\alpha_t (1 - p_t)^\gamma \ln p_t)",
           .why = {"A detector looks at a hundred thousand places of which a dozen hold an object; without the "
                   "discount the easy background would drown them. RetinaNet introduced it and made one-stage "
                   "detectors competitive.",
                   "Детектор смотрит на сотню тысяч мест, из которых предмет есть в десятке; без скидки лёгкий фон "
                   "заглушил бы их. Её ввела RetinaNet и тем уравняла одноступенчатые детекторы с двухступенчатыми."}},
      .samples = samples(),
      .bad_samples = {loss::refuse_other_shape(),
                      {.name = "alpha_too_large",
                       .inputs = {in({2}), in({2})},
                       .attrs = {{"alpha", 1.5}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "at most 1"}},
  };
}

}  // namespace asg::loss_cards
