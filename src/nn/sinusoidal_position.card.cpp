#include "nn/support/positions.h"
#include "ops/support/samples.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor angles = nn::position_angles(ctx, x, ctx.has(1) ? ctx.in(1) : Tensor{}, ctx.real("base"));
  const Tensor sines = add_op("Sin", {angles});
  const Tensor cosines = add_op("Cos", {angles});
  const Tensor codes = nn::taking_turns(sines, cosines, angles.shape()[1].value());
  ctx.output(x + add_op("Cast", {codes}, {{"to", x.dtype()}}));
}

// Zeros in, so that the codes come out: sin 0, cos 0, …, sin 1, cos 1, sin 0.01, cos 0.01.
Sample exact() {
  return {.name = "exact",
          .inputs = {in_exact(Array(DType::f64, {2, 4}))},
          .gradient = false,
          .expected = {Array::of<double>(
              {2, 4}, {0, 1, 0, 1, 0.8414709848078965, 0.5403023058681398, 0.009999833334166664, 0.9999500004166653})}};
}

}  // namespace

OpCard card_sinusoidal_position() {
  return {
      .name = "nn.SinusoidalPosition",
      .category = Category::embedding,
      .inputs = {{.name = "x", .words = {"[…, length, width]", "[…, длина, ширина]"}}, nn::offset_port()},
      .outputs = {{.name = "y", .words = {"x plus a code of each position", "x плюс код каждой позиции"}}},
      .attributes = {nn::base_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "",
      .words =
          {.what = {"Adds to each position a fixed pattern of sines and cosines: pairs of features turn like the hands "
                    "of many clocks, each slower than the one before. No parameter is learned, and the input may have "
                    "any length.",
                    "Прибавляет к каждой позиции неизменный узор из синусов и косинусов: пары признаков вращаются, как "
                    "стрелки многих часов, каждые медленнее предыдущих. Параметров нет, длина входа любая."},
           .formula =
               R"(y_{t, 2k} = x_{t, 2k} + \sin\left(t b^{-2k/d}\right), \quad y_{t, 2k+1} = x_{t, 2k+1} + \cos\left(t b^{-2k/d}\right))",
           .why =
               {"Attention by itself does not know which word came first. The first transformer told it in this way: a "
                "shift by a fixed distance is the same rotation everywhere, so relative distances are easy to read.",
                "Само внимание не знает, какое слово стояло раньше. Первый трансформер сообщал это именно так: сдвиг "
                "на данное расстояние — везде один и тот же поворот, поэтому относительные расстояния легко "
                "прочесть."}},
      .samples = ops::join({nn::position_samples(), {exact()}}),
      .bad_samples = nn::bad_position_samples(),
  };
}

}  // namespace asg::nn_cards
