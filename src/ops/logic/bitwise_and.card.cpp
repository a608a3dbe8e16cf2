#include <functional>

#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"

namespace asg::cards {

OpCard card_bitwise_and() {
  return ops::bit_op({
      .name = "BitwiseAnd",
      .traits = {.commutative = true},
      .kernel = [](KernelContext& ctx) { ops::combine_bits(ctx, std::bit_and<>()); },
      .onnx = {{.op = "BitwiseAnd", .since = 18}},
      .torch = "torch.bitwise_and",
      .words =
          {.what = {"Keeps the bits that are set in both integers: 12 and 10, in binary 1100 and 1010, give 8, which "
                    "is 1000. Negative numbers count as two's complement, so -1 has every bit set.",
                    "Оставляет биты, которые стоят в обоих целых: 12 и 10, в двоичной записи 1100 и 1010, дают 8, то "
                    "есть 1000. Отрицательные числа берутся в дополнительном коде, поэтому у −1 стоят все биты."},
           .formula = "y = a \\land b",
           .why = {"Takes packed numbers apart: a mask of ones cuts out the field that is wanted, such as one of two "
                   "four-bit weights that share a byte. With 2ⁿ - 1 it keeps the remainder modulo 2ⁿ, by which a hash "
                   "finds its row in a table of embeddings.",
                   "Разбирает упакованные числа: маска из единиц вырезает нужное поле, например один из двух "
                   "четырёхбитных весов, делящих один байт. С числом 2ⁿ − 1 оставляет остаток по модулю 2ⁿ: так по "
                   "хешу находят строку в таблице эмбеддингов."}},
      .samples = ops::bit_samples({8, 255, 0}),
  });
}

}  // namespace asg::cards
