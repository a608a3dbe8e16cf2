#include "nn/support/positions.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::nn_cards {
namespace {

// Every second feature from `start` on, or `count` in a row.
Tensor features(const Tensor& x, std::int64_t start, std::int64_t count, std::int64_t step) {
  Graph& graph = x.graph();
  const Tensor begin = ops::ints(graph, {start});
  const Tensor end = ops::ints(graph, {start + (count - 1) * step + 1});
  const Tensor axis = ops::ints(graph, {x.rank() - 1});
  return add_op("Slice", {x, begin, end, axis, ops::ints(graph, {step})});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor angles = nn::position_angles(ctx, x, ctx.has(1) ? ctx.in(1) : Tensor{}, ctx.real("base"));
  const Tensor cosines = add_op("Cast", {add_op("Cos", {angles})}, {{"to", x.dtype()}});
  const Tensor sines = add_op("Cast", {add_op("Sin", {angles})}, {{"to", x.dtype()}});
  const std::int64_t half = angles.shape()[1].value();
  const bool interleaved = ctx.boolean("interleaved");
  const Tensor a = features(x, 0, half, interleaved ? 2 : 1);
  const Tensor b = features(x, interleaved ? 1 : half, half, interleaved ? 2 : 1);
  const Tensor a_cos = a * cosines;
  const Tensor a_sin = a * sines;
  const Tensor turned_a = a_cos - b * sines;
  const Tensor turned_b = a_sin + b * cosines;
  ctx.output(interleaved ? nn::taking_turns(turned_a, turned_b, half)
                         : add_op("Concat", {turned_a, turned_b}, {{"axis", -1}}));
}

// One pair of features at positions 0, 1 and 2: (1, 0) turned by 0, 1 and 2 radians.
std::vector<Sample> samples() {
  const Array turned = Array::of<double>(
      {3, 2}, {1, 0, 0.5403023058681398, 0.8414709848078965, -0.4161468365471424, 0.9092974268256817});
  const auto exact = [&](std::string name, bool interleaved) {
    return Sample{.name = std::move(name),
                  .inputs = {in_exact(Array::of<double>({3, 2}, {1, 0, 1, 0, 1, 0}))},
                  .attrs = {{"interleaved", interleaved}},
                  .gradient = false,
                  .expected = {turned}};
  };
  std::vector<Sample> interleaved = nn::position_samples({{"interleaved", true}});
  for (Sample& sample : interleaved) sample.name += "_interleaved";
  return ops::join(
      {nn::position_samples(), std::move(interleaved), {exact("exact", false), exact("exact_interleaved", true)}});
}

}  // namespace

OpCard card_rotary_position() {
  return {
      .name = "nn.RotaryPosition",
      .category = Category::attention,
      .inputs = {{.name = "x", .words = {"[…, length, width]", "[…, длина, ширина]"}}, nn::offset_port()},
      .outputs = {{.name = "y",
                   .words = {"x with each pair of features turned by the angle of its position",
                             "x, где каждая пара признаков повёрнута на угол своей позиции"}}},
      .attributes =
          {nn::base_attribute(),
           {.name = "interleaved",
            .kind = AttrKind::boolean,
            .fallback = false,
            .words = {"pairs are neighbours 0 and 1, 2 and 3, … (GPT-J); else feature k and k + width/2 (LLaMA)",
                      "пары — соседи 0 и 1, 2 и 3, … (GPT-J); иначе признаки k и k + width/2 (LLaMA)"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "",
      .words =
          {.what = {"Turns each pair of features by an angle that grows with the position, fast for the first pairs "
                    "and slowly for the last. Lengths of vectors stay the same, and any length and offset will do.",
                    "Поворачивает каждую пару признаков на угол, растущий с позицией: первые пары быстро, последние "
                    "медленно. Длины векторов не меняются, длина последовательности и смещение — любые."},
           .formula = R"(\begin{bmatrix} u' \\ v' \end{bmatrix} = \begin{bmatrix} u \cos \theta - v \sin \theta \\ )"
                      R"(v \cos \theta + u \sin \theta \end{bmatrix}, \quad \theta = t b^{-2k/d})",
           .why = {"When queries and keys are turned like this, their product depends on the distance between two "
                   "positions only. LLaMA and most language models since use it instead of adding codes.",
                   "Если повернуть так запросы и ключи, их произведение зависит только от расстояния между позициями. "
                   "LLaMA и почти все языковые модели после неё делают так вместо прибавления кодов."}},
      .samples = samples(),
      .bad_samples = nn::bad_position_samples(),
  };
}

}  // namespace asg::nn_cards
