#include "ops/control_flow/recurrent_cases.h"
#include "ops/control_flow/recurrent_parts.h"
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
  specs.push_back({.name = "input_forget",
                   .kind = AttrKind::boolean,
                   .fallback = false,
                   .words = {"whether the forget gate is 1 minus the input gate instead of one of its own",
                             "является ли вентиль забывания единицей минус входной, а не отдельным"}});
  return specs;
}

}  // namespace

OpCard card_lstm() {
  return {
      .name = "LSTM",
      .category = Category::control_flow,
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
          {.what = {"A recurrent network with a second state, the cell, that is only ever scaled and added to: the "
                    "forget gate scales it, the input gate admits a candidate. What the network shows of the cell is "
                    "governed by the output gate. Peepholes let the gates look at the cell.",
                    "Рекуррентная сеть со вторым состоянием — ячейкой, которую лишь умножают и дополняют: вентиль "
                    "забывания её ослабляет, входной пропускает кандидата. Что сеть показывает из ячейки, решает "
                    "выходной вентиль. «Глазки» дают вентилям смотреть на ячейку."},
           .formula = R"(c_t = f_t \odot c_{t-1} + i_t \odot \tilde{c}_t, \quad h_t = o_t \odot \tanh(c_t))",
           .why = {"The cell is a road on which gradients travel many steps without vanishing, so that a word can "
                   "matter a hundred words later. For twenty years it was the standard model of speech, handwriting "
                   "and translation.",
                   "Ячейка — дорога, по которой градиент проходит много шагов, не исчезая, и слово может повлиять на "
                   "то, что стоит через сотню слов. Двадцать лет это была стандартная модель речи, рукописного текста "
                   "и перевода."}},
      .samples = ops::join_cases(ops::recurrent_samples(4, {{"input_forget", true}}), ops::lstm_exact()),
      .bad_samples = ops::bad_recurrent_samples(4),
  };
}

}  // namespace asg::cards
