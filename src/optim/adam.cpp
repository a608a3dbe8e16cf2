// Adam (Kingma and Ba, 2015), with AMSGrad (Reddi and others, 2018).
#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

Tensor adam_step(ParameterUpdate& update) {
  return step(update, adam_direction(update, with_l2(update), update.flag("amsgrad")));
}

}  // namespace

OptimizerCard adam_card() {
  return {
      .name = "adam",
      .what = {"Adam: steps along the mean gradient, divided by the root of the mean square, so that all "
               "parameters move at about the same pace.",
               "Adam: шаги вдоль среднего градиента, делённого на корень из среднего квадрата, так что все параметры "
               "движутся примерно в одном темпе."},
      .formula = R"(m \gets \beta_1 m + (1-\beta_1) g, \quad v \gets \beta_2 v + (1-\beta_2) g^2, \quad )"
                 R"(w \gets w - \eta \frac{m / (1-\beta_1^t)}{\sqrt{v / (1-\beta_2^t)} + \varepsilon})",
      .torch = "torch.optim.Adam",
      .settings = adam_settings(1e-3, l2_setting()),
      .check = nullptr,
      .next = adam_step};
}

}  // namespace asg::optim
