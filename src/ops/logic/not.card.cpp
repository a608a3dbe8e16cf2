#include "asg/graph/card.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::unary<bool>(ctx, [](bool x) { return !x; });
}

void body(BodyContext& ctx) {
  const Tensor no = ops::scalar_like(ctx.in(0), 0);
  ctx.output(add_op("Equal", {ctx.in(0), no}));
}

}  // namespace

OpCard card_not() {
  return {
      .name = "Not",
      .category = Category::logic,
      .inputs = ops::x_port(kBool),
      .outputs = ops::y_port(kBool),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::logical_not,
      .infer = ops::infer_same,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "True and false have no slope.",
      .onnx = {{.op = "Not", .since = 1}},
      .torch = "torch.logical_not",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"Turns true into false and false into true. Numbers are refused: whether one is 0 is asked with Equal.",
                "Превращает истину в ложь, а ложь в истину. Числа не принимает: равно ли число нулю, спрашивают у "
                "Equal."},
           .formula = "y = \\lnot x",
           .why = {"Turns a mask of what to keep into a mask of what to drop: libraries disagree on whether true in an "
                   "attention mask allows or forbids. Applied to a comparison of x with itself it finds the NaNs.",
                   "Превращает маску того, что оставить, в маску того, что убрать: в маске внимания одни библиотеки "
                   "отмечают истиной разрешённое, другие — запрещённое. Применённая к сравнению x с самим собой, "
                   "находит NaN."}},
      .samples = {{.name = "both",
                   .inputs = {in_bools({2}, {true, false})},
                   .gradient = false,
                   .expected = {ops::bools({false, true})}},
                  {.name = "rank_3", .inputs = {in_exact(Array(DType::boolean, {2, 3, 4}))}, .gradient = false},
                  {.name = "scalar", .inputs = {in_bools({}, {true})}, .gradient = false}},
      .bad_samples =
          {{.name = "numbers", .inputs = {in({2})}, .code = ErrorCode::bad_dtype, .contains = "f64 for input 'x'"}},
  };
}

}  // namespace asg::cards
