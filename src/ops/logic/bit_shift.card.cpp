#include <cstdint>
#include <string>
#include <utility>

#include "asg/graph/card.h"
#include "ops/logic/logic_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr std::uint64_t kWidest = 64;

// Bits that leave the dtype are lost when the result is stored; a shift by all of them or more leaves nothing.
void kernel(KernelContext& ctx) {
  const bool left = ctx.text("direction") == "LEFT";
  ops::binary<std::uint64_t>(ctx, [left](std::uint64_t x, std::uint64_t by) {
    if (by >= kWidest) return std::uint64_t{0};
    return left ? x << by : x >> by;
  });
}

Sample exactly(std::string name, const char* direction, const std::vector<std::uint64_t>& expected) {
  return {.name = std::move(name),
          .inputs = {in_exact(Array::of<std::uint64_t>({4}, {16, 4, 255, 1})),
                     in_exact(Array::of<std::uint64_t>({4}, {1, 2, 7, 200}))},
          .attrs = {{"direction", direction}},
          .gradient = false,
          .expected = {Array::of<std::uint64_t>({4}, expected)}};
}

Sample shapes(std::string name, Sizes x, Sizes by) {
  SampleInput shifted = in(std::move(x), 0, 100);
  SampleInput shift = in(std::move(by), 0, 9);
  shifted.dtype = shift.dtype = DType::u64;
  return {.name = std::move(name), .inputs = {shifted, shift}, .attrs = {{"direction", "LEFT"}}, .gradient = false};
}

}  // namespace

OpCard card_bit_shift() {
  return ops::bit_op(
      {
          .name = "BitShift",
          .attributes = {{.name = "direction",
                          .kind = AttrKind::text,
                          .choices = {Attr("LEFT"), Attr("RIGHT")},
                          .words = {"LEFT multiplies by powers of two, RIGHT divides by them and drops the remainder",
                                    "LEFT умножает на степени двойки, RIGHT делит на них и отбрасывает остаток"}}},
          .kernel = kernel,
          .onnx = {{.op = "BitShift", .since = 11}},
          .torch = "torch.bitwise_left_shift",
          .words =
              {.what = {"Moves the bits of each unsigned integer by as many places as the second tensor says, with "
                        "broadcasting. Bits that fall out are lost and zeros come in, so a shift by the whole width or "
                        "more leaves 0.",
                        "Сдвигает биты каждого беззнакового целого на столько мест, сколько указывает второй тензор, с "
                        "растягиванием форм. Выпавшие биты теряются, с другой стороны приходят нули, поэтому сдвиг на "
                        "всю ширину и больше оставляет 0."},
               .formula = "y = \\begin{cases} 2^{b} a \\bmod 2^{n} & \\text{LEFT} \\\\ \\lfloor a / 2^{b} \\rfloor & "
                          "\\text{RIGHT} \\end{cases}",
               .why =
                   {"Packs and unpacks quantised weights: two four-bit numbers share a byte, and a shift by four "
                    "brings the upper one down. Counter-based random generators mix their bits with it.",
                    "Упаковывает и распаковывает квантованные веса: два четырёхбитных числа делят байт, и сдвиг на "
                    "четыре опускает верхнее. Счётчиковые генераторы случайных чисел перемешивают с её помощью биты."}},
          .samples = {exactly("left", "LEFT", {32, 16, 32640, 0}), exactly("right", "RIGHT", {8, 1, 1, 0}),
                      shapes("broadcast_right", {2, 3, 4}, {3, 1}), shapes("broadcast_left", {4}, {2, 3, 4}),
                      shapes("scalars", {}, {}), shapes("no_elements", {0, 2}, {2})},
          .bad_samples = {{.name = "signed",
                           .inputs = {in_ints({2}, {1, 2}), in_ints({2}, {1, 2})},
                           .attrs = {{"direction", "LEFT"}},
                           .code = ErrorCode::bad_dtype,
                           .contains = "i64 for input 'a'"},
                          {.name = "unknown_direction",
                           .inputs = {in_exact(Array::of<std::uint8_t>({1}, {1})),
                                      in_exact(Array::of<std::uint8_t>({1}, {1}))},
                           .attrs = {{"direction", "UP"}},
                           .code = ErrorCode::bad_attribute,
                           .contains = "attribute 'direction'"}},
      },
      kUnsignedInts);
}

}  // namespace asg::cards
