#include "ops/pooling/global_parts.h"
#include "ops/support/norms.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) {
  ctx.output(ops::lp_norm(ctx.in(0), ops::spatial_axes(ctx.in(0)), static_cast<double>(ctx.integer("p"))));
}

}  // namespace

OpCard card_global_lp_pool() {
  OpCard card = ops::global_pool();
  card.name = "GlobalLpPool";
  card.attributes = {{.name = "p",
                      .kind = AttrKind::integer,
                      .fallback = 2,
                      .least = 1,
                      .words = {"the order of the norm: 1 sums magnitudes, 2 is the length of the vector",
                                "порядок нормы: 1 складывает модули, 2 даёт длину вектора"}}};
  card.body = body;
  card.onnx = {{.op = "GlobalLpPool", .since = 2}};
  card.torch = "torch.linalg.vector_norm";
  card.peer_differences = {{{"extremes"}, "squares that overflow in PyTorch do not here"}};
  // Powers and a root are rounded one after the other.
  card.tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2};
  card.words = {.what = {"Replaces each channel of each picture by the p-norm of all its elements: how strong the "
                         "channel is as a whole, whatever the signs. It is a sum and not a mean, so larger pictures "
                         "give larger numbers; the spatial axes stay, with length 1.",
                         "Заменяет каждый канал каждого изображения p-нормой всех его элементов: насколько силён канал "
                         "в целом, независимо от знаков. Это сумма, а не среднее, поэтому большие изображения дают "
                         "большие числа; пространственные оси остаются с длиной 1."},
                .formula = R"(y_{n c} = \left( \sum_{i} |x_{n c i}|^p \right)^{1 / p})",
                .why = {"Lies, but for a constant factor, between the global average and the global maximum: the "
                        "larger p is, the more the strongest elements decide. Image retrieval networks pool their "
                        "features this way before comparing them; GeM pooling is its averaged form with p about 3.",
                        "С точностью до постоянного множителя занимает место между глобальным средним и глобальным "
                        "максимумом: чем больше p, тем больше решают сильнейшие элементы. Сети поиска изображений так "
                        "сводят признаки перед сравнением; пулинг GeM — её усреднённая форма с p около 3."}};
  card.samples.push_back({.name = "sum_of_magnitudes", .inputs = {ops::both_signs()}, .attrs = {{"p", 1}}});
  card.samples.push_back({.name = "third_power", .inputs = {ops::both_signs()}, .attrs = {{"p", 3}}});
  card.samples.push_back({.name = "exact",
                          .inputs = {in_exact(Array::of<double>({1, 2, 2}, {3, -4, 5, 12}))},
                          .expected = {Array::of<double>({1, 2, 1}, {5, 13})}});
  card.samples.push_back(
      {.name = "extremes",
       .inputs = {in_exact(Array::of<double>({1, 4, 2}, {0, 0, 3e200, 4e200, -ops::kInfinity, 1, ops::kNan, 1}))},
       .gradient = false,
       .expected = {Array::of<double>({1, 4, 1}, {0, 5e200, ops::kInfinity, ops::kNan})}});
  return card;
}

}  // namespace asg::cards
