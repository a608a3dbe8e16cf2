#include <functional>

#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"

namespace asg::cards {

OpCard card_bitwise_or() {
  return ops::bit_op({
      .name = "BitwiseOr",
      .traits = {.commutative = true},
      .kernel = [](KernelContext& ctx) { ops::combine_bits(ctx, std::bit_or<>()); },
      .onnx = {{.op = "BitwiseOr", .since = 18}},
      .torch = "torch.bitwise_or",
      .words = {.what = {"Sets every bit that is set in at least one of the two integers: 12 and 10 give 14, in binary "
                         "1110. In two's complement -1 has every bit set and stays -1 whatever it meets.",
                         "Ставит каждый бит, который стоит хотя бы в одном из двух целых: 12 и 10 дают 14, в двоичной "
                         "записи 1110. В дополнительном коде у −1 стоят все биты, и с любым числом она остаётся −1."},
                .formula = "y = a \\lor b",
                .why = {"Puts fields together after a shift, as when two quantised weights are packed into a byte. It "
                        "also joins sets of flags that are stored as bits, one integer per example.",
                        "Собирает поля после сдвига, как при упаковке двух квантованных весов в байт. Ещё она "
                        "объединяет наборы флагов, хранимых битами, по одному целому на пример."}},
      .samples = ops::bit_samples({14, -1, -7}),
  });
}

}  // namespace asg::cards
