#include <functional>

#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"

namespace asg::cards {

OpCard card_bitwise_xor() {
  return ops::bit_op({
      .name = "BitwiseXor",
      .traits = {.commutative = true},
      .kernel = [](KernelContext& ctx) { ops::combine_bits(ctx, std::bit_xor<>()); },
      .onnx = {{.op = "BitwiseXor", .since = 18}},
      .torch = "torch.bitwise_xor",
      .words = {.what = {"Sets the bits in which the two integers differ: 12 and 10 give 6, in binary 0110. Applied "
                         "twice with the same number it gives the original back.",
                         "Ставит биты, в которых два целых различаются: 12 и 10 дают 6, в двоичной записи 0110. "
                         "Применённая дважды с одним и тем же числом, возвращает исходное."},
                .formula = "y = a \\oplus b",
                .why = {"Mixes bits without losing any, which is what hashes and counter-based random generators are "
                        "built from; the hash grid of Instant NGP mixes the coordinates of a point with it. Counting "
                        "the bits of the result gives the Hamming distance of binary codes.",
                        "Перемешивает биты, ничего не теряя, поэтому из неё строят хеши и счётчиковые генераторы "
                        "случайных чисел; хеш-сетка Instant NGP смешивает ею координаты точки. Число единиц в "
                        "результате — расстояние Хэмминга между двоичными кодами."}},
      .samples = ops::bit_samples({6, -256, -7}),
  });
}

}  // namespace asg::cards
