#include "nn/support/convolution.h"
#include "nn/support/transposed_convolution.h"

namespace asg::nn_cards {

OpCard card_conv_transpose2d() {
  return {
      .name = "nn.ConvTranspose2d",
      .category = Category::convolution,
      .inputs = nn::image_port(2),
      .outputs = nn::filtered_port(2),
      .attributes = nn::transposed_convolution_attributes(2),
      .body = [](BodyContext& ctx) { nn::transposed_convolution_body(ctx, 2); },
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.ConvTranspose2d",
      .words =
          {.what = {"Lays a copy of a learned filter into the output for every input pixel, `strides` apart and "
                    "weighted by the pixel, and adds up where copies overlap. So a small map becomes a larger one.",
                    "Кладёт в выход копию обучаемого фильтра для каждого пикселя входа, с шагом `strides` и весом "
                    "этого пикселя, и складывает перекрытия. Так малая карта становится большей."},
           .formula = R"(y_{o,si+u,sj+v} = b_o + \sum_{c} w_{c,o,u,v} x_{c,i,j})",
           .why = {"Generators draw pictures from small codes, and U-Nets bring a segmentation back to full size with "
                   "it. A kernel that the stride divides avoids the checkerboard pattern of uneven overlap.",
                   "Генераторы рисуют им картинки из малых кодов, а U-Net возвращает разметку к полному размеру. Если "
                   "шаг делит размер фильтра, не появляется шахматный узор от неровного перекрытия."}},
      .samples = nn::transposed_convolution_samples(2),
      .bad_samples = nn::bad_transposed_convolutions(2),
  };
}

}  // namespace asg::nn_cards
