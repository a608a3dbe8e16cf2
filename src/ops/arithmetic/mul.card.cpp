#include <cstdint>

#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::binary<T>(ctx, ops::wrapping_mul<T>); });
}

void gradient(GradientContext& ctx) {
  if (ctx.needs(0)) ctx.set_summed(0, ctx.grad() * ctx.in(1));
  if (ctx.needs(1)) ctx.set_summed(1, ctx.grad() * ctx.in(0));
}

}  // namespace

OpCard card_mul() {
  return {
      .name = "Mul",
      .category = Category::arithmetic,
      .inputs = ops::operand_ports(kNumbers),
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true, .commutative = true},
      .scalar = ScalarOp::mul,
      .infer = ops::infer_known_broadcast([](const Dim& a, const Dim& b) { return a * b; }),
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Mul", .since = 14}},
      .torch = "torch.mul",
      .words =
          {.what = {"Multiplies two tensors element by element, with broadcasting. It is not the matrix product: that "
                    "is MatMul. Integers wrap around on overflow.",
                    "Перемножает два тензора поэлементно, с растягиванием форм. Это не матричное произведение, "
                    "для него есть MatMul. Целые при переполнении заворачиваются по модулю."},
           .formula = "y = a b",
           .why = {"Scales, gates and masks are products: a gate near 0 closes a path, near 1 opens it. Each side's "
                   "gradient is the other side, so what was multiplied by 0 learns nothing.",
                   "Масштабы, вентили и маски — это произведения: вентиль около 0 закрывает путь, около 1 открывает. "
                   "Градиент одной стороны равен другой стороне, поэтому умноженное на 0 ничему не учится."}},
      .samples = ops::join({ops::binary_samples({0.2, 1.5}, {-1.5, -0.2}),
                            {{.name = "integers",
                              .inputs = {in_ints({2, 2}, {1, -2, 3, 0}), in_ints({2}, {10, -1})},
                              .gradient = false,
                              .expected = {Array::of<std::int64_t>({2, 2}, {10, 2, 30, 0})}},
                             ops::exact2("infinities", {ops::kInfinity, ops::kInfinity, ops::kNan}, {0, -2, 0},
                                         {ops::kNan, -ops::kInfinity, ops::kNan})}}),
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes(), ops::refuse_bool_operands()},
  };
}

}  // namespace asg::cards
