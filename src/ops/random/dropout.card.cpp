#include "ops/random/random_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

// What is kept grows by this, so that the expected sum stays the same. With ratio 1 nothing is kept.
double scale_of(const AttrReader& attributes) {
  const double ratio = attributes.real("ratio");
  return ratio < 1 ? 1 / (1 - ratio) : 0;
}

void infer(InferContext& ctx) {
  ops::check_random_inputs(ctx, 1);
  ctx.output(ctx.type(0));
  ctx.output({DType::boolean, ctx.shape(0)});
}

// The number at a position depends on nothing but seed, stream, step and the position itself.
void kernel(KernelContext& ctx) {
  const RandomStream random = ops::random_stream(ctx, 1);
  const double ratio = ctx.real("ratio");
  const double scale = scale_of(ctx);
  const auto x = ctx.in(0).data<double>();
  const auto y = ctx.out(0).mutable_data<double>();
  const auto mask = ctx.out(1).mutable_data<bool>();
  for (std::size_t k = 0; k < x.size(); ++k) {
    mask[k] = random.uniform(k) >= ratio;
    y[k] = mask[k] ? x[k] * scale : 0;
  }
}

void gradient(GradientContext& ctx) {
  if (!ctx.has_grad(0)) return;
  ctx.set(0, ops::where_or_zero(ctx.out(1), ctx.grad() * scale_of(ctx)));
}

std::vector<Sample> samples() {
  return {
      {.name = "half", .inputs = {in({2, 3, 4}), ops::random_number(7), ops::random_number(0)}},
      {.name = "few", .inputs = {in({5, 6}), ops::random_number(7), ops::random_number(3)}, .attrs = {{"ratio", 0.1}}},
      {.name = "none",
       .inputs = {in_exact(Array::of<double>({3}, {1, -2, 3})), ops::random_number(1), ops::random_number(2)},
       .attrs = {{"ratio", 0.0}},
       .expected = {Array::of<double>({3}, {1, -2, 3})}},
      {.name = "all",
       .inputs = {in_exact(Array::of<double>({3}, {1, -2, 3})), ops::random_number(1), ops::random_number(2)},
       .attrs = {{"ratio", 1.0}},
       .gradient = false,
       .expected = {Array::of<double>({3}, {0, 0, 0})}},
      {.name = "scalar", .inputs = {in({}), ops::random_number(7), ops::random_number(0)}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 3}), ops::random_number(7), ops::random_number(0)}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "ratio_too_large",
       .inputs = {in({2}), ops::random_number(7), ops::random_number(0)},
       .attrs = {{"ratio", 1.5}},
       .code = ErrorCode::bad_attribute,
       .contains = "at most 1"},
      {.name = "seed_vector",
       .inputs = {in({2}), in_exact(Array::of<std::uint64_t>({2}, {1, 2})), ops::random_number(0)},
       .code = ErrorCode::bad_shape,
       .contains = "a seed of shape [2]"},
      {.name = "no_seed", .inputs = {in({2})}, .code = ErrorCode::wrong_input_count},
  };
}

std::vector<Port> inputs() {
  std::vector<Port> ports = {{.name = "x", .words = {"any tensor", "любой тензор"}}};
  for (Port& port : ops::random_ports()) ports.push_back(port);
  return ports;
}

}  // namespace

OpCard card_dropout() {
  return {
      .name = "Dropout",
      .category = Category::random,
      .inputs = inputs(),
      .outputs = {{.name = "y",
                   .words = {"x with elements dropped and the rest scaled up",
                             "x с отброшенными элементами; остальные увеличены"}},
                  {.name = "mask",
                   .dtypes = kBool,
                   .type = "",
                   .words = {"true where an element was kept", "true там, где элемент сохранён"},
                   .differentiable = false}},
      .attributes = {{.name = "ratio",
                      .kind = AttrKind::real,
                      .fallback = 0.5,
                      .least = 0,
                      .most = 1,
                      .words = {"the probability with which an element is dropped",
                                "вероятность, с которой элемент отбрасывается"}}},
      .traits = {.random = true},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(12),
      .onnx = {{.op = "Dropout", .since = 12}},
      .torch = "torch.nn.functional.dropout",
      .words = {.what = {"Sets each element to zero with probability `ratio` and divides the others by 1 - ratio, so "
                         "that sums keep their expected value; with ratio 1 all become zero. Which elements go depends "
                         "only on seed, step and the node, so a run can be repeated exactly; the mask is an output, "
                         "because the gradient passes the same places.",
                         "Обнуляет каждый элемент с вероятностью `ratio`, а остальные делит на 1 - ratio, чтобы "
                         "математическое ожидание сумм сохранилось; при ratio 1 обнуляется всё. Какие элементы "
                         "отбрасываются, зависит только от зерна, шага и узла, поэтому прогон можно точно повторить; "
                         "маска — один из выходов, потому что градиент проходит через те же места."},
                .formula = R"(y_i = \frac{m_i \, x_i}{1 - r}, \quad P(m_i = 1) = 1 - r)",
                .why = {"A network that cannot rely on any single unit learns features that work in many combinations, "
                        "which is a cheap remedy against learning the training set by heart. This op always drops; the "
                        "layer nn.Dropout leaves it out when the model is evaluated.",
                        "Сеть, которая не может полагаться ни на один отдельный нейрон, учит признаки, полезные во "
                        "многих сочетаниях, — дешёвое средство против заучивания обучающей выборки. Сама операция "
                        "отбрасывает всегда; слой nn.Dropout убирает её, когда модель оценивают."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
