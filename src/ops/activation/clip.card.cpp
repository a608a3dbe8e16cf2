#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr int kMin = 1;
constexpr int kMax = 2;

void infer(InferContext& ctx) {
  for (int bound : {kMin, kMax}) {
    if (!ctx.has(bound) || ctx.shape(bound).rank() == 0) continue;
    fail(ErrorCode::bad_shape,
         "the bound '" + std::string(ctx.op().inputs[static_cast<std::size_t>(bound)].name) + "' of shape " +
             ctx.shape(bound).to_string(),
         "a scalar, of shape []", "for a bound per element use max and min, which broadcast");
  }
  ops::infer_same(ctx);
}

// The upper bound is applied last, so it wins where the two cross.
void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() {
    ops::unary<T>(ctx, [](T x) { return x; });
    if (ctx.has(kMin)) ops::binary_broadcast<T, T, T>(ctx.out(), ctx.in(kMin), ctx.out(), ops::larger<T>);
    if (ctx.has(kMax)) ops::binary_broadcast<T, T, T>(ctx.out(), ctx.in(kMax), ctx.out(), ops::smaller<T>);
  });
}

void body(BodyContext& ctx) {
  Tensor result = add_op("Identity", {ctx.in(0)});
  if (ctx.has(kMin)) result = add_op("Max", {result, ctx.in(kMin)});
  if (ctx.has(kMax)) result = add_op("Min", {result, ctx.in(kMax)});
  ctx.output(result);
}

// What lies outside passes its gradient to the bound that replaced it; an element on a bound keeps its own.
void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  Tensor mine = ctx.grad();
  Tensor raised = x;
  if (ctx.has(kMin)) raised = add_op("Max", {x, ctx.in(kMin)});
  if (ctx.has(kMax)) {
    const Tensor above = raised > ctx.in(kMax);
    if (ctx.needs(kMax)) ctx.set_summed(kMax, ops::where_or_zero(above, mine));
    mine = ops::zero_where(above, mine);
  }
  if (ctx.has(kMin)) {
    const Tensor below = x < ctx.in(kMin);
    if (ctx.needs(kMin)) ctx.set_summed(kMin, ops::where_or_zero(below, mine));
    mine = ops::zero_where(below, mine);
  }
  if (ctx.needs(0)) ctx.set(0, mine);
}

SampleInput scalar(double value) { return in_exact(Array::scalar(DType::f64, value)); }

}  // namespace

OpCard card_clip() {
  return {
      .name = "Clip",
      .category = Category::activation,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"a tensor of any shape", "тензор любой формы"}},
                 {.name = "min",
                  .dtypes = kNumbers,
                  .kind = PortKind::optional,
                  .words = {"the lower bound, a scalar; none when absent",
                            "нижняя граница, скаляр; без этого входа её нет"}},
                 {.name = "max",
                  .dtypes = kNumbers,
                  .kind = PortKind::optional,
                  .words = {"the upper bound, a scalar; none when absent",
                            "верхняя граница, скаляр; без этого входа её нет"}}},
      .outputs = ops::y_port(kNumbers),
      .traits = {.elementwise = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(2),
      .onnx = {{.op = "Clip", .since = 13}},
      .torch = "torch.clamp",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Holds every element between two bounds, either of which may be absent. Where the lower bound lies "
                    "above the upper one the upper one wins; NaN stays NaN. Elements outside get no gradient: it goes "
                    "to the bound that replaced them.",
                    "Удерживает каждый элемент между двумя границами, каждая из которых необязательна. Если нижняя "
                    "граница выше верхней, побеждает верхняя; NaN остаётся NaN. Элементы снаружи градиента не "
                    "получают: он идёт к границе, которая их заменила."},
           .formula = "y = \\min(\\max(x, \\text{min}), \\text{max})",
           .why =
               {"Keeps probabilities away from 0 before a logarithm, and the probability ratio of PPO near 1, so that "
                "one batch cannot change the policy too much. With bounds 0 and 6 it is the Relu6 of mobile networks.",
                "Не подпускает вероятности к 0 перед логарифмом, а отношение вероятностей в PPO удерживает около 1, "
                "чтобы один пакет не изменил стратегию слишком сильно. С границами 0 и 6 это Relu6 мобильных сетей."}},
      .samples = {{.name = "both_bounds", .inputs = {ops::both_signs(), scalar(-0.62), scalar(0.73)}},
                  {.name = "only_min", .inputs = {ops::both_signs(), scalar(0.05)}},
                  {.name = "only_max", .inputs = {ops::both_signs(), absent(), scalar(-0.05)}},
                  {.name = "no_bounds", .inputs = {in({2, 3, 4})}},
                  {.name = "crossed_bounds", .inputs = {ops::both_signs(), scalar(1), scalar(-1)}, .gradient = false},
                  {.name = "drawn",
                   .inputs = {in({2, 3, 4}, -2, 2), in({}, -1, -0.5), in({}, 0.5, 1)},
                   .gradient = false},
                  {.name = "scalar", .inputs = {in({}), scalar(-0.5)}, .gradient = false},
                  {.name = "no_elements", .inputs = {in({2, 0}), scalar(-0.5)}, .gradient = false},
                  {.name = "integers",
                   .inputs = {in_ints({4}, {-9, 0, 5, 9}), in_ints({}, {-1}), in_ints({}, {5})},
                   .gradient = false,
                   .expected = {Array::ints({-1, 0, 5, 5})}},
                  {.name = "on_the_bounds_and_extremes",
                   .inputs = {in_exact(ops::reals({-1, 1, ops::kInfinity, -ops::kInfinity, ops::kNan})), scalar(-1),
                              scalar(1)},
                   .gradient = false,
                   .expected = {ops::reals({-1, 1, 1, -1, ops::kNan})}}},
      .bad_samples = {{.name = "bound_that_is_no_scalar",
                       .inputs = {in({}), in({2})},
                       .code = ErrorCode::bad_shape,
                       .contains = "the bound 'min' of shape [2]"},
                      {.name = "mixed_dtypes",
                       .inputs = {in({2}), absent(), in_ints({}, {1})},
                       .code = ErrorCode::type_mismatch,
                       .contains = "the same dtype"},
                      {.name = "no_input",
                       .inputs = {absent(), in({})},
                       .code = ErrorCode::missing_input,
                       .contains = "no value for input 'x'"}},
  };
}

}  // namespace asg::cards
