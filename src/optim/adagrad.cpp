// Adagrad (Duchi, Hazan and Singer, 2011).
#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

// The sum of all squares is kept as their mean, which it is t times: in f32 a sum of ten million terms is off by
// percents.
Tensor next(ParameterUpdate& update) {
  const Tensor gradient = with_l2(update);
  const Tensor number = count(update);
  const Tensor updates = as(gradient.dtype(), number);
  const Tensor before = update.state("square");
  const Tensor square = before + (gradient * gradient - before) / updates;
  update.keep("square", square);
  const Tensor sum = square * updates + update.real("initial_sum");
  const Tensor direction = gradient / (add_op("Sqrt", {sum}) + update.real("epsilon"));
  const double decay = update.real("learning_rate_decay");
  if (decay == 0) return step(update, direction);
  return step(update, direction / as(gradient.dtype(), (number - 1.0) * decay + 1.0));
}

}  // namespace

OptimizerCard adagrad_card() {
  return {.name = "adagrad",
          .what = {"Divides the gradient by the root of the sum of all its squares so far: rare features keep long "
                   "steps.",
                   "Делит градиент на корень из суммы всех его прошлых квадратов: у редких признаков шаги остаются "
                   "длинными."},
          .formula = R"(s \gets s + g^2, \quad w \gets w - \frac{\eta}{1 + (t-1)\delta} \cdot )"
                     R"(\frac{g}{\sqrt{s} + \varepsilon})",
          .torch = "torch.optim.Adagrad",
          .settings = {learning_rate_setting(0.01),
                       l2_setting(),
                       {.name = "learning_rate_decay",
                        .fallback = 0.0,
                        .range = kNotNegative,
                        .words = {"how fast the learning rate falls with the updates",
                                  "как быстро скорость обучения падает с числом обновлений"}},
                       {.name = "initial_sum",
                        .fallback = 0.0,
                        .range = kNotNegative,
                        .words = {"what the sum of squares begins with", "с чего начинается сумма квадратов"}},
                       epsilon_setting(1e-10)},
          .check = nullptr,
          .next = next};
}

}  // namespace asg::optim
