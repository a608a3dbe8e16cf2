// Lion (Chen and others, 2023, "Symbolic discovery of optimization algorithms", algorithm 2).
#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

Tensor lion_step(ParameterUpdate& update) {
  const double beta1 = update.real("beta1");
  const double beta2 = update.real("beta2");
  const Tensor mean = update.state("mean");
  const Tensor difference = update.gradient() - mean;
  const Tensor direction = add_op("Sign", {mean + difference * (1 - beta1)});
  update.keep("mean", mean + difference * (1 - beta2));
  return decayed_step(update, direction);
}

}  // namespace

OptimizerCard lion_card() {
  return {.name = "lion",
          .what = {"Takes the sign of a mean gradient, so that every element moves by the learning rate. Wants a "
                   "learning rate three to ten times smaller than AdamW, and a decay larger by as much.",
                   "Берёт знак среднего градиента, так что каждый элемент движется на скорость обучения. Ей нужна "
                   "скорость в три–десять раз меньше, чем у AdamW, и во столько же раз большее затухание."},
          .formula = R"(w \gets w - \eta (\operatorname{sign}(\beta_1 m + (1-\beta_1) g) + \lambda w), \quad )"
                     R"(m \gets \beta_2 m + (1-\beta_2) g)",
          .torch = "",
          .settings = {learning_rate_setting(1e-4), decoupled_decay_setting(0),
                       beta_setting("beta1", 0.9,
                                    {"how much of the mean counts in the step", "какая доля среднего входит в шаг"}),
                       beta_setting(
                           "beta2", 0.99,
                           {"how much of the mean gradient is kept", "какая доля среднего градиента сохраняется"})},
          .check = nullptr,
          .next = lion_step};
}

}  // namespace asg::optim
