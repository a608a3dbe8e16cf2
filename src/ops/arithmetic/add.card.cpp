#include <cstdint>

#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::binary<T>(ctx, ops::wrapping_add<T>); });
}

void gradient(GradientContext& ctx) {
  if (ctx.needs(0)) ctx.set_summed(0, ctx.grad());
  if (ctx.needs(1)) ctx.set_summed(1, ctx.grad());
}

}  // namespace

OpCard card_add() {
  return {
      .name = "Add",
      .category = Category::arithmetic,
      .inputs = ops::operand_ports(kNumbers),
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true, .commutative = true},
      .scalar = ScalarOp::add,
      .infer = ops::infer_known_broadcast([](const Dim& a, const Dim& b) { return a + b; }),
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Add", .since = 14}},
      .torch = "torch.add",
      .words =
          {.what = {"Adds two tensors element by element. A missing axis or one of length 1 is stretched to match the "
                    "other operand (broadcasting). Integers wrap around on overflow.",
                    "Складывает два тензора поэлементно. Недостающая ось или ось длины 1 растягивается под другой "
                    "операнд (broadcasting). Целые при переполнении заворачиваются по модулю."},
           .formula = "y = a + b",
           .why = {"Biases, residual connections and sums of losses are additions. Its gradient is passed on unchanged "
                   "to both sides, which is why a residual connection keeps the signal alive through a deep network.",
                   "Смещения, остаточные связи и суммы потерь — это сложения. Градиент проходит к обеим сторонам без "
                   "изменений, поэтому остаточная связь доносит сигнал сквозь глубокую сеть."}},
      .samples =
          ops::join({ops::binary_samples(),
                     {{.name = "integers",
                       .inputs = {in_ints({3}, {1, -2, 3}), in_ints({1}, {10})},
                       .gradient = false,
                       .expected = {Array::ints({11, 8, 13})}},
                      {.name = "integers_wrap",
                       .inputs = {in_ints({1}, {INT64_MAX}), in_ints({1}, {1})},
                       .gradient = false,
                       .expected = {Array::ints({INT64_MIN})}},
                      ops::exact2("infinities", {ops::kInfinity, ops::kInfinity, 1},
                                  {1, -ops::kInfinity, ops::kInfinity}, {ops::kInfinity, ops::kNan, ops::kInfinity})}}),
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes(), ops::refuse_bool_operands()},
  };
}

}  // namespace asg::cards
