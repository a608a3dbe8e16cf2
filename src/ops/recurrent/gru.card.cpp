#include "ops/recurrent/recurrent_cases.h"
#include "ops/recurrent/recurrent_parts.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

// Gates in the order z (update), r (reset), h (candidate).
class Gru : public ops::RecurrentKind {
 public:
  explicit Gru(bool linear_before_reset) : linear_before_reset_(linear_before_reset) {}

  int gates() const override { return 3; }
  int biases_outside() const override { return linear_before_reset_ ? 2 : 3; }
  std::vector<std::string> functions() const override { return {"Sigmoid", "Tanh"}; }

  std::vector<Tensor> step(ops::ScanBuilder& scan, const ops::Direction& direction,
                           const ops::Step& now) const override {
    const std::int64_t hidden = direction.hidden;
    const Tensor& h = now.states[0];
    const Tensor gate_weights = scan.capture("R_zr", ops::gates_of(direction.recurrence, hidden, 0, 2));
    const Tensor weights = scan.capture("R_h", ops::gates_of(direction.recurrence, hidden, 2, 3));
    const Tensor given = ops::gates_of(now.x, hidden, 0, 2);
    const Tensor recalled = ops::times(h, gate_weights);
    const Tensor gates = direction.functions[0](direction.clipped(given + recalled));
    const Tensor update = ops::gates_of(gates, hidden, 0, 1);
    const Tensor reset = ops::gates_of(gates, hidden, 1, 2);
    Tensor past;
    if (linear_before_reset_) {
      past = ops::times(h, weights);
      if (direction.recurrent_bias.valid()) {
        past = past + scan.capture("bias", ops::gates_of(direction.recurrent_bias, hidden, 2, 3));
      }
      past = reset * past;
    } else {
      past = ops::times(reset * h, weights);
    }
    const Tensor x = ops::gates_of(now.x, hidden, 2, 3);
    const Tensor candidate = direction.functions[1](direction.clipped(x + past));
    return {candidate + update * (h - candidate)};
  }

 private:
  bool linear_before_reset_;
};

std::vector<AttrSpec> attributes() {
  std::vector<AttrSpec> specs = ops::recurrent_attributes();
  specs.push_back(
      {.name = "linear_before_reset",
       .kind = AttrKind::boolean,
       .fallback = false,
       .words = {"whether the reset gate multiplies the state after its weights (as PyTorch and cuDNN do) or "
                 "before them",
                 "умножает ли вентиль сброса состояние после весов (как в PyTorch и cuDNN) или до них"}});
  return specs;
}

}  // namespace

OpCard card_gru() {
  return {
      .name = "GRU",
      .category = Category::recurrent,
      .inputs = ops::recurrent_inputs(false),
      .outputs = ops::recurrent_outputs(false),
      .attributes = attributes(),
      .body = [](BodyContext& ctx) { ops::recurrent_body(ctx, Gru(ctx.boolean("linear_before_reset"))); },
      .gradient_kind = GradientKind::body,
      .cost = ops::recurrent_cost,
      .onnx = {{.op = "GRU", .since = 14}},
      .torch = "torch.nn.GRU",
      .tolerance = ops::kRecurrentTolerance,
      .words =
          {.what = {"A recurrent network with two gates. The update gate z decides how much of the old state is kept, "
                    "the reset gate r how much of it the candidate for the new one may see; the new state lies between "
                    "the candidate and the old state. In W, R and B the gates stand in the order z, r, candidate.",
                    "Рекуррентная сеть с двумя вентилями. Вентиль обновления z решает, сколько прежнего состояния "
                    "сохранить, вентиль сброса r — сколько его увидит кандидат в новое; новое состояние лежит между "
                    "кандидатом и прежним. В W, R и B вентили стоят в порядке z, r, кандидат."},
           .formula =
               "\\begin{aligned} z_t &= \\sigma(x_t W_z^\\top + h_{t-1} R_z^\\top + b_z), \\quad r_t = \\sigma(x_t "
               "W_r^\\top + h_{t-1} R_r^\\top + b_r) \\\\ \\tilde{h}_t &= \\tanh(x_t W_h^\\top + (r_t \\odot h_{t-1}) "
               "R_h^\\top + b_h) \\\\ h_t &= (1 - z_t) \\odot \\tilde{h}_t + z_t \\odot h_{t-1} \\end{aligned}",
           .why = {"Where z is near 1 the state passes a step unchanged, and so does its gradient: that is how a GRU "
                   "remembers over many steps. It has fewer weights than an LSTM and often does as well; the first "
                   "translator with attention, of 2014, was built of it.",
                   "Там, где z близко к 1, состояние проходит шаг без изменений, и его градиент тоже: так GRU помнит "
                   "долго. Весов у неё меньше, чем у LSTM, а работает она часто не хуже; на ней был построен первый "
                   "переводчик с вниманием (2014)."}},
      .samples = ops::join_cases(ops::recurrent_samples(3, {{"linear_before_reset", true}}), ops::gru_exact()),
      .bad_samples = ops::bad_recurrent_samples(3),
  };
}

}  // namespace asg::cards
