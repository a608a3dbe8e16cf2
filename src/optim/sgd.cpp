// Stochastic gradient descent, as PyTorch has it: the first velocity is the gradient itself, undamped.
#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

void check(const Settings& settings) {
  if (!settings.flag("nesterov")) return;
  if (settings.real("momentum") > 0 && settings.real("dampening") == 0) return;
  fail(ErrorCode::bad_attribute, "nesterov = true of optimiser 'sgd'", "a momentum above 0 and a dampening of 0",
       "set the momentum, 0.9 is usual");
}

// How much of the gradient enters the velocity: all of it in the first update.
Tensor damped(ParameterUpdate& update, const Tensor& gradient) {
  const double dampening = update.real("dampening");
  if (dampening == 0) return gradient;
  const Tensor number = count(update);
  const Tensor is_first = add_op("Equal", {number, number.graph().scalar(number.dtype(), 1)});
  return gradient * add_op("Where", {is_first, update.number(1), update.number(1 - dampening)});
}

Tensor sgd_step(ParameterUpdate& update) {
  const Tensor gradient = with_l2(update);
  const double momentum = update.real("momentum");
  if (momentum == 0) return step(update, gradient);
  const Tensor velocity = update.state("velocity") * momentum + damped(update, gradient);
  update.keep("velocity", velocity);
  return step(update, update.flag("nesterov") ? gradient + velocity * momentum : velocity);
}

}  // namespace

OptimizerCard sgd_card() {
  return {.name = "sgd",
          .what = {"Stochastic gradient descent: a step against the gradient, with momentum along the mean of the last "
                   "gradients.",
                   "Стохастический градиентный спуск: шаг против градиента, с импульсом — вдоль среднего последних "
                   "градиентов."},
          .formula = R"(v \gets \mu v + (1-\tau)(g + \lambda w), \quad w \gets w - \eta v)",
          .torch = "torch.optim.SGD",
          .settings = {learning_rate_setting(0.01),
                       l2_setting(),
                       momentum_setting(0),
                       {.name = "dampening",
                        .fallback = 0.0,
                        .range = kShare,
                        .words = {"how much of each gradient is kept out of the velocity",
                                  "какая доля каждого градиента не входит в скорость"}},
                       nesterov_setting(false)},
          .check = check,
          .next = sgd_step};
}

}  // namespace asg::optim
