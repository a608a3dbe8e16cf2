#include "reduce/broken_op.h"

#include "asg/graph/registry.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::test {
namespace {

void kernel(KernelContext& ctx) {
  ops::unary<double>(ctx, [](double x) { return x * x * x; });
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad() * ctx.in(0) * ctx.in(0) * 2.0); }

OpCard make() {
  OpCard card;
  card.name = "BrokenCube";
  card.inputs = ops::x_port();
  card.outputs = ops::y_port();
  card.traits = {.elementwise = true};
  card.infer = ops::infer_same;
  card.kernel = kernel;
  card.gradient_kind = GradientKind::rule;
  card.gradient = gradient;
  card.samples = ops::unary_samples(0.5, 1.5);
  return card;
}

}  // namespace

const OpCard& broken_op() {
  static const OpCard& card = Registry::global().add(make());
  return card;
}

}  // namespace asg::test
