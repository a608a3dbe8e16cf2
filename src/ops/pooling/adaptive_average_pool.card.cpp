#include "ops/pooling/adaptive_parts.h"
#include "ops/pooling/average_pool_parts.h"
#include "ops/pooling/pool_parts.h"
#include "ops/support/axis_maps.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

// A product with the matrix of averages along each axis.
void body(BodyContext& ctx) {
  ctx.output(ops::mapped(ctx.in(0), ops::adaptive_average_pool().maps(ctx, ctx.in(0).shape())));
}

}  // namespace

OpCard card_adaptive_average_pool() {
  OpCard card{
      .name = "AdaptiveAveragePool",
      .category = Category::pooling,
      .inputs = ops::pool_inputs(),
      .outputs = ops::pool_outputs(),
      .attributes = ops::adaptive_attributes(),
      .body = body,
      .cost = ops::cost_per_input(2),
      .torch = "torch.nn.functional.adaptive_avg_pool2d",
      .words = {.what = {"Cuts every spatial axis into `output_size` windows, as even as can be, and takes the mean of "
                         "each. Where the length is not a multiple of the size, neighbouring windows may overlap by "
                         "one element, so that every element is used; a size larger than the length is allowed too.",
                         "Делит каждую пространственную ось на `output_size` окон, как можно более ровных, и берёт "
                         "среднее каждого. Если длина не кратна размеру, соседние окна могут перекрываться на один "
                         "элемент, так что используются все; размер может быть и больше длины."},
                .formula = R"(y_{n c p} = \frac{1}{b_p - a_p} \sum_{i = a_p}^{b_p - 1} x_{n c i}, \quad )"
                           R"(a_p = \lfloor p \, L / S \rfloor, \; b_p = \lceil (p + 1) \, L / S \rceil)",
                .why = {"A classifier ends in layers of a fixed size, but pictures come in many. In VGG it shrinks any "
                        "map to 7 by 7 before those layers, in ResNet to 1 by 1, which is the global average; so they "
                        "accept pictures of any size.",
                        "Классификатор заканчивается слоями постоянного размера, а изображения бывают разными. В VGG "
                        "такой пулинг перед этими слоями сжимает любую карту до 7 на 7, в ResNet — до 1 на 1, то есть "
                        "до глобального среднего; поэтому они принимают изображения любого размера."}},
      .samples = ops::adaptive_samples(),
      .bad_samples = ops::bad_adaptive_pools(),
  };
  card.samples.push_back({.name = "exact",
                          .inputs = {in_exact(Array::of<double>({1, 1, 5}, {1, 3, 5, 9, 4}))},
                          .attrs = {{"output_size", Sizes{2}}},
                          .expected = {Array::of<double>({1, 1, 2}, {3, 6})}});
  ops::complete_mapped_op(card, ops::adaptive_average_pool());
  return card;
}

}  // namespace asg::cards
