#include "asg/graph/card.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_any(ctx.in(1), [&]<class T>() {
    ops::ternary_broadcast<bool, T, T, T>(ctx.in(0), ctx.in(1), ctx.in(2), ctx.out(),
                                          [](bool condition, T x, T y) { return condition ? x : y; });
  });
}

void gradient(GradientContext& ctx) {
  if (ctx.needs(1)) ctx.set_summed(1, ops::where_or_zero(ctx.in(0), ctx.grad()));
  if (ctx.needs(2)) ctx.set_summed(2, ops::zero_where(ctx.in(0), ctx.grad()));
}

SampleInput checkers() {
  return in_bools({2, 3, 4}, {true,  false, true, false, false, true,  false, true, true,  true,  false, false,
                              false, true,  true, false, true,  false, false, true, false, false, true,  true});
}

}  // namespace

OpCard card_where() {
  return {
      .name = "Where",
      .category = Category::indexing,
      .inputs = {{.name = "condition",
                  .dtypes = kBool,
                  .type = "",
                  .words = {"which of the two to take at each place", "какой из двух брать на каждом месте"},
                  .differentiable = false},
                 {.name = "x",
                  .dtypes = kAnyType,
                  .words = {"taken where the condition is true", "берётся там, где условие истинно"}},
                 {.name = "y",
                  .dtypes = kAnyType,
                  .words = {"taken where the condition is false", "берётся там, где условие ложно"}}},
      .outputs = {{.name = "z",
                   .dtypes = kAnyType,
                   .words = {"the result, of the shape to which all three broadcast",
                             "результат той формы, до которой растягиваются все три входа"}}},
      .traits = {.elementwise = true},
      .scalar = ScalarOp::select,
      .infer = ops::infer_broadcast,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "Where", .since = 16}},
      .torch = "torch.where",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"Chooses between two tensors place by place: x where the condition is true, y elsewhere; all three are "
                "broadcast together. What is not chosen has no influence, NaN included, and gets no gradient.",
                "Выбирает из двух тензоров на каждом месте: x, где условие истинно, иначе y; все три растягиваются до "
                "общей формы. Невыбранное ни на что не влияет, даже NaN, и градиента не получает."},
           .formula = "z = \\begin{cases} x & \\text{condition} \\\\ y & \\text{otherwise} \\end{cases}",
           .why =
               {"Masks are made of it: attention puts minus infinity where a token must not look. It also builds "
                "piecewise functions and steps around places where a formula has no value, such as a logarithm at 0.",
                "Из неё делают маски: внимание ставит минус бесконечность там, куда токену нельзя смотреть. Ещё она "
                "строит кусочные функции и обходит места, где у формулы нет значения, например логарифм в нуле."}},
      .samples =
          {{.name = "equal_shapes", .inputs = {checkers(), in({2, 3, 4}), in({2, 3, 4})}},
           {.name = "broadcast_condition", .inputs = {in_bools({3, 1}, {true, false, true}), in({2, 3, 4}), in({4})}},
           {.name = "broadcast_values", .inputs = {checkers(), in({3, 1}), in({})}},
           {.name = "scalar_condition", .inputs = {in_bools({}, {false}), in({3, 2}), in({2})}, .gradient = false},
           {.name = "no_elements", .inputs = {in_bools({1}, {true}), in({0, 2}), in({2})}, .gradient = false},
           {.name = "what_is_not_chosen_does_no_harm",
            .inputs = {in_bools({2}, {true, false}), in_exact(ops::reals({1, ops::kNan})),
                       in_exact(ops::reals({ops::kInfinity, 2}))},
            .gradient = false,
            .expected = {ops::reals({1, 2})}},
           {.name = "integers",
            .inputs = {in_bools({2}, {true, false}), in_ints({2}, {1, 2}), in_ints({}, {-1})},
            .gradient = false,
            .expected = {Array::ints({1, -1})}},
           {.name = "bools",
            .inputs = {in_bools({2}, {true, false}), in_bools({1}, {false}), in_bools({1}, {true})},
            .gradient = false,
            .expected = {ops::bools({false, true})}}},
      .bad_samples = {{.name = "numbers_as_condition",
                       .inputs = {in({2}), in({2}), in({2})},
                       .code = ErrorCode::bad_dtype,
                       .contains = "f64 for input 'condition'"},
                      {.name = "mixed_dtypes",
                       .inputs = {in_bools({1}, {true}), in({1}), in_ints({1}, {1})},
                       .code = ErrorCode::type_mismatch,
                       .contains = "the same dtype"},
                      {.name = "shapes_that_do_not_broadcast",
                       .inputs = {in_bools({2}, {true, false}), in({3}), in({3})},
                       .code = ErrorCode::broadcast_mismatch,
                       .contains = "shapes [2] and [3]"}},
  };
}

}  // namespace asg::cards
