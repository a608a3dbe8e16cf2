#include <cstdint>
#include <type_traits>

#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"
#include "ops/support/elementwise.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::dispatch_numeric(ctx.in(0), [&]<class T>() {
    if constexpr (std::is_integral_v<T>) ops::unary<T>(ctx, [](T x) { return static_cast<T>(~x); });
  });
}

}  // namespace

OpCard card_bitwise_not() {
  return ops::unary_op(
      {
          .name = "BitwiseNot",
          .category = Category::logic,
          .kernel = kernel,
          .gradient_kind = GradientKind::zero,
          .gradient_reason = ops::kBitsHaveNoSlope,
          .onnx = {{.op = "BitwiseNot", .since = 18}},
          .torch = "torch.bitwise_not",
          .tolerance = ops::kExact,
          .words =
              {.what = {"Flips every bit of an integer. For signed numbers that is -x - 1; for unsigned ones of n bits "
                        "it is 2ⁿ - 1 - x, so it depends on the dtype.",
                        "Переворачивает каждый бит целого. Для знаковых это −x − 1; для беззнаковых из n битов — 2ⁿ − "
                        "1 − x, так что результат зависит от типа."},
               .formula = "y = \\lnot x",
               .why =
                   {"Makes the opposite of a bit mask, so that BitwiseAnd clears the field that the mask names. Two's "
                    "complement rests on it: the negative of a number is its flipped bits plus one.",
                    "Делает противоположную битовую маску, чтобы BitwiseAnd стёрла поле, на которое указывает маска. "
                    "На ней держится дополнительный код: число с обратным знаком — это перевёрнутые биты плюс один."}},
          .samples = {{.name = "signed",
                       .inputs = {in_exact(Array::of<std::int8_t>({4}, {0, 5, -1, -128}))},
                       .gradient = false,
                       .expected = {Array::of<std::int8_t>({4}, {-1, -6, 0, 127})}},
                      {.name = "unsigned",
                       .inputs = {in_exact(Array::of<std::uint64_t>({3}, {0, 5, 255}))},
                       .gradient = false,
                       .expected = {Array::of<std::uint64_t>({3}, {UINT64_MAX, UINT64_MAX - 5, UINT64_MAX - 255})}},
                      {.name = "rank_3", .inputs = {in_exact(Array(DType::i64, {2, 3, 4}))}, .gradient = false},
                      {.name = "scalar", .inputs = {in_ints({}, {7})}, .gradient = false},
                      {.name = "no_elements", .inputs = {in_exact(Array(DType::u32, {2, 0}))}, .gradient = false}},
          .bad_samples =
              {ops::refuse_bools(),
               {.name = "floats", .inputs = {in({2})}, .code = ErrorCode::bad_dtype, .contains = "f64 for input 'x'"}},
      },
      kInts);
}

}  // namespace asg::cards
