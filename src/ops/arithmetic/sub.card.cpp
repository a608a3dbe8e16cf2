#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() { ops::binary<T>(ctx, ops::wrapping_sub<T>); });
}

void gradient(GradientContext& ctx) {
  if (ctx.needs(0)) ctx.set_summed(0, ctx.grad());
  if (ctx.needs(1)) ctx.set_summed(1, -ctx.grad());
}

}  // namespace

OpCard card_sub() {
  return {
      .name = "Sub",
      .category = Category::arithmetic,
      .inputs = ops::operand_ports(kNumbers),
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true},
      .scalar = ScalarOp::sub,
      .infer = ops::infer_known_broadcast([](const Dim& a, const Dim& b) { return a - b; }),
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Sub", .since = 14}},
      .torch = "torch.sub",
      .words = {.what = {"Subtracts the second tensor from the first, element by element, with broadcasting. Integers "
                         "wrap around on overflow, unsigned ones already below zero.",
                         "Вычитает второй тензор из первого поэлементно, с растягиванием форм. Целые при переполнении "
                         "заворачиваются по модулю, беззнаковые — уже ниже нуля."},
                .formula = "y = a - b",
                .why = {"Errors are differences: prediction minus target. LayerNormalization subtracts the mean, and "
                        "Softmax the maximum, which keeps its exponentials from overflowing.",
                        "Ошибка — это разность: предсказание минус цель. LayerNormalization вычитает среднее, а "
                        "Softmax — максимум, и это спасает её экспоненты от переполнения."}},
      .samples = ops::join({ops::binary_samples(),
                            {{.name = "integers",
                              .inputs = {in_ints({3}, {1, -2, 3}), in_ints({}, {10})},
                              .gradient = false,
                              .expected = {Array::ints({-9, -12, -7})}},
                             ops::exact2("infinities", {ops::kInfinity, 1}, {ops::kInfinity, ops::kInfinity},
                                         {ops::kNan, -ops::kInfinity})}}),
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes(), ops::refuse_bool_operands()},
  };
}

}  // namespace asg::cards
