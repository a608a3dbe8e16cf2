#include "ops/pooling/global_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ctx.output(ops::reduce_keeping("ReduceMax", ctx.in(0), ops::spatial_axes(ctx.in(0)))); }

}  // namespace

OpCard card_global_max_pool() {
  OpCard card = ops::global_pool();
  card.name = "GlobalMaxPool";
  card.body = body;
  card.onnx = {{.op = "GlobalMaxPool", .since = 1}};
  card.torch = "torch.nn.functional.adaptive_max_pool2d";
  card.peer_differences = {{{"extremes"}, "where the maximum is NaN, so are the gradients of its window"}};
  card.tolerance = ops::kExact;
  card.words = {
      .what = {"Keeps, of each channel of each picture, only the largest element. Its gradient goes to that element, "
               "shared evenly where several are equally large.",
               "Оставляет от каждого канала каждого изображения только наибольший элемент. Градиент идёт этому "
               "элементу, а если наибольших несколько, делится между ними поровну."},
      .formula = R"(y_{n c} = \max_{i} x_{n c i})",
      .why = {"Answers whether a feature occurs at all. Text classifiers put it after their convolutions: one phrase "
              "that tells the topic is enough, wherever it stands and however long the text is.",
              "Отвечает, встретился ли признак вообще. В классификаторах текста она стоит после свёрток: достаточно "
              "одной фразы, выдающей тему, где бы та ни стояла и каким бы длинным ни был текст."}};
  card.samples.push_back({.name = "exact",
                          .inputs = {in_exact(Array::of<double>({1, 2, 2, 2}, {1, 2, 6, 3, -4, -1, -5, -7}))},
                          .expected = {Array::of<double>({1, 2, 1, 1}, {6, -1})}});
  card.samples.push_back(
      {.name = "extremes",
       .inputs = {in_exact(Array::of<double>({1, 2, 2}, {-ops::kInfinity, 1, ops::kNan, ops::kInfinity}))},
       .gradient = false,
       .expected = {Array::of<double>({1, 2, 1}, {1, ops::kNan})}});
  return card;
}

}  // namespace asg::cards
