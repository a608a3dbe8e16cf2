#include "ops/recurrent/recurrent_cases.h"
#include "ops/recurrent/recurrent_parts.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

class Rnn : public ops::RecurrentKind {
 public:
  int gates() const override { return 1; }
  std::vector<std::string> functions() const override { return {"Tanh"}; }

  std::vector<Tensor> step(ops::ScanBuilder& scan, const ops::Direction& direction,
                           const ops::Step& now) const override {
    const Tensor weights = scan.capture("R", direction.recurrence);
    const Tensor sum = now.x + ops::times(now.states[0], weights);
    return {direction.functions[0](direction.clipped(sum))};
  }
};

}  // namespace

OpCard card_rnn() {
  return {
      .name = "RNN",
      .category = Category::recurrent,
      .inputs = ops::recurrent_inputs(false),
      .outputs = ops::recurrent_outputs(false),
      .attributes = ops::recurrent_attributes(),
      .body = [](BodyContext& ctx) { ops::recurrent_body(ctx, Rnn()); },
      .gradient_kind = GradientKind::body,
      .cost = ops::recurrent_cost,
      .onnx = {{.op = "RNN", .since = 14}},
      .torch = "torch.nn.RNN",
      .tolerance = ops::kRecurrentTolerance,
      .words =
          {.what = {"Reads a sequence element by element and keeps a state: the new state is a function, tanh unless "
                    "told otherwise, of the sum of the element and the old state, each multiplied by its own weights. "
                    "It gives the state after every element and the last one.",
                    "Читает последовательность поэлементно и хранит состояние: новое состояние — функция (tanh, если "
                    "не задана другая) от суммы элемента и прежнего состояния, каждый со своими весами. Возвращает "
                    "состояние после каждого элемента и последнее."},
           .formula = R"(h_t = f(x_t W^\top + h_{t-1} R^\top + b_W + b_R))",
           .why =
               {"The simplest network with a memory, and the one on which the trouble of long sequences was found: "
                "a gradient that passes many steps is multiplied by R each time and soon vanishes or explodes. GRU "
                "and LSTM were made against this.",
                "Простейшая сеть с памятью; на ней и обнаружили беду длинных последовательностей: градиент на каждом "
                "шаге умножается на R и вскоре затухает или взрывается. Против этого и придуманы GRU и LSTM."}},
      .samples = ops::join_cases(ops::recurrent_samples(1), ops::rnn_exact()),
      .bad_samples = ops::bad_recurrent_samples(1),
  };
}

}  // namespace asg::cards
