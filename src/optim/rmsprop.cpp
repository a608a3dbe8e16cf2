// RMSprop (Hinton, 2012), centred as in Graves (2013); epsilon stands outside the root.
#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

// The mean square, or the variance when the mean gradient is taken away. The difference of mean square and squared mean
// would lose its digits where gradients hardly change; v ← α (v + (1 − α)(g − m)²) with the mean m before is the same.
Tensor spread(ParameterUpdate& update, const Tensor& gradient) {
  const double alpha = update.real("alpha");
  if (!update.flag("centered")) return running_mean(update, "square", gradient * gradient, alpha);
  const Tensor mean = update.state("mean");
  const Tensor difference = gradient - mean;
  update.keep("mean", mean + difference * (1 - alpha));
  const Tensor variance = (update.state("variance") + difference * difference * (1 - alpha)) * alpha;
  update.keep("variance", variance);
  return variance;
}

Tensor rmsprop_step(ParameterUpdate& update) {
  const Tensor gradient = with_l2(update);
  const Tensor scaled = gradient / (add_op("Sqrt", {spread(update, gradient)}) + update.real("epsilon"));
  const double momentum = update.real("momentum");
  if (momentum == 0) return step(update, scaled);
  const Tensor velocity = update.state("velocity") * momentum + scaled;
  update.keep("velocity", velocity);
  return step(update, velocity);
}

}  // namespace

OptimizerCard rmsprop_card() {
  return {
      .name = "rmsprop",
      .what = {"Divides the gradient by the root of its mean square, with momentum where asked.",
               "Делит градиент на корень из его среднего квадрата, по желанию с импульсом."},
      .formula = R"(v \gets \alpha v + (1-\alpha) g^2, \quad w \gets w - \eta \frac{g}{\sqrt{v} + \varepsilon})",
      .torch = "torch.optim.RMSprop",
      .settings = {learning_rate_setting(0.01),
                   l2_setting(),
                   beta_setting("alpha", 0.99,
                                {"how much of the mean square is kept", "какая доля среднего квадрата сохраняется"}),
                   epsilon_setting(1e-8),
                   {.name = "centered",
                    .kind = AttrKind::boolean,
                    .fallback = false,
                    .words = {"divide by the deviation from the mean gradient",
                              "делить на отклонение от среднего градиента"}},
                   momentum_setting(0)},
      .check = nullptr,
      .next = rmsprop_step};
}

}  // namespace asg::optim
