#include "ops/pooling/global_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(ops::reduce_keeping("ReduceMean", ctx.in(0), ops::spatial_axes(ctx.in(0)))); }

}  // namespace

OpCard card_global_average_pool() {
  OpCard card = ops::global_pool();
  card.name = "GlobalAveragePool";
  card.body = body;
  card.onnx = {{.op = "GlobalAveragePool", .since = 1}};
  card.torch = "torch.nn.functional.adaptive_avg_pool2d";
  card.words = {
      .what =
          {"Replaces each channel of each picture by the mean of all its elements; the spatial axes stay, with length "
           "1. [8, 512, 7, 7] becomes [8, 512, 1, 1], and a single NaN makes the mean of its channel NaN.",
           "Заменяет каждый канал каждого изображения средним всех его элементов; пространственные оси остаются с "
           "длиной 1. [8, 512, 7, 7] становится [8, 512, 1, 1], а единственный NaN делает NaN среднее своего канала."},
      .formula = R"(y_{n c} = \frac{1}{L} \sum_{i=1}^{L} x_{n c i})",
      .why = {"Turns maps of features of any size into one vector for the classifier, without a single weight. Since "
              "ResNet it stands where large fully connected layers used to be, and squeeze-and-excitation blocks use "
              "it to see a whole channel at once.",
              "Превращает карты признаков любого размера в один вектор для классификатора и обходится без единого "
              "веса. Со времён ResNet она стоит там, где раньше были большие полносвязные слои, а блоки "
              "squeeze-and-excitation с её помощью видят весь канал сразу."}};
  card.samples.push_back({.name = "exact",
                          .inputs = {in_exact(Array::of<double>({1, 2, 2, 2}, {1, 2, 3, 6, -1, 1, 5, 7}))},
                          .expected = {Array::of<double>({1, 2, 1, 1}, {3, 3})}});
  card.samples.push_back({.name = "extremes",
                          .inputs = {in_exact(Array::of<double>({1, 2, 2}, {ops::kInfinity, 1, ops::kNan, 1}))},
                          .gradient = false,
                          .expected = {Array::of<double>({1, 2, 1}, {ops::kInfinity, ops::kNan})}});
  return card;
}

}  // namespace asg::cards
