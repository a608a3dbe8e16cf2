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
                    "этого пикселя, и складывает там, где копии перекрываются. Так малая карта становится большей."},
           .formula = R"(y_{o,k,l} = b_o + \sum_{c} \sum_{s i + d u - q = k} \sum_{s j + d v - q = l} )"
                      R"(w_{c,o,u,v} \, x_{c,i,j})",
           .why = {"The generator of a DCGAN draws pictures from small codes with it, and U-Nets bring a segmentation "
                   "back to full size. A kernel that the stride divides avoids the checkerboard pattern of uneven "
                   "overlap.",
                   "Генератор DCGAN рисует им изображения из малых кодов, а U-Net возвращает разметку к полному "
                   "размеру. Если размер фильтра кратен шагу, не появляется шахматный узор от неровного перекрытия."}},
      .samples = nn::transposed_convolution_samples(2),
      .bad_samples = nn::bad_transposed_convolutions(2),
  };
}

}  // namespace asg::nn_cards
