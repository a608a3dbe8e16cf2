#include "nn/support/convolution.h"
#include "nn/support/transposed_convolution.h"

namespace asg::nn_cards {

OpCard card_conv_transpose1d() {
  return {
      .name = "nn.ConvTranspose1d",
      .category = Category::convolution,
      .inputs = nn::image_port(1),
      .outputs = nn::filtered_port(1),
      .attributes = nn::transposed_convolution_attributes(1),
      .body = [](BodyContext& ctx) { nn::transposed_convolution_body(ctx, 1); },
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.ConvTranspose1d",
      .words =
          {.what = {"Spreads each input element over the output through a learned filter, `strides` apart, and adds up "
                    "where the copies overlap. It is the gradient of nn.Conv1d with respect to its input, so it undoes "
                    "what that does to the length, but not to the values.",
                    "Раскладывает каждый элемент входа по выходу через обучаемый фильтр с шагом `strides` и складывает "
                    "там, где копии перекрываются. Это градиент nn.Conv1d по входу, поэтому слой обращает изменение "
                    "длины, но не сами значения."},
           .formula = R"(y_{o,j} = b_o + \sum_{c} \sum_{s i + d u - q = j} w_{c,o,u} \, x_{c,i})",
           .why = {"Vocoders such as HiFi-GAN raise a slow spectrogram to the rate of sound with it, and autoencoders "
                   "of signals get their length back. Unlike repeating samples, it learns what to put in between.",
                   "Вокодеры вроде HiFi-GAN поднимают им медленную спектрограмму до частоты звука, а автокодировщики "
                   "сигналов возвращают исходную длину. В отличие от повторения отсчётов, слой учится тому, что "
                   "поставить между ними."}},
      .samples = nn::transposed_convolution_samples(1),
      .bad_samples = nn::bad_transposed_convolutions(1),
  };
}

}  // namespace asg::nn_cards
