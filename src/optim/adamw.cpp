// AdamW (Loshchilov and Hutter, 2019): Adam whose decay is not divided by what Adam knows of the gradient.
#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

Tensor adamw_step(ParameterUpdate& update) {
  return decayed_step(update, adam_direction(update, update.gradient(), update.flag("amsgrad")));
}

}  // namespace

OptimizerCard adamw_card() {
  return {.name = "adamw",
          .what = {"Adam with decay beside the step: the usual choice for transformers.",
                   "Adam с затуханием весов помимо шага: обычный выбор для трансформеров."},
          .formula = R"(w \gets w - \eta \left( \frac{\hat{m}}{\sqrt{\hat{v}} + \varepsilon} + \lambda w \right))",
          .torch = "torch.optim.AdamW",
          .settings = adam_settings(1e-3, decoupled_decay_setting(0.01)),
          .check = nullptr,
          .next = adamw_step};
}

}  // namespace asg::optim
