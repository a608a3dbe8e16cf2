#include "nn/support/convolution.h"

namespace asg::nn_cards {

OpCard card_conv3d() {
  return {
      .name = "nn.Conv3d",
      .category = Category::convolution,
      .inputs = nn::image_port(3),
      .outputs = nn::filtered_port(3),
      .attributes = nn::convolution_layer_attributes(3),
      .body = [](BodyContext& ctx) { nn::convolution_body(ctx, 3); },
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Conv3d",
      .words =
          {.what = {"Slides learned boxes of weights through a volume, so that a filter sees depth, height and width "
                    "at once. Neighbouring slices, or frames of a video, are judged together.",
                    "Проводит трёхмерные обучаемые фильтры сквозь объём, так что каждый видит сразу глубину, высоту и "
                    "ширину. Соседние срезы или кадры видео оцениваются вместе."},
           .formula = R"(y_{o,i,j,k} = b_o + \sum_{c,t,u,v} w_{o,c,t,u,v} \, )"
                      R"(x_{c, \, s i + d t - q, \, s j + d u - q, \, s k + d v - q})",
           .why = {"Tumours in a tomogram and gestures in a clip have a shape that no single slice or frame shows. The "
                   "price is high: a filter of 3×3×3 costs three times as much as a flat one, at every voxel.",
                   "У опухоли на томограмме и жеста в ролике есть форма, которой не видно ни на одном срезе или кадре. "
                   "Цена высока: фильтр 3×3×3 втрое дороже плоского, и так в каждом вокселе."}},
      .samples = nn::convolution_layer_samples(3),
      .bad_samples = nn::bad_convolution_layers(3),
  };
}

}  // namespace asg::nn_cards
