#include <cstdint>

#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  if (ctx.in(0).dtype() == DType::f64) return ops::unary<double>(ctx, [](double x) { return -x; });
  ops::unary<std::int64_t>(ctx, [](std::int64_t x) { return ops::wrapping_sub<std::int64_t>(0, x); });
}

void gradient(GradientContext& ctx) { ctx.set(0, -ctx.grad()); }

}  // namespace

OpCard card_neg() {
  return {
      .name = "Neg",
      .category = Category::arithmetic,
      .inputs = ops::x_port(kSigned),
      .outputs = ops::y_port(kSigned),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::neg,
      .infer = ops::infer_known_unary([](const Dim& x) { return Dim(0) - x; }),
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Neg", .since = 13}},
      .torch = "torch.neg",
      .tolerance = ops::kExact,
      .words = {.what = {"Changes the sign of every element. Unsigned integers and booleans have no sign and are "
                         "refused; the smallest signed integer has no positive counterpart and stays as it is.",
                         "Меняет знак каждого элемента. У беззнаковых целых и логических значений знака нет, они не "
                         "принимаются; у наименьшего знакового целого нет положительной пары, и оно не меняется."},
                .formula = "y = -x",
                .why = {"Turns a quantity to be maximised, such as a log-likelihood, into a loss to be minimised. "
                        "Rotary position embeddings turn pairs of features like the hands of a clock, for which one of "
                        "each pair is negated.",
                        "Превращает величину, которую надо увеличивать (скажем, логарифм правдоподобия), в потерю, "
                        "которую надо уменьшать. Вращательное позиционное кодирование (RoPE) поворачивает пары "
                        "признаков, как стрелки часов, и для этого один из каждой пары берёт с обратным знаком."}},
      .samples = ops::join({ops::unary_samples(),
                            {{.name = "integers",
                              .inputs = {in_ints({3}, {1, -2, INT64_MIN})},
                              .gradient = false,
                              .expected = {Array::ints({-1, 2, INT64_MIN})}},
                             ops::exact("signs", {0, 1.5, -ops::kInfinity}, {-0.0, -1.5, ops::kInfinity})}}),
      .bad_samples = {ops::refuse_bools(),
                      {.name = "unsigned",
                       .inputs = {in_exact(Array::of<std::uint8_t>({1}, {1}))},
                       .code = ErrorCode::bad_dtype,
                       .contains = "u8 for input 'x'"}},
  };
}

}  // namespace asg::cards
