#include "nn/support/convolution.h"

namespace asg::nn_cards {

OpCard card_conv2d() {
  return {
      .name = "nn.Conv2d",
      .category = Category::convolution,
      .inputs = nn::image_port(2),
      .outputs = nn::filtered_port(2),
      .attributes = nn::convolution_layer_attributes(2),
      .body = [](BodyContext& ctx) { nn::convolution_body(ctx, 2); },
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Conv2d",
      .words =
          {.what = {"Slides learned filters over an image: each output channel is the response of one filter at every "
                    "place. The same weights are used everywhere, so a shape is recognised wherever it stands. With "
                    "stride 1 and no padding the map loses kernel - 1 rows and columns.",
                    "Проводит обучаемые фильтры по изображению: каждый выходной канал — отклик одного фильтра во всех "
                    "местах. Веса везде одни, поэтому форма узнаётся, где бы она ни стояла. При шаге 1 и без "
                    "дополнения карта теряет kernel - 1 строк и столбцов."},
           .formula = R"(y_{o,i,j} = b_o + \sum_{c,u,v} w_{o,c,u,v} \, x_{c, \, s i + d u - q, \, s j + d v - q})",
           .why =
               {"Convolutions need far fewer parameters than full connections and match the structure of images. In "
                "networks from LeNet to ResNet early layers learn edges, later ones parts and objects.",
                "Свёрткам нужно гораздо меньше параметров, чем полносвязным слоям, и они отвечают устройству "
                "изображений. В сетях от LeNet до ResNet первые слои выучивают края, следующие — части и предметы."}},
      .samples = nn::convolution_layer_samples(2),
      .bad_samples = nn::bad_convolution_layers(2),
  };
}

}  // namespace asg::nn_cards
