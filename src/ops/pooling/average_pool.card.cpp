#include <string>

#include "ops/pooling/average_pool_parts.h"
#include "ops/pooling/pool_parts.h"
#include "ops/support/cost.h"
#include "ops/support/pairs.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Four elements in windows of three, a stride apart of two: the last window reaches one beyond the padding.
Sample ceil_sample(std::string name, bool count_padding, std::vector<double> expected) {
  return {.name = std::move(name),
          .inputs = {in_exact(Array::of<double>({1, 1, 4}, {1, 2, 6, 4}))},
          .attrs = {{"kernel_shape", Sizes{3}},
                    {"strides", Sizes{2}},
                    {"pads", Sizes{1, 1}},
                    {"ceil_mode", true},
                    {"count_include_pad", count_padding}},
          .expected = {Array::of<double>({1, 1, 3}, expected)}};
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 2, 3}, {1, 2, 3, 5, 6, 10}))},
       .attrs = {{"kernel_shape", Sizes{2, 2}}},
       .expected = {Array::of<double>({1, 1, 1, 2}, {3.5, 5.25})}},
      ceil_sample("ceil_without_padding", false, {1.5, 4, 4}),
      ceil_sample("ceil_with_padding", true, {1, 4, 2}),
      {.name = "extremes",
       .inputs = {in_exact(Array::of<double>({1, 1, 5}, {1, 2, ops::kInfinity, 3, ops::kNan}))},
       .attrs = {{"kernel_shape", Sizes{2}}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 4}, {1.5, ops::kInfinity, ops::kInfinity, ops::kNan})}},
      {.name = "one_axis", .inputs = {in({2, 3, 5})}, .attrs = {{"kernel_shape", Sizes{2}}}},
      {.name = "two_axes",
       .inputs = {in({1, 2, 3, 5})},
       .attrs = {{"kernel_shape", Sizes{2, 3}}, {"strides", Sizes{1, 2}}, {"pads", Sizes{0, 1, 1, 2}}}},
      {.name = "three_axes",
       .inputs = {in({1, 2, 3, 2, 3})},
       .attrs = {{"kernel_shape", Sizes{2, 2, 2}}, {"pads", Sizes{0, 1, 0, 0, 0, 1}}, {"count_include_pad", true}}},
      {.name = "no_pictures", .inputs = {in({0, 2, 4})}, .attrs = {{"kernel_shape", Sizes{2}}}, .gradient = false},
  };
  const std::vector<ops::AttrValues> values = {
      {"kernel_shape", {Sizes{2}, Sizes{3}}}, {"strides", {Sizes{}, Sizes{2}}},
      {"pads", {Sizes{}, Sizes{1, 0}}},       {"auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
      {"ceil_mode", {false, true}},           {"count_include_pad", {false, true}},
  };
  for (const Attrs& attrs : ops::all_pairs(values, ops::no_pads_beside_auto_pad)) {
    samples.push_back({.name = "pairs_" + std::to_string(samples.size()), .inputs = {in({1, 2, 6})}, .attrs = attrs});
  }
  return samples;
}

}  // namespace

OpCard card_average_pool() {
  OpCard card{
      .name = "AveragePool",
      .category = Category::pooling,
      .inputs = ops::pool_inputs(),
      .outputs = ops::pool_outputs(),
      .attributes = ops::average_pool_attributes(),
      .cost = ops::cost_per_input(2),
      .onnx = {{.op = "AveragePool", .since = 10}},
      .torch = "torch.nn.functional.avg_pool2d",
      .words =
          {.what = {"Slides a window over each channel and takes the mean of the numbers under it. Where a window "
                    "reaches beyond the border, the mean is that of the elements inside, unless `count_include_pad` "
                    "counts the padding as zeros; what `ceil_mode` adds beyond the padding never counts.",
                    "Проводит окно по каждому каналу и берёт среднее чисел под ним. Там, где окно выходит за край, "
                    "среднее берётся по элементам внутри, если только `count_include_pad` не велит считать дополнение "
                    "нулями; то, что `ceil_mode` добавляет за пределами дополнения, не считается никогда."},
           .formula = R"(y_{n c p} = \frac{1}{|W_p|} \sum_{i \in W_p} x_{n c i})",
           .why = {"Shrinks a map smoothly: every element has the same say, so the result keeps the overall level of a "
                   "feature where MaxPool would keep its peak. LeNet and the transition layers of DenseNet reduce "
                   "resolution this way.",
                   "Плавно уменьшает карту: у всех элементов равный голос, поэтому сохраняется общий уровень признака, "
                   "тогда как MaxPool оставил бы его пик. Так понижают разрешение LeNet и переходные слои DenseNet."}},
      .samples = samples(),
      .bad_samples = ops::bad_pools(),
  };
  ops::complete_mapped_op(card, ops::average_pool());
  return card;
}

}  // namespace asg::cards
