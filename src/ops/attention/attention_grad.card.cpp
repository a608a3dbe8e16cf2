#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"
#include "ops/attention/attention_parts.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr int kQuery = 0;
constexpr int kKey = 1;
constexpr int kValue = 2;
constexpr int kGradient = 3;
constexpr int kMask = 4;

void check_gradient(const Shape& gradient, const Shape& query, const Shape& value) {
  bool fits = gradient.rank() == 4 && query.rank() == 4 && value.rank() == 4;
  for (int axis = 0; fits && axis < 3; ++axis) fits = !ops::surely_differ(gradient[axis], query[axis]);
  if (fits) fits = !ops::surely_differ(gradient[3], value[3]);
  if (fits) return;
  fail(ErrorCode::bad_shape,
       "a gradient of shape " + gradient.to_string() + " for queries of shape " + query.to_string() +
           " and values of shape " + value.to_string(),
       "the shape of the result of Attention: [batch, heads, length, width of V]");
}

// The body draws the random numbers of the Attention whose gradient this is, since its Dropout has the same name.
void body(BodyContext& ctx) {
  check_gradient(ctx.in(kGradient).shape(), ctx.in(kQuery).shape(), ctx.in(kValue).shape());
  std::vector<Tensor> operands = {ctx.in(kQuery), ctx.in(kKey), ctx.in(kValue)};
  for (int index = kMask; index < ctx.input_count(); ++index) operands.push_back(ctx.in(index));
  const auto found =
      ops::attention_gradients_by_parts(ops::attention_operands(ctx, std::move(operands)), ctx.in(kGradient),
                                        [&](const std::vector<Tensor>& inputs, const Attrs& attrs) {
                                          return ctx.op_named("dropout", "Dropout", inputs, attrs);
                                        });
  ctx.output(found.query);
  ctx.output(found.key);
  ctx.output(found.value);
}

// Scores and the gradient of the weights, then the three gradients.
Cost cost(const CostContext& ctx) {
  const double others = static_cast<double>(ctx.inputs()[kKey].shape[2].known().value_or(1));
  const double products = 3 * ctx.elements(ctx.inputs()[kQuery]) + 2 * ctx.elements(ctx.inputs()[kGradient]);
  return {.flops = 2 * products * others, .bytes = ops::bytes_moved(ctx), .compute_bound = true};
}

