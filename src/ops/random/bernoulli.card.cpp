#include "ops/random/random_parts.h"
#include "ops/support/cost.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::check_random_inputs(ctx, 1);
  ctx.output(ctx.type(0));
}

// NaN is below nothing, but must not pass for a 0.
double draw(const KernelContext& ctx, const RandomStream& random, std::uint64_t position) {
  const double probability = ctx.in(0).data<double>()[position];
  if (probability != probability) return probability;
  return random.uniform(position) < probability ? 1 : 0;
}

std::vector<Port> inputs() {
  std::vector<Port> ports = {
      {.name = "x",
       .words = {"the probability of a 1, for each element", "вероятность единицы для каждого элемента"},
       .differentiable = false}};
  for (Port& port : ops::random_ports()) ports.push_back(port);
  return ports;
}

std::vector<Sample> samples() {
  const SampleInput seed = ops::random_number(7);
  const SampleInput step = ops::random_number(2);
  return {
      {.name = "drawn", .inputs = {in({2, 3, 4}, 0, 1), seed, step}, .gradient = false},
      {.name = "scalar", .inputs = {in({}, 0, 1), seed, step}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 3}, 0, 1), seed, step}, .gradient = false},
      {.name = "certain",
       .inputs = {in_exact(ops::reals({0, 1, -2, 3, ops::kNan})), seed, step},
       .gradient = false,
       .expected = {ops::reals({0, 1, 0, 1, ops::kNan})}},
  };
}

}  // namespace

OpCard card_bernoulli() {
  return {
      .name = "Bernoulli",
      .category = Category::random,
      .inputs = inputs(),
      .outputs = {{.name = "y", .words = {"0 or 1 for each element", "0 или 1 для каждого элемента"}}},
      .traits = {.random = true},
      .infer = infer,
      .kernel = ops::random_kernel(1, draw),
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "a draw jumps from 0 to 1 as its probability grows, and is constant elsewhere",
      .cost = ops::cost_per_output(40),
      .onnx = {{.op = "Bernoulli", .since = 15}},
      .words = {.what = {"Throws a coin for each element: 1 with the probability that the element says, else 0. "
                         "Probabilities below 0 count as 0, those above 1 as 1, and NaN stays NaN.",
                         "Бросает монету для каждого элемента: 1 с вероятностью, равной элементу, иначе 0. Вероятности "
                         "ниже 0 считаются нулём, выше 1 — единицей, а NaN остаётся NaN."},
                .formula = R"(P(y_i = 1) = x_i)",
                .why = {"BERT chooses the tokens to hide by such coins, and Boltzmann machines sample the states of "
                        "their binary units from sigmoids with them. Since a coin has no slope, training through one "
                        "needs a trick such as passing the gradient straight on.",
                        "Такими монетами BERT выбирает, какие токены скрыть, а машины Больцмана — состояния двоичных "
                        "нейронов по вероятностям из сигмоиды. У монеты нет наклона, поэтому обучать сквозь неё можно "
                        "лишь с уловкой, например передавая градиент напрямую."}},
      .samples = samples(),
      .bad_samples = {{.name = "integers",
                       .inputs = {in_ints({2}, {0, 1}), ops::random_number(7), ops::random_number(2)},
                       .code = ErrorCode::bad_dtype},
                      {.name = "seed_vector",
                       .inputs = {in({2}, 0, 1), in_exact(Array::of<std::uint64_t>({2}, {1, 2})),
                                  ops::random_number(2)},
                       .code = ErrorCode::bad_shape,
                       .contains = "a seed of shape [2]"}},
  };
}

}  // namespace asg::cards
