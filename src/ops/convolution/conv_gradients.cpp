#include "ops/convolution/conv_gradients.h"

#include "asg/graph/graph.h"
#include "ops/convolution/conv_cases.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

namespace asg::ops {
namespace {

void infer(InferContext& ctx, ConvOperand by) {
  const Shape result(ctx.need_known(2));
  const Shape& grad = ctx.shape(0);
  const Shape& x = by == ConvOperand::input ? result : ctx.shape(1);
  const Shape& w = by == ConvOperand::input ? ctx.shape(1) : result;
  const Shape y = convolution_shape(ctx, x, w);
  bool fits = grad.rank() == y.rank();
  for (int axis = 0; fits && axis < y.rank(); ++axis) fits = !surely_differ(grad[axis], y[axis]);
  if (!fits) {
    fail(ErrorCode::bad_shape,
         "a gradient of shape " + grad.to_string() + " for a convolution with a result of shape " + y.to_string(),
         "the shape of the convolution's result");
  }
  ctx.output({ctx.dtype(0), result});
}

// As a function of either operand it is linear, and its transposes are the two other ops of the family.
void gradient(GradientContext& ctx, ConvOperand by) {
  const bool by_input = by == ConvOperand::input;
  if (ctx.needs(0)) {
    const Tensor x = by_input ? ctx.grad() : ctx.in(1);
    const Tensor w = by_input ? ctx.in(1) : ctx.grad();
    ctx.set(0, add_op("Conv", {x, w}, ctx.attrs()));
  }
  if (ctx.needs(1)) {
    const Tensor shape = shape_of(ctx.in(1));
    ctx.set(1, add_op(by_input ? "ConvWeightGrad" : "ConvInputGrad", {ctx.in(0), ctx.grad(), shape}, ctx.attrs()));
  }
}

Cost cost(const CostContext& ctx, ConvOperand by) {
  return convolution_cost(ctx, by == ConvOperand::input ? ctx.inputs()[1] : ctx.outputs()[0], ctx.inputs()[0]);
}

// The operands of the gradient in the order of its inputs.
std::vector<SampleInput> operands(const Sizes& y, const Sizes& x, const Sizes& w, ConvOperand by) {
  const Sizes& result = by == ConvOperand::input ? x : w;
  return {in(y), in(by == ConvOperand::input ? w : x), in_ints({static_cast<std::int64_t>(result.size())}, result)};
}

std::vector<Sample> samples(ConvOperand by) {
  std::vector<Sample> samples = {
      {.name = "no_pictures", .inputs = operands({0, 3, 3}, {0, 2, 4}, {3, 2, 2}, by), .gradient = false}};
  for (const ConvCase& row : conv_cases()) {
    samples.push_back({.name = row.name, .inputs = operands(row.y, row.x, row.w, by), .attrs = row.attrs});
  }
  return samples;
}

std::vector<BadSample> bad_samples(ConvOperand by) {
  std::vector<BadSample> samples = refused_attributes(operands({1, 1, 2}, {1, 1, 3}, {1, 1, 2}, by));
  samples.push_back({.name = "other_shape",
                     .inputs = operands({1, 1, 3}, {1, 1, 4}, {1, 1, 3}, by),
                     .code = ErrorCode::bad_shape,
                     .contains = "the shape of the convolution's result"});
  return samples;
}

}  // namespace

OpCard convolution_gradient(ConvOperand by) {
  const bool by_input = by == ConvOperand::input;
  const Port other = by_input ? Port{.name = "w", .words = {"its filters", "её фильтры"}}
                              : Port{.name = "x", .words = {"its input", "её вход"}};
  const Words shape = by_input ? Words{"the shape of its input", "форма её входа"}
                               : Words{"the shape of its filters", "форма её фильтров"};
  return {
      .category = Category::convolution,
      .inputs = {{.name = "grad", .words = {"the gradient of the convolution's result", "градиент результата свёртки"}},
                 other,
                 {.name = "shape", .dtypes = kInt64, .type = "", .words = shape, .differentiable = false}},
      .attributes = convolution_attributes(),
      .traits = {.gradient_only = true},
      .infer = [by](InferContext& ctx) { infer(ctx, by); },
      .gradient_kind = GradientKind::rule,
      .gradient = [by](GradientContext& ctx) { gradient(ctx, by); },
      .cost = [by](const CostContext& ctx) { return cost(ctx, by); },
      .tolerance = kConvolutionTolerance,
      .samples = samples(by),
      .bad_samples = bad_samples(by),
  };
}

std::vector<Window> gradient_windows(BodyContext& ctx, ConvOperand by) {
  const Shape result(*ctx.graph().info(ctx.in(2).value()).known);
  const Shape& other = ctx.in(1).shape();
  return by == ConvOperand::input ? convolution_windows(ctx, result, other) : convolution_windows(ctx, other, result);
}

Tensor spatial_pads(Graph& graph, const std::vector<Window>& windows,
                    const std::function<std::int64_t(const Window&)>& before,
                    const std::function<std::int64_t(const Window&)>& after) {
  std::vector<std::int64_t> pads = {0, 0};
  for (const Window& window : windows) pads.push_back(before(window));
  pads.insert(pads.end(), {0, 0});
  for (const Window& window : windows) pads.push_back(after(window));
  return ints(graph, std::move(pads));
}

}  // namespace asg::ops
