#include <string>

#include "ops/normalization/norm_parts.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::infer_grouped_norm(ctx);
  const Dim& channels = ctx.shape(0)[1];
  const std::int64_t groups = ctx.integer("num_groups");
  if (channels.is_known() && channels.value() % groups != 0) {
    fail(ErrorCode::bad_shape, channels.to_string() + " channels in " + std::to_string(groups) + " groups",
         "a number of groups that divides the channels");
  }
}

std::vector<Sample> samples() {
  const auto scale = [](std::int64_t channels) { return in({channels}, 0.5, 1.5); };
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 4, 1}, {1, 3, -20, 20})),
                  in_exact(Array::of<double>({4}, {1, 2, 3, 4})), in_exact(Array::of<double>({4}, {10, 20, 30, 40}))},
       .attrs = {{"num_groups", 2}, {"epsilon", 0.0}},
       .gradient = false,
       .expected = {Array::of<double>({1, 4, 1}, {9, 22, 27, 44})}},
      {.name = "pairs_of_channels", .inputs = {in({2, 4, 3}), scale(4), in({4})}, .attrs = {{"num_groups", 2}}},
      {.name = "one_group",
       .inputs = {in({2, 3, 4}), scale(3), in({3})},
       .attrs = {{"num_groups", 1}, {"epsilon", 0.1}}},
      {.name = "each_channel_alone", .inputs = {in({1, 2, 2, 3}), scale(2), in({2})}, .attrs = {{"num_groups", 2}}},
      {.name = "no_spatial_axes", .inputs = {in({2, 6}), scale(6), in({6})}, .attrs = {{"num_groups", 2}}},
      {.name = "no_pictures",
       .inputs = {in({0, 2, 3}), scale(2), in({2})},
       .attrs = {{"num_groups", 1}},
       .gradient = false},
  };
}

}  // namespace

OpCard card_group_normalization() {
  return {
      .name = "GroupNormalization",
      .category = Category::normalization,
      .inputs = ops::grouped_norm_inputs(),
      .outputs = ops::grouped_norm_outputs(),
      .attributes = {{.name = "num_groups",
                      .kind = AttrKind::integer,
                      .least = 1,
                      .words = {"into how many groups the channels are divided, in their order",
                                "на сколько групп делятся каналы по порядку"}},
                     ops::epsilon_attribute()},
      .infer = infer,
      .body = [](BodyContext& ctx) { ops::grouped_norm_body(ctx, ctx.integer("num_groups")); },
      .kernel = [](KernelContext& ctx) { ops::grouped_norm_kernel(ctx, ctx.integer("num_groups")); },
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(8),
      // Opset 18 had a scale and a bias for each group; since 21 there is one for each channel, as here.
      .onnx = {{.op = "GroupNormalization", .since = 21}},
      .torch = "torch.nn.functional.group_norm",
      .words =
          {.what =
               {"Divides the channels into groups and brings each group of each picture to mean 0 and variance 1 over "
                "its channels and all positions. Scale and bias belong to single channels, as in ONNX since opset 21.",
                "Делит каналы на группы и приводит каждую группу каждого изображения к среднему 0 и дисперсии 1 по её "
                "каналам и всем позициям. Масштаб и сдвиг у каждого канала свои, как в ONNX начиная с 21-го набора "
                "операций."},
           .formula = R"(y = \gamma_c \frac{x - \mu_{n g}}{\sqrt{\sigma_{n g}^2 + \varepsilon}} + \beta_c)",
           .why = {"Batch statistics are unreliable when only one or two large pictures fit into memory. Groups of "
                   "channels give enough numbers within a single picture, so detection, segmentation and diffusion "
                   "models train the same with any batch size.",
                   "Статистики пакета ненадёжны, когда в память помещается одно-два больших изображения. Группа "
                   "каналов даёт достаточно чисел внутри одного изображения, поэтому модели детекции, сегментации и "
                   "диффузии обучаются одинаково при любом размере пакета."}},
      .samples = samples(),
      .bad_samples = {{.name = "groups_do_not_divide",
                       .inputs = {in({1, 3, 2}), in({3}), in({3})},
                       .attrs = {{"num_groups", 2}},
                       .code = ErrorCode::bad_shape,
                       .contains = "3 channels in 2 groups"},
                      {.name = "scale_of_groups",
                       .inputs = {in({1, 4, 2}), in({2}), in({4})},
                       .attrs = {{"num_groups", 2}},
                       .code = ErrorCode::bad_shape,
                       .contains = "a scale of shape [2]"}},
  };
}

}  // namespace asg::cards
