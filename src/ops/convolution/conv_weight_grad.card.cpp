#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/convolution/conv_cases.h"
#include "ops/support/gemm.h"
#include "ops/support/gradients.h"
#include "ops/support/windows.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape w(ctx.need_known(2));
  ops::check_convolution_gradient(ctx, ctx.shape(0), ctx.shape(1), w);
  ctx.output({ctx.dtype(0), w});
}

void kernel(KernelContext& ctx) {
  const auto conv = ops::convolution_of(ctx, ctx.in(1).sizes(), ctx.out().sizes());
  const std::int64_t rows = conv.patch_rows();
  const std::int64_t positions = conv.positions();
  // Patches transposed, [positions, patch rows]: so the product with the gradient reads both along their rows.
  Array patches(DType::f64, {positions, rows});
  double* patch = patches.mutable_data<double>().data();
  const double* grad = ctx.in(0).data<double>().data();
  const double* pixels = ctx.in(1).data<double>().data();
  for (std::int64_t picture = 0; picture < conv.batch; ++picture) {
    double* weights = ctx.out().mutable_data<double>().data();
    for (std::int64_t group = 0; group < conv.groups; ++group) {
      ops::read_patches(conv, pixels, patch, 1, rows);
      ops::gemm<double>(conv.group_outputs, rows, positions, {grad, positions, 1}, patch, rows, weights, rows);
      pixels += conv.group_channels * conv.pixels();
      weights += conv.group_outputs * rows;
      grad += conv.group_outputs * positions;
    }
  }
}

// The axes with the first two exchanged.
Tensor exchanged(const Tensor& tensor) {
  std::vector<std::int64_t> perm = {1, 0};
  for (int axis = 2; axis < tensor.rank(); ++axis) perm.push_back(axis);
  return add_op("Transpose", {tensor}, {{"perm", perm}});
}

// [batch, groups * channels, …] as [channels, groups * batch, …]: pictures become channels.
Tensor pictures_as_channels(const Tensor& x, std::int64_t groups) {
  if (groups == 1) return exchanged(x);
  Graph& graph = x.graph();
  const std::int64_t channels = x.shape()[1].value() / groups;
  Sizes split = {0, groups, channels};
  Sizes joined = {channels, -1};
  std::vector<std::int64_t> perm = {2, 1, 0};
  for (int axis = 2; axis < x.rank(); ++axis) {
    split.push_back(x.shape()[axis].value());
    joined.push_back(x.shape()[axis].value());
    perm.push_back(axis + 1);
  }
  const Tensor swapped = add_op("Transpose", {add_op("Reshape", {x, ops::ints(graph, split)})}, {{"perm", perm}});
  return add_op("Reshape", {swapped, ops::ints(graph, joined)});
}

// A convolution of the input with the gradient as filters, where strides and dilations change places and the sum
// over channels is the sum over pictures.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& x = ctx.in(1);
  const auto windows = ops::convolution_windows(ctx, x.shape(), Shape(*graph.info(ctx.in(2).value()).known));
  std::vector<std::int64_t> strides, dilations;
  std::vector<std::int64_t> pads = {0, 0};
  std::vector<std::int64_t> pads_after = {0, 0};
  for (const ops::Window& window : windows) {
    const std::int64_t reach = (window.output - 1) * window.stride + (window.taps - 1) * window.dilation + 1;
    strides.push_back(window.dilation);
    dilations.push_back(window.stride);
    pads.push_back(window.pad);
    pads_after.push_back(reach - window.input - window.pad);
  }
  pads.insert(pads.end(), pads_after.begin(), pads_after.end());
  const std::int64_t groups = ctx.integer("group");
  const Tensor padded = add_op("Pad", {pictures_as_channels(x, groups), ops::ints(graph, pads)});
  ctx.output(exchanged(add_op("Conv", {padded, exchanged(ctx.in(0))},
                              {{"strides", strides}, {"dilations", dilations}, {"group", groups}})));
}

// As a function of either operand it is linear, and its transposes are the two other ops of the family.
void gradient(GradientContext& ctx) {
  if (ctx.needs(0)) ctx.set(0, add_op("Conv", {ctx.in(1), ctx.grad()}, ctx.attrs()));
  if (ctx.needs(1)) {
    ctx.set(1, add_op("ConvInputGrad", {ctx.in(0), ctx.grad(), ops::shape_of(ctx.in(1))}, ctx.attrs()));
  }
}

Cost cost(const CostContext& ctx) { return ops::convolution_cost(ctx, ctx.outputs()[0], ctx.inputs()[0]); }

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 2}, {1, 10})), in_exact(Array::of<double>({1, 1, 4}, {1, 2, 3, 4})),
                  in_ints({3}, {1, 1, 3})},
       .expected = {Array::of<double>({1, 1, 3}, {21, 32, 43})}},
      {.name = "no_pictures", .inputs = {in({0, 3, 3}), in({0, 2, 4}), in_ints({3}, {3, 2, 2})}, .gradient = false},
  };
  for (const ops::ConvCase& row : ops::conv_cases()) {
    const auto rank = static_cast<std::int64_t>(row.w.size());
    samples.push_back({.name = row.name, .inputs = {in(row.y), in(row.x), in_ints({rank}, row.w)}, .attrs = row.attrs});
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  std::vector<BadSample> samples = {{.name = "other_shape",
                                     .inputs = {in({1, 1, 3}), in({1, 1, 4}), in_ints({3}, {1, 1, 3})},
                                     .code = ErrorCode::bad_shape,
                                     .contains = "the shape of the convolution's result"}};
  for (BadSample& sample : ops::pads_and_auto_pad({in({1, 1, 2}), in({1, 1, 3}), in_ints({3}, {1, 1, 2})}))
    samples.push_back(std::move(sample));
  return samples;
}

}  // namespace

OpCard card_conv_weight_grad() {
  return {
      .name = "ConvWeightGrad",
      .category = Category::convolution,
      .inputs = {{.name = "grad", .words = {"the gradient of the convolution's result", "градиент результата свёртки"}},
                 {.name = "x", .words = {"its input", "её вход"}},
                 {.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the shape of its filters", "форма её фильтров"},
                  .differentiable = false}},
      .outputs = {{.name = "y", .words = {"the gradient of the filters", "градиент фильтров"}}},
      .attributes = ops::convolution_attributes(),
      .traits = {.gradient_only = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .torch = "torch.nn.grad.conv2d_weight",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what = {"Tells how the loss changes with each weight of a convolution's filters: for every tap it sums, "
                    "over all pictures and positions, the output's gradient times the input element under that tap.",
                    "Показывает, как потеря меняется с каждым весом фильтров свёртки: для каждой точки фильтра "
                    "суммируется по всем изображениям и позициям градиент выхода, умноженный на элемент входа под этой "
                    "точкой."},
           .formula = R"(y_{o c t} = \sum_{n} \sum_{p} g_{n o p} \, x_{n c, \, p s + t d - q})",
           .why = {"This is what makes filters learn: each weight hears from all positions where the filter was used. "
                   "Together with Conv and ConvInputGrad it forms a family that is closed under differentiation.",
                   "Благодаря ей фильтры обучаются: каждый вес получает сведения изо всех позиций, где применялся "
                   "фильтр. Вместе с Conv и ConvInputGrad она образует семейство, замкнутое относительно "
                   "дифференцирования."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
