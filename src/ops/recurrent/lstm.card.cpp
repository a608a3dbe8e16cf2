#include "ops/recurrent/recurrent_cases.h"
#include "ops/recurrent/recurrent_parts.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

// Gates in the order i (input), o (output), f (forget), c (candidate); peepholes in the order i, o, f.
class Lstm : public ops::RecurrentKind {
 public:
  explicit Lstm(bool input_forget) : input_forget_(input_forget) {}

  int gates() const override { return 4; }
  int states() const override { return 2; }
  std::vector<std::string> functions() const override { return {"Sigmoid", "Tanh", "Tanh"}; }

  std::vector<Tensor> step(ops::ScanBuilder& scan, const ops::Direction& direction,
                           const ops::Step& now) const override {
    const Tensor& c = now.states[1];
    const Tensor weights = scan.capture("R", direction.recurrence);
    const Tensor peepholes = direction.peepholes.valid() ? scan.capture("P", direction.peepholes) : Tensor();
    const Tensor sums = now.x + ops::times(now.states[0], weights);
    const auto gate = [&](int number, const Tensor& cell) {
      Tensor sum = ops::gates_of(sums, direction.hidden, number, number + 1);
      if (peepholes.valid()) sum = sum + ops::gates_of(peepholes, direction.hidden, number, number + 1) * cell;
      return direction.functions[0](direction.clipped(sum));
    };
    const Tensor input = gate(0, c);
    const Tensor forget = input_forget_ ? 1.0 - input : gate(2, c);
    const Tensor sum = ops::gates_of(sums, direction.hidden, 3, 4);
    const Tensor candidate = direction.functions[1](direction.clipped(sum));
    const Tensor kept = forget * c;
    const Tensor cell = kept + input * candidate;
    const Tensor output = gate(1, cell);
    return {output * direction.functions[2](cell), cell};
  }

 private:
  bool input_forget_;
};

std::vector<AttrSpec> attributes() {
  std::vector<AttrSpec> specs = ops::recurrent_attributes();
  specs.push_back(
      {.name = "input_forget",
       .kind = AttrKind::boolean,
       .fallback = false,
       .words = {"whether the forget gate is 1 minus the input gate; its own weights are then not used",
                 "равен ли вентиль забывания единице минус входной; его собственные веса тогда не используются"}});
  return specs;
}

}  // namespace

OpCard card_lstm() {
  return {
      .name = "LSTM",
      .category = Category::recurrent,
      .inputs = ops::recurrent_inputs(true),
      .outputs = ops::recurrent_outputs(true),
      .attributes = attributes(),
      .body = [](BodyContext& ctx) { ops::recurrent_body(ctx, Lstm(ctx.boolean("input_forget"))); },
      .gradient_kind = GradientKind::body,
      .cost = ops::recurrent_cost,
      .onnx = {{.op = "LSTM", .since = 14}},
      .torch = "torch.nn.LSTM",
      .tolerance = ops::kRecurrentTolerance,
      .words =
          {.what = {"A recurrent network with a second state, the cell, that is only ever scaled and added to: "
                    "the forget gate scales it, the input gate admits a candidate, and the output gate decides "
                    "how much of the cell is shown. Peepholes let the gates look at the cell. In W, R and B the "
                    "gates stand in the order i, o, f, candidate, which is not that of PyTorch.",
                    "Рекуррентная сеть со вторым состоянием — ячейкой, которую лишь умножают и дополняют: вентиль "
                    "забывания её ослабляет, входной пропускает кандидата, а выходной решает, сколько из ячейки "
                    "показать. «Глазки» (peepholes) дают вентилям смотреть на ячейку. В W, R и B вентили стоят в "
                    "порядке i, o, f, кандидат — не так, как в PyTorch."},
           .formula =
               "\\begin{aligned} g_t &= \\sigma(x_t W_g^\\top + h_{t-1} R_g^\\top + b_g), \\quad g \\in \\{ i, o, "
               "f \\} \\\\ \\tilde{c}_t &= \\tanh(x_t W_c^\\top + h_{t-1} R_c^\\top + b_c) \\\\ c_t &= f_t \\odot "
               "c_{t-1} + i_t \\odot \\tilde{c}_t, \\quad h_t = o_t \\odot \\tanh(c_t) \\end{aligned}",
           .why = {"The cell is a road on which gradients travel many steps without vanishing, so that a word can "
                   "matter a hundred words later. Before transformers it was the standard model of speech, handwriting "
                   "and translation: Google's translator of 2016 had eight layers of it to read and eight to write.",
                   "Ячейка — дорога, по которой градиент проходит много шагов, не затухая, и слово может повлиять на "
                   "то, что стоит через сотню слов. До трансформеров это была стандартная модель для речи, рукописного "
                   "текста и перевода: в переводчике Google 2016 года читали восемь таких слоёв и писали ещё восемь."}},
      .samples = ops::join_cases(ops::recurrent_samples(4, {{"input_forget", true}}), ops::lstm_exact()),
      .bad_samples = ops::bad_recurrent_samples(4),
  };
}

}  // namespace asg::cards
