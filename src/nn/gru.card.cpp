#include "nn/support/recurrent.h"

namespace asg::nn_cards {
namespace {

// The reset gate acts on the product, as in PyTorch and cuDNN.
void body(BodyContext& ctx) {
  nn::recurrent_body(ctx, {.op = "GRU", .gates = 3, .attrs = {{"linear_before_reset", true}}});
}

}  // namespace

OpCard card_gru() {
  return {
      .name = "nn.GRU",
      .category = Category::recurrent,
      .inputs = nn::recurrent_layer_inputs(false),
      .outputs = nn::recurrent_layer_outputs(false),
      .attributes = nn::recurrent_layer_attributes(),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.GRU",
      .words = {.what = {"A recurrent layer with one state and two gates: one says how much of the old state stays, "
                         "the other how much of it the new candidate may see. The rows of the weights stand in the "
                         "order update, reset, candidate, as in ONNX.",
                         "Рекуррентный слой с одним состоянием и двумя вентилями: один решает, сколько прежнего "
                         "состояния остаётся, другой — сколько его увидит новый кандидат. Строки весов идут в порядке "
                         "ONNX: обновление, сброс, кандидат."},
                .formula = R"(h_t = z_t \odot h_{t-1} + (1 - z_t) \odot \tanh(W x_t + r_t \odot (R h_{t-1})))",
                .why = {"It does nearly what an LSTM does with three quarters of its weights, which made it common in "
                        "speech synthesis and recommenders. It is a good first choice for short sequences: sensor "
                        "readings, pen strokes, clicks.",
                        "Делает почти то же, что LSTM, с тремя четвертями её весов, поэтому прижилась в синтезе речи и "
                        "рекомендациях. Хороший первый выбор для коротких последовательностей: показаний датчиков, "
                        "росчерков пера, кликов."}},
      .samples = nn::recurrent_layer_samples(false),
      .bad_samples = nn::bad_recurrent_layers(),
  };
}

}  // namespace asg::nn_cards
