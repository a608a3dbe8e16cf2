#include "nn/support/recurrent.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) { nn::recurrent_body(ctx, {.op = "LSTM", .gates = 4, .cell = true}); }

}  // namespace

OpCard card_lstm() {
  return {
      .name = "nn.LSTM",
      .category = Category::recurrent,
      .inputs = nn::recurrent_layer_inputs(true),
      .outputs = nn::recurrent_layer_outputs(true),
      .attributes = nn::recurrent_layer_attributes(),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.LSTM",
      .words = {.what = {"A recurrent layer with two memories: a cell, to which gates add and from which they erase, "
                         "and a state that shows part of it. The rows of the weights stand in the order input, output, "
                         "forget, candidate, as in ONNX.",
                         "Рекуррентный слой с двумя видами памяти: ячейка, в которую вентили пишут и из которой "
                         "стирают, и состояние, показывающее её часть. Строки весов идут в порядке ONNX: вход, выход, "
                         "забывание, кандидат."},
                .formula = R"(c_t = f_t \odot c_{t-1} + i_t \odot g_t, \quad h_t = o_t \odot \tanh(c_t))",
                .why = {"The cell is changed by sums, not by repeated products, so it can keep something over hundreds "
                        "of steps. Speech and translation ran on it for years; small devices still do.",
                        "Ячейка меняется сложением, а не повторным умножением, поэтому помнит сотни шагов. На ней "
                        "годами держались распознавание речи и перевод, а на малых устройствах держатся и сейчас."}},
      .samples = nn::recurrent_layer_samples(true),
      .bad_samples = nn::bad_recurrent_layers(),
  };
}

}  // namespace asg::nn_cards
