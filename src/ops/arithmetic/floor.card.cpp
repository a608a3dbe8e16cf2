#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/elementwise.h"

namespace asg::cards {

OpCard card_floor() {
  return ops::rounding(
      {
          .name = "Floor",
          .scalar = ScalarOp::floor,
          .gradient_reason = "Floor is a staircase: flat between the integers, so its slope is 0 wherever it has one.",
          .onnx = {{.op = "Floor", .since = 13}},
          .torch = "torch.floor",
          .words =
              {.what = {"Rounds every element down to the nearest whole number: 1.7 becomes 1 and -1.2 becomes -2. The "
                        "result stays a float.",
                        "Округляет каждый элемент вниз до целого: 1,7 становится 1, а −1,2 становится −2. Результат "
                        "остаётся вещественным."},
               .formula = "y = \\lfloor x \\rfloor",
               .why = {"Splits a number into whole and fractional part: bilinear sampling takes the two nearest pixels "
                       "from the one and their weights from the other. Its gradient is zero everywhere, so nothing can "
                       "be learnt through it without a trick such as straight-through.",
                       "Отделяет целую часть числа от дробной: билинейная выборка по первой находит два ближайших "
                       "пикселя, а по второй — их веса. Градиент всюду нулевой, поэтому сквозь него не учатся без "
                       "уловок вроде сквозной оценки (straight-through)."}},
          .samples = ops::rounding_samples({1.75, -1.25, 2, -2, 0.5, -0.5}, {1, -2, 2, -2, 0, -1}),
      },
      [](double x) { return std::floor(x); });
}

}  // namespace asg::cards
