#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), shape.rank());
  const Dim whole = shape[axis];
  const Dim half = floor_div(whole, 2);
  if (whole != half * Dim(2)) {
    fail(ErrorCode::bad_shape,
         "axis " + std::to_string(axis) + " of length " + whole.to_string() + " of shape " + shape.to_string(),
         "a length that is surely even, to be split into two halves", "give the layer before it twice as many units");
  }
  std::vector<Dim> dims = shape.dims();
  dims[static_cast<std::size_t>(axis)] = half;
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

void body(BodyContext& ctx) {
  const auto halves = add_op_outputs("Split", {ctx.in(0)}, {{"axis", ctx.integer("axis")}, {"num_outputs", 2}});
  ctx.output(halves[0] * add_op("Sigmoid", {halves[1]}));
}

}  // namespace

OpCard card_glu() {
  return {
      .name = "Glu",
      .category = Category::activation,
      .inputs = ops::x_port(),
      .outputs = {{.name = "y",
                   .dtypes = kFloats,
                   .words = {"the gated first half: as x, with the axis half as long",
                             "первая половина после вентиля: как x, но ось вдвое короче"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = Attr(-1),
                      .words = {"the axis that is split in two; negative ones count from the end",
                                "ось, которая делится пополам; отрицательные считаются с конца"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(ops::kTranscendental + 4),
      .torch = "torch.nn.functional.glu",
      .words = {.what = {"Splits x along one axis into two halves a and b and gives a times the sigmoid of b. The axis "
                         "must have an even length and comes out half as long.",
                         "Делит x вдоль одной оси на половины a и b и даёт a, умноженное на сигмоиду от b. Длина оси "
                         "должна быть чётной, на выходе она вдвое меньше."},
                .formula = "y = a \\cdot \\sigma(b)",
                .why = {"A gated linear unit: b decides how much of a passes, while a itself stays linear, so the "
                        "gradient has a path without any squashing. Gated convolutions for language began with it, and "
                        "the SwiGLU of today's transformers is its descendant.",
                        "Линейный блок с вентилем: b решает, сколько от a пройдёт, а само a остаётся линейным, и у "
                        "градиента есть путь без сжатия. С него начались свёрточные языковые модели с вентилями, а "
                        "SwiGLU нынешних трансформеров — его потомок."}},
      .samples = {{.name = "last_axis", .inputs = {in({2, 3, 4}, -2, 2)}},
                  {.name = "first_axis", .inputs = {in({4, 3, 2}, -2, 2)}, .attrs = {{"axis", 0}}},
                  {.name = "middle_axis", .inputs = {in({3, 2, 4}, -2, 2)}, .attrs = {{"axis", -2}}},
                  {.name = "no_elements", .inputs = {in({0, 4})}, .gradient = false},
                  {.name = "empty_axis", .inputs = {in({3, 0})}, .gradient = false},
                  ops::exact("by_hand", {3, -2, 5, 0, 1000, -1000}, {1.5, -2, 0}),
                  ops::exact("nan_in_the_gate", {1, 2, ops::kNan, 0}, {ops::kNan, 1})},
      .bad_samples = {ops::refuse_integers(),
                      {.name = "odd_length",
                       .inputs = {in({2, 3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "axis 1 of length 3"},
                      {.name = "axis_beyond_the_rank",
                       .inputs = {in({2, 4})},
                       .attrs = {{"axis", 2}},
                       .code = ErrorCode::bad_index,
                       .contains = "axis 2 of a tensor of rank 2"}},
  };
}

}  // namespace asg::cards
