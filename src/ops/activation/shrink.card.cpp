#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const double lambd = ctx.real("lambd");
  const double bias = ctx.real("bias");
  ops::unary<double>(ctx, [=](double x) {
    if (std::fabs(x) <= lambd) return 0.0;
    return x < -lambd ? x + bias : x - bias;  // NaN comes here too and stays
  });
}

template <class Context>
Tensor in_the_gap(const Context& ctx) {
  const Tensor size = add_op("Abs", {ctx.in(0)});
  return add_op("LessOrEqual", {size, ops::scalar_like(size, ctx.real("lambd"))});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor below = x < -ctx.real("lambd");
  const Tensor raised = x + ctx.real("bias");
  const Tensor lowered = x - ctx.real("bias");
  const Tensor moved = ops::choose(below, raised, lowered);
  ctx.output(ops::zero_where(in_the_gap(ctx), moved));
}

void gradient(GradientContext& ctx) { ctx.set(0, ops::zero_where(in_the_gap(ctx), ctx.grad())); }

}  // namespace

OpCard card_shrink() {
  return ops::unary_op({
      .name = "Shrink",
      .category = Category::activation,
      .attributes = {{.name = "bias",
                      .kind = AttrKind::real,
                      .fallback = Attr(0.0),
                      .words = {"how far what passes is moved towards zero",
                                "на сколько пропущенное сдвигается к нулю"}},
                     {.name = "lambd",
                      .kind = AttrKind::real,
                      .fallback = Attr(0.5),
                      .words = {"half the width of the gap around zero", "половина ширины зазора вокруг нуля"}}},
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .cost = ops::cost_per_output(3),
      .onnx = {{.op = "Shrink", .since = 9}},
      .torch = "torch.nn.functional.softshrink",
      .peer_differences = {{{"edges_and_extremes"}, "NaN stays NaN; PyTorch 1.13 gives 0"}},
      .words =
          {.what =
               {"Sets elements from -lambd to lambd, ends included, to zero and moves the others towards zero by bias. "
                "With bias 0 that is hard shrinkage, with bias equal to lambd soft shrinkage, which has no jump.",
                "Обнуляет элементы от −lambd до lambd включительно, а остальные сдвигает к нулю на bias. При bias = 0 "
                "это жёсткое сжатие, при bias, равном lambd, — мягкое, без скачка."},
           .formula = "y = \\begin{cases} x + \\text{bias} & x < -\\lambda \\\\ x - \\text{bias} & x > \\lambda \\\\ 0 "
                      "& |x| \\le \\lambda \\end{cases}",
           .why = {"Removes small coefficients as noise: soft shrinkage is the step by which sparse coding and the "
                   "Lasso are solved, and networks that unroll such solvers into layers, as LISTA does, use it as "
                   "their activation.",
                   "Убирает малые коэффициенты как шум: мягкое сжатие — тот шаг, которым решают разреженное "
                   "кодирование и Lasso, а сети, которые разворачивают такие алгоритмы в слои, например LISTA, берут "
                   "его функцией активации."}},
      .samples =
          ops::join({ops::unary_samples(0.7, 2),
                     {{.name = "hard", .inputs = {ops::both_signs()}, .attrs = {{"lambd", 0.625}}},
                      {.name = "soft", .inputs = {ops::both_signs()}, .attrs = {{"bias", 0.625}, {"lambd", 0.625}}},
                      {.name = "moved_further", .inputs = {in({2, 3}, 0.6, 2)}, .attrs = {{"bias", 1.5}}},
                      ops::exact("edges_and_extremes", {-2, -1.5, 0, 1.5, 2, ops::kInfinity, ops::kNan},
                                 {-0.5, 0, 0, 0, 0.5, ops::kInfinity, ops::kNan}, {{"bias", 1.5}, {"lambd", 1.5}})}}),
  });
}

}  // namespace asg::cards
