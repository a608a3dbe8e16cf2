#include "asg/graph/card.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() {
    ops::binary_broadcast<T, T, T>(ctx.in(0), ctx.in(0), ctx.out(), [](T x, T) { return x; });
    for (int index = 1; index < ctx.input_count(); ++index) {
      ops::binary_broadcast<T, T, T>(ctx.out(), ctx.in(index), ctx.out(), ops::smaller<T>);
    }
  });
}

void body(BodyContext& ctx) {
  Tensor result = ctx.in(0);
  for (int index = 1; index < ctx.input_count(); ++index) {
    const Tensor& next = ctx.in(index);
    // NaN, which must win, is the one value that differs from itself.
    const Tensor is_nan = add_op("Not", {add_op("Equal", {next, next})});
    result = ops::choose(add_op("Or", {next < result, is_nan}), next, result);
  }
  ctx.output(ctx.input_count() == 1 ? add_op("Identity", {result}) : result);
}

}  // namespace

OpCard card_min() {
  return {
      .name = "Min",
      .category = Category::arithmetic,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"The first candidate.", "Первый кандидат."}},
                 {.name = "others",
                  .dtypes = kNumbers,
                  .kind = PortKind::variadic,
                  .words = {"Any number of further candidates; all shapes must broadcast together.",
                            "Сколько угодно других кандидатов; все формы должны быть совместимы при растягивании."}}},
      .outputs = ops::broadcast_port(kNumbers),
      .traits = {.elementwise = true},
      .infer = ops::infer_known_broadcast([](const Dim& a, const Dim& b) { return min(a, b); }),
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = ops::gradient_to_first_chosen,
      .onnx = {{.op = "Min", .since = 13}},
      .torch = "torch.minimum",
      .peer_differences = {{{"ties_nan_and_infinity"},
                            "the first of tied inputs takes the whole gradient; PyTorch shares it among them"}},
      .tolerance = ops::kExact,
      .words = {.what = {"The smallest of the inputs at each place, with broadcasting; with one input, that input. "
                         "NaN wins over every number. The gradient goes to the input that was chosen, to the first "
                         "of them when several are equal.",
                         "Наименьший из входов на каждом месте, с растягиванием форм; если вход один, то он сам. "
                         "NaN побеждает любое число. Градиент идёт к выбранному входу, а при равенстве — к первому "
                         "из равных."},
                .formula = "y = \\min(x_{1}, \\ldots, x_{n})",
                .why = {"Keeps a quantity below a ceiling: clipped losses of reinforcement learning take the "
                        "smaller of two estimates to stay cautious. Only the branch that was chosen learns.",
                        "Держит величину под потолком: обрезанные потери в обучении с подкреплением берут меньшую "
                        "из двух оценок, чтобы не рисковать. Учится только та ветвь, которую выбрали."}},
      .samples = {{.name = "two", .inputs = {distinct({2, 3, 4}), in({2, 3, 4}, -2, 2)}},
                  {.name = "three_broadcast", .inputs = {in({2, 3, 4}, -1, 1), in({3, 1}, -1, 1), in({}, -0.5, 0.5)}},
                  {.name = "broadcast_first", .inputs = {in({4}), distinct({2, 3, 4}, -2, 2)}},
                  {.name = "one", .inputs = {in({2, 3, 4})}},
                  {.name = "scalars", .inputs = {in({}), in({})}, .gradient = false},
                  {.name = "no_elements", .inputs = {in({2, 0}), in({1})}, .gradient = false},
                  {.name = "integers",
                   .inputs = {in_ints({3}, {1, -2, 3}), in_ints({3}, {2, -5, 3})},
                   .gradient = false,
                   .expected = {Array::ints({1, -5, 3})}},
                  ops::exact2("ties_nan_and_infinity", {1, ops::kNan, 1, -ops::kInfinity, 2},
                              {1, 1, ops::kNan, 0, ops::kInfinity}, {1, ops::kNan, ops::kNan, -ops::kInfinity, 2})},
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes(), ops::refuse_bools()},
  };
}

}  // namespace asg::cards