std::vector<Sample> samples() {
  const auto number = [](std::uint64_t value) { return in_exact(Array::of<std::uint64_t>({}, {value})); };
  const std::vector<SampleInput> small = {in({1, 2, 3, 2}), in({1, 2, 2, 2}), in({1, 2, 2, 2}), in({1, 2, 3, 2})};
  const std::vector<SampleInput> random = {small[0], small[1], small[2], small[3], absent(), number(7), number(3)};
  const SampleInput padding = in_bools({2, 1, 1, 4}, {true, true, false, true, true, true, true, false});
  const SampleInput nowhere = in_bools({3, 2}, {false, false, true, false, true, true});
  return {
      {.name = "cross", .inputs = {in({2, 3, 1, 5}), in({2, 3, 4, 5}), in({2, 3, 4, 2}), in({2, 3, 1, 2})}},
      {.name = "causal",
       .inputs = {in({2, 1, 4, 2}), in({2, 1, 4, 2}), in({2, 1, 4, 3}), in({2, 1, 4, 3})},
       .attrs = {{"is_causal", true}}},
      {.name = "grouped_queries", .inputs = {in({2, 4, 3, 2}), in({2, 2, 3, 2}), in({2, 2, 3, 2}), in({2, 4, 3, 2})}},
      {.name = "one_shared_head",
       .inputs = {in({1, 3, 2, 2}), in({1, 1, 3, 2}), in({1, 1, 3, 2}), in({1, 3, 2, 2})},
       .attrs = {{"is_causal", true}, {"scale", 0.3}}},
      {.name = "padding", .inputs = {in({2, 2, 2, 2}), in({2, 2, 4, 2}), in({2, 2, 4, 2}), in({2, 2, 2, 2}), padding}},
      {.name = "added_mask",
       .inputs = {small[0], small[1], small[2], small[3], in({2, 3, 2})},
       .attrs = {{"scale", 1.5}}},
      {.name = "dropout", .inputs = random, .attrs = {{"dropout", 0.25}}},
      {.name = "dropout_causal_scale",
       .inputs = random,
       .attrs = {{"dropout", 0.25}, {"is_causal", true}, {"scale", 0.5}}},
      {.name = "masked_everywhere", .inputs = {small[0], small[1], small[2], small[3], nowhere}},
      // One key has all the weight, whatever query and key are.
      {.name = "length_1",
       .inputs = {in({3, 2, 1, 2}), in({3, 2, 1, 2}), in({3, 2, 1, 2}), in({3, 2, 1, 2})},
       .attrs = {{"scale", 0.5}},
       .gradient = false},
      {.name = "nothing_to_look_at",
       .inputs = {in({1, 2, 3, 2}), in({1, 2, 0, 2}), in({1, 2, 0, 2}), in({1, 2, 3, 2})},
       .gradient = false},
      // Weights ½ and ½: the values get half of the gradient each, and the scores ±¼ of the difference.
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 1, 1}, {0})), in_exact(Array::of<double>({1, 1, 2, 1}, {1, 3})),
                  in_exact(Array::of<double>({1, 1, 2, 1}, {2, 6})), in_exact(Array::of<double>({1, 1, 1, 1}, {1}))},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 1, 1}, {2}), Array::of<double>({1, 1, 2, 1}, {0, 0}),
                    Array::of<double>({1, 1, 2, 1}, {0.5, 0.5})}},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_shape",
       .inputs = {in({1, 1, 2, 2}), in({1, 1, 3, 2}), in({1, 1, 3, 4}), in({1, 1, 2, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "the shape of the result of Attention"},
      {.name = "heads_do_not_divide",
       .inputs = {in({1, 3, 2, 2}), in({1, 2, 2, 2}), in({1, 2, 2, 2}), in({1, 3, 2, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "3 heads of queries and 2 of keys"},
      {.name = "dropout_without_seed",
       .inputs = {in({1, 1, 2, 2}), in({1, 1, 2, 2}), in({1, 1, 2, 2}), in({1, 1, 2, 2})},
       .attrs = {{"dropout", 0.5}},
       .code = ErrorCode::missing_input,
       .contains = "seed"},
  };
}

std::vector<Port> inputs() {
  std::vector<Port> ports = ops::attention_operand_ports();
  ports.push_back({.name = "dY", .words = {"the gradient of its result", "градиент её результата"}});
  for (const Port& port : ops::attention_optional_ports()) ports.push_back(port);
  return ports;
}

}  // namespace

OpCard card_attention_grad() {
  return {
      .name = "AttentionGrad",
      .category = Category::attention,
      .inputs = inputs(),
      .outputs = {{.name = "dQ", .words = {"the gradient of the queries", "градиент запросов"}},
                  {.name = "dK", .words = {"the gradient of the keys", "градиент ключей"}},
                  {.name = "dV", .words = {"the gradient of the values", "градиент значений"}}},
      .attributes = ops::attention_attributes(),
      .traits = {.random = true, .gradient_only = true},
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = cost,
      .torch = "",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 2e-2, .bf16 = 1e-1},
      .words =
          {.what = {"Tells how the loss changes with each query, key and value of an attention. It needs nothing of "
                    "the forward pass but its operands: the weights P are computed again, with the same random "
                    "numbers where there is dropout.",
                    "Показывает, как потеря зависит от каждого запроса, ключа и значения внимания. От прямого прохода "
                    "нужны только его операнды: веса P вычисляются заново, при dropout — с теми же случайными "
                    "числами."},
           .formula = R"(\frac{\partial L}{\partial S} = P \left(dP - \sum P \, dP\right), \quad dP = dY \, V^\top)",
           .why = {"The weights of all pairs of positions grow with the square of the length. Computing them twice, a "
                   "few queries at a time, is cheaper than keeping them, which is what makes training on long texts "
                   "possible.",
                   "Веса всех пар позиций растут как квадрат длины. Вычислить их дважды, по нескольку запросов за "
                   "раз, дешевле, чем хранить, — это и позволяет обучаться на длинных текстах."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
