#include "ops/activation/softmax_parts.h"

#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {

OpCard softmax_op(OpCard own) {
  own.category = Category::activation;
  own.inputs = x_port();
  own.outputs = y_port();
  own.attributes = softmax_attributes();
  own.infer = infer_lanes;
  if (own.gradient) own.gradient_kind = GradientKind::rule;
  if (!own.cost) own.cost = cost_per_output(kTranscendental + 4);
  own.bad_samples = bad_softmax_samples();
  return own;
}

std::vector<AttrSpec> softmax_attributes() {
  return {{.name = "axis",
           .kind = AttrKind::integer,
           .fallback = Attr(-1),
           .words = {"the axis along which elements compete; negative ones count from the end",
                     "ось, вдоль которой соревнуются элементы; отрицательные считаются с конца"}}};
}

std::vector<Sample> softmax_samples() {
  return {
      {.name = "last_axis", .inputs = {in({2, 3, 4}, -2, 2)}},
      {.name = "first_axis", .inputs = {in({2, 3, 4}, -2, 2)}, .attrs = {{"axis", 0}}},
      {.name = "middle_axis", .inputs = {in({2, 3, 4}, -2, 2)}, .attrs = {{"axis", 1}}},
      {.name = "negative_axis", .inputs = {in({2, 3, 4}, -2, 2)}, .attrs = {{"axis", -2}}},
      {.name = "one_element", .inputs = {in({1})}, .gradient = false},
      {.name = "no_lanes", .inputs = {in({0, 3})}, .gradient = false},
      {.name = "empty_lanes", .inputs = {in({2, 0})}, .gradient = false},
  };
}

std::vector<BadSample> bad_softmax_samples() {
  return {
      refuse_integers(),
      {.name = "axis_beyond_the_rank",
       .inputs = {in({2, 3})},
       .attrs = {{"axis", 2}},
       .code = ErrorCode::bad_index,
       .contains = "axis 2 of a tensor of rank 2"},
      {.name = "scalar", .inputs = {in({})}, .code = ErrorCode::bad_index, .contains = "a tensor of rank at least 1"}};
}

void infer_lanes(InferContext& ctx) {
  normalize_axis(ctx.integer("axis"), ctx.shape(0).rank());
  ctx.output(ctx.type(0));
}

std::int64_t lane_axis(const GradientContext& ctx) { return normalize_axis(ctx.integer("axis"), ctx.in(0).rank()); }

SoftmaxParts softmax_parts(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::vector<std::int64_t> axes = {normalize_axis(ctx.integer("axis"), x.rank())};
  const Tensor shifted = x - reduce_keeping("ReduceMax", x, axes);
  const Tensor exponentials = add_op("Exp", {shifted});
  return {shifted, exponentials, reduce_keeping("ReduceSum", exponentials, axes)};
}

}  // namespace asg::ops
