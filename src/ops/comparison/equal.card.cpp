#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_any(ctx.in(0), [&]<class T>() { ops::binary<T, bool>(ctx, [](T a, T b) { return a == b; }); });
}

}  // namespace

OpCard card_equal() {
  return {
      .name = "Equal",
      .category = Category::comparison,
      .inputs = ops::operand_ports(kAnyType),
      .outputs = ops::bool_port(),
      .traits = {.elementwise = true, .commutative = true},
      .infer = ops::infer_broadcast_to_bool,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason =
          "A comparison jumps between false and true and is flat elsewhere, so its slope is 0 wherever it has one.",
      .onnx = {{.op = "Equal", .since = 13}},
      .torch = "torch.eq",
      .tolerance = ops::kExact,
      .words = {.what = {"Tells for each place whether the two elements are equal, with broadcasting. NaN equals "
                         "nothing, not even itself; 0 equals -0.",
                         "Говорит для каждого места, равны ли два элемента, с растягиванием форм. NaN не равен "
                         "ничему, даже себе; 0 равен −0."},
                .formula = "y = (a = b)",
                .why = {"Counting where prediction equals target gives the accuracy, and comparing tokens with "
                        "the padding token gives a mask. Floats that were computed rarely match exactly, so "
                        "compare those by their distance.",
                        "Число мест, где предсказание равно ответу, даёт точность, а сравнение токенов с токеном "
                        "заполнения даёт маску. Посчитанные вещественные редко совпадают точно, поэтому их "
                        "сравнивают по расстоянию."}},
      .samples = ops::join({ops::binary_samples({}, {}, false),
                            {{.name = "ties_and_nan",
                              .inputs = {in_exact(ops::reals({1, 0, ops::kNan, ops::kInfinity, 2})),
                                         in_exact(ops::reals({1, -0.0, ops::kNan, ops::kInfinity, 3}))},
                              .gradient = false,
                              .expected = {ops::bools({true, true, false, true, false})}},
                             {.name = "integers",
                              .inputs = {in_ints({3}, {1, 2, -3}), in_ints({3}, {1, -2, -3})},
                              .gradient = false,
                              .expected = {ops::bools({true, false, true})}},
                             {.name = "bools",
                              .inputs = {in_bools({2}, {true, false}), in_bools({1}, {true})},
                              .gradient = false,
                              .expected = {ops::bools({true, false})}}}}),
      .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes()},
  };
}

}  // namespace asg::cards
