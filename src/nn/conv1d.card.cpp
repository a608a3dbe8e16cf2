#include "nn/support/convolution.h"

namespace asg::nn_cards {

OpCard card_conv1d() {
  return {
      .name = "nn.Conv1d",
      .category = Category::convolution,
      .inputs = nn::image_port(1),
      .outputs = nn::filtered_port(1),
      .attributes = nn::convolution_layer_attributes(1),
      .body = [](BodyContext& ctx) { nn::convolution_body(ctx, 1); },
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Conv1d",
      .words =
          {.what =
               {"Slides learned filters along a sequence: each output channel tells how strongly its filter answers at "
                "every moment. The input may have any length; the number of parameters does not depend on it.",
                "Проводит обучаемые фильтры вдоль последовательности: каждый выходной канал показывает, насколько "
                "сильно фильтр откликается в каждый момент. Длина входа любая, число параметров от неё не зависит."},
           .formula = R"(y_{o,i} = b_o + \sum_{c,u} w_{o,c,u} \, x_{c, \, s i + d u - q})",
           .why = {"Sound, sensor readings and text have patterns that may begin anywhere, and a filter finds them "
                   "wherever they stand. Dilated stacks of it reach back thousands of samples, as in WaveNet.",
                   "В звуке, показаниях датчиков и тексте узор может начаться где угодно, и фильтр находит его в любом "
                   "месте. Стопка таких слоёв с растущим расстоянием между точками фильтра видит на тысячи отсчётов "
                   "назад, как в WaveNet."}},
      .samples = nn::convolution_layer_samples(1),
      .bad_samples = nn::bad_convolution_layers(1),
  };
}

}  // namespace asg::nn_cards
