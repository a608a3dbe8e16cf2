#include <functional>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_equal() {
  return ops::comparison(
      {
          .name = "Equal",
          .traits = {.commutative = true},
          .scalar = ScalarOp::equal,
          .kernel = [](KernelContext& ctx) { ops::compare(ctx, std::equal_to<>()); },
          .onnx = {{.op = "Equal", .since = 13}},
          .torch = "torch.eq",
          .words = {.what = {"Tells for each place whether the two elements are equal, with broadcasting. NaN equals "
                             "nothing, not even itself; 0 equals -0.",
                             "Говорит для каждого места, равны ли два элемента, с растягиванием форм. NaN не равен "
                             "ничему, даже себе; 0 равен −0."},
                    .formula = "y = (a = b)",
                    .why = {"The share of places where prediction equals target is the accuracy, and comparing tokens "
                            "with the padding token gives a mask. Floats that were computed rarely match exactly, so "
                            "compare those by their distance.",
                            "Доля мест, где предсказание равно ответу, — это точность, а сравнение токенов с токеном "
                            "заполнения даёт маску. Вещественные результаты вычислений редко совпадают точно, поэтому "
                            "их сравнивают по расстоянию."}},
          .samples = ops::join({ops::comparison_samples({true, false, false, false, true, false}, {true, false, false}),
                                {{.name = "infinities",
                                  .inputs = {in_exact(ops::reals({ops::kInfinity, ops::kInfinity, ops::kNan})),
                                             in_exact(ops::reals({ops::kInfinity, -ops::kInfinity, ops::kNan}))},
                                  .gradient = false,
                                  .expected = {ops::bools({true, false, false})}},
                                 {.name = "bools",
                                  .inputs = {in_bools({2}, {true, false}), in_bools({1}, {true})},
                                  .gradient = false,
                                  .expected = {ops::bools({true, false})}}}}),
          .bad_samples = {ops::refuse_broadcast(), ops::refuse_mixed_dtypes()},
      },
      kAnyType);
}

}  // namespace asg::cards
