// Muon (Jordan and others, 2024), in the form that PyTorch 2.9 gave it: the velocity is a running mean, Nesterov's
// look ahead mixes it with the gradient, Newton–Schulz by the quintic (3.4445, −4.7750, 2.0315), decay beside the step.
// Parameters that are no matrices, and those of groups with `orthogonal` false (embeddings, heads), follow AdamW at
// the learning rate times `adam_factor`.
#include <algorithm>
#include <cmath>

#include "optim/cards.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

constexpr double kLinear = 3.4445;
constexpr double kCubic = -4.7750;
constexpr double kQuintic = 2.0315;
constexpr double kLeastNorm = 1e-7;
constexpr double kAdamSize = 0.2;  // root of the mean square of what AdamW makes of most gradients

Tensor product(const Tensor& a, const Tensor& b) { return add_op("MatMul", {a, b}); }
Tensor turned(const Tensor& x) { return add_op("Transpose", {x}); }

// Brings all singular values near 1. Divided by its norm, a matrix has none above 1; each iteration applies
// a x + b x³ + c x⁵ to each of them. On the smaller side the products are cheaper.
Tensor orthogonalised(ParameterUpdate& update, const Tensor& matrix, bool tall) {
  const Tensor squares = add_op("ReduceSum", {matrix * matrix}, {{"keepdims", false}});
  const Tensor norm = add_op("Max", {add_op("Sqrt", {squares}), update.number(kLeastNorm)});
  Tensor x = (tall ? turned(matrix) : matrix) / norm;
  for (std::int64_t iteration = 0; iteration < update.integer("iterations"); ++iteration) {
    const Tensor gram = product(x, turned(x));
    const Tensor higher = gram * kCubic + product(gram, gram) * kQuintic;
    x = x * kLinear + product(higher, x);
  }
  return tall ? turned(x) : x;
}

// Weights are [in, out] here: a layer that widens has larger steps. PyTorch writes the same matrix transposed.
double size_of(const ParameterUpdate& update, double rows, double columns) {
  if (update.flag("match_adamw")) return kAdamSize * std::sqrt(std::max(rows, columns));
  return std::sqrt(std::max(1.0, columns / rows));
}

Tensor next_matrix(ParameterUpdate& update) {
  const std::vector<std::int64_t> sizes = update.value().shape().sizes();
  const double momentum = update.real("momentum");
  const Tensor velocity = running_mean(update, "velocity", update.gradient(), momentum);
  const Tensor followed = update.flag("nesterov") ? update.gradient() * (1 - momentum) + velocity * momentum : velocity;
  const Tensor direction = orthogonalised(update, followed, sizes[0] > sizes[1]);
  const double size = size_of(update, static_cast<double>(sizes[0]), static_cast<double>(sizes[1]));
  return decayed_step(update, direction * size);
}

Tensor muon_step(ParameterUpdate& update) {
  const Shape& shape = update.value().shape();
  const bool is_matrix = shape.rank() == 2 && shape.is_known() && shape.element_count().value() > 0;
  if (is_matrix && update.flag("orthogonal")) return next_matrix(update);
  const Tensor direction = adam_direction(update, update.gradient(), false);
  const double decay = update.real("weight_decay");
  const Tensor whole = decay == 0 ? direction : direction + update.value() * decay;
  return update.value() - whole * (update.rate() * update.real("adam_factor"));
}

}  // namespace

OptimizerCard muon_card() {
  return {
      .name = "muon",
      .what = {"Makes the mean gradient of each matrix orthogonal, so that all its directions move alike; other "
               "parameters follow AdamW.",
               "Делает средний градиент каждой матрицы ортогональным, так что все её направления движутся одинаково; "
               "остальные параметры следуют AdamW."},
      .formula = R"(m \gets \mu m + (1-\mu) g, \quad X_0 = \frac{m}{\lVert m \rVert}, \quad )"
                 R"(X \gets a X + b X X^\top X + c X X^\top X X^\top X, \quad )"
                 R"(w \gets w - \eta (s X + \lambda w))",
      .torch = "",
      .settings = {learning_rate_setting(0.02),
                   decoupled_decay_setting(0),
                   momentum_setting(0.95),
                   nesterov_setting(true),
                   {.name = "iterations",
                    .kind = AttrKind::integer,
                    .fallback = 5,
                    .range = {.least = 1, .most = 20},
                    .words = {"of Newton and Schulz", "итерации Ньютона — Шульца"}},
                   {.name = "match_adamw",
                    .kind = AttrKind::boolean,
                    .fallback = false,
                    .words = {"steps as long as those of AdamW, so that its learning rate can be taken over",
                              "шаги той же длины, что у AdamW, чтобы перенять его скорость обучения"}},
                   {.name = "orthogonal",
                    .kind = AttrKind::boolean,
                    .fallback = true,
                    .words = {"false, in a group: these matrices follow AdamW",
                              "false в группе: эти матрицы следуют AdamW"}},
                   {.name = "adam_factor",
                    .fallback = 0.015,
                    .range = kNotNegative,
                    .words = {"learning rate of what follows AdamW, as a share",
                              "скорость обучения для следующих AdamW, как доля"}},
                   beta_setting("beta1", 0.9, {"of AdamW", "для AdamW"}),
                   beta_setting("beta2", 0.95, {"of AdamW", "для AdamW"}),
                   epsilon_setting(1e-8)},
      .check = nullptr,
      .next = muon_step};
}

}  // namespace asg::optim
