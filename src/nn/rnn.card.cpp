#include "nn/support/recurrent.h"

namespace asg::nn_cards {
namespace {

constexpr const char* kActivations[] = {"Tanh", "Relu"};

void body(BodyContext& ctx) {
  const std::size_t directions = ctx.boolean("bidirectional") ? 2 : 1;
  const std::vector<std::string> activations(directions, ctx.text("activation"));
  nn::recurrent_body(ctx, {.op = "RNN", .gates = 1, .attrs = {{"activations", activations}}});
}

std::vector<AttrSpec> attributes() {
  std::vector<AttrSpec> attributes = nn::recurrent_layer_attributes();
  attributes.push_back({.name = "activation",
                        .kind = AttrKind::text,
                        .fallback = kActivations[0],
                        .choices = {kActivations[0], kActivations[1]},
                        .words = {"the activation of the sum of weighted input and weighted state",
                                  "функция активации от суммы взвешенных входа и состояния"}});
  return attributes;
}

}  // namespace

OpCard card_rnn() {
  return {
      .name = "nn.RNN",
      .category = Category::recurrent,
      .inputs = nn::recurrent_layer_inputs(false),
      .outputs = nn::recurrent_layer_outputs(false),
      .attributes = attributes(),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.RNN",
      .words =
          {.what = {"Reads a sequence element by element and keeps a state: the next state is an activation of "
                    "weighted input and weighted old state. Several layers may stand on top of each other, each "
                    "reading the states of the one below.",
                    "Читает последовательность по элементу и хранит состояние: следующее — активация взвешенных входа "
                    "и прежнего состояния. Слои можно ставить друг на друга: каждый читает состояния нижнего."},
           .formula = R"(h_t = \phi(W x_t + R h_{t-1} + b))",
           .why = {"It is the plainest network with a memory and has one set of weights for any length. Its gradients "
                   "fade or grow with every step, which is why LSTM and GRU were invented.",
                   "Простейшая сеть с памятью: один набор весов для любой длины. Её градиенты затухают или растут с "
                   "каждым шагом, поэтому и придумали LSTM и GRU."}},
      .samples = nn::recurrent_layer_samples(false, "activation", {kActivations[0], kActivations[1]}),
      .bad_samples = nn::bad_recurrent_layers(),
  };
}

}  // namespace asg::nn_cards
