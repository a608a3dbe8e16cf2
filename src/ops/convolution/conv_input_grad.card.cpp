#include <algorithm>
#include <limits>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/convolution/conv_cases.h"
#include "ops/support/gemm.h"
#include "ops/support/gradients.h"
#include "ops/support/windows.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape x(ctx.need_known(2));
  ops::check_convolution_gradient(ctx, ctx.shape(0), x, ctx.shape(1));
  ctx.output({ctx.dtype(0), x});
}

void kernel(KernelContext& ctx) {
  const auto conv = ops::convolution_of(ctx, ctx.out().sizes(), ctx.in(1).sizes());
  const std::int64_t rows = conv.patch_rows();
  const std::int64_t positions = conv.positions();
  Array patches(DType::f64, {rows, positions});
  const auto patch = patches.mutable_data<double>();
  const double* grad = ctx.in(0).data<double>().data();
  double* pixels = ctx.out().mutable_data<double>().data();
  for (std::int64_t picture = 0; picture < conv.batch; ++picture) {
    const double* weights = ctx.in(1).data<double>().data();
    for (std::int64_t group = 0; group < conv.groups; ++group) {
      std::fill(patch.begin(), patch.end(), 0.0);
      // The weights transposed: [patch rows, outputs] times [outputs, positions].
      ops::gemm<double>(rows, positions, conv.group_outputs, {weights, 1, rows}, grad, positions, patch.data(),
                        positions);
      ops::add_patches(conv, patch.data(), pixels);
      pixels += conv.group_channels * conv.pixels();
      weights += conv.group_outputs * rows;
      grad += conv.group_outputs * positions;
    }
  }
}

// Filters with input and output channels exchanged, group by group, and turned round.
Tensor turned_filters(const Tensor& w, std::int64_t groups) {
  Graph& graph = w.graph();
  const Sizes sizes = w.shape().sizes();
  const auto spatial = static_cast<std::int64_t>(sizes.size()) - 2;
  Sizes split = {groups, sizes[0] / groups, sizes[1]};
  Sizes joined = {groups * sizes[1], sizes[0] / groups};
  std::vector<std::int64_t> perm = {0, 2, 1};
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 2; axis < spatial + 2; ++axis) {
    split.push_back(sizes[static_cast<std::size_t>(axis)]);
    joined.push_back(sizes[static_cast<std::size_t>(axis)]);
    perm.push_back(axis + 1);
    axes.push_back(axis);
  }
  const Tensor swapped = add_op("Transpose", {add_op("Reshape", {w, ops::ints(graph, split)})}, {{"perm", perm}});
  const auto all = [&](std::int64_t number) { return ops::ints(graph, Sizes(axes.size(), number)); };
  return add_op("Slice", {add_op("Reshape", {swapped, ops::ints(graph, joined)}), all(-1),
                          all(std::numeric_limits<std::int64_t>::min()), ops::ints(graph, axes), all(-1)});
}

// A convolution of the gradient, spread out by the strides and padded, with the turned filters.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& grad = ctx.in(0);
  const Tensor& w = ctx.in(1);
  const auto windows = ops::convolution_windows(ctx, Shape(*graph.info(ctx.in(2).value()).known), w.shape());
  std::vector<std::int64_t> axes, ends, strides, dilations;
  std::vector<std::int64_t> pads = {0, 0};
  std::vector<std::int64_t> pads_after = {0, 0};
  for (const ops::Window& window : windows) {
    const std::int64_t spread = std::max<std::int64_t>(0, (window.output - 1) * window.stride + 1);
    axes.push_back(static_cast<std::int64_t>(axes.size()) + 2);
    ends.push_back(spread);
    strides.push_back(window.stride);
    dilations.push_back(window.dilation);
    pads.push_back((window.taps - 1) * window.dilation - window.pad);
    pads_after.push_back(window.input - spread + window.pad);
  }
  pads.insert(pads.end(), pads_after.begin(), pads_after.end());
  const Tensor outer = add_op("Slice", {add_op("Shape", {grad}), ops::ints(graph, {0}), ops::ints(graph, {2})});
  const Tensor shape = add_op("Concat", {outer, ops::ints(graph, ends)}, {{"axis", 0}});
  const Tensor zeros = ops::ints(graph, Sizes(axes.size(), 0));
  const Tensor spread = add_op(
      "SliceGrad", {grad, shape, zeros, ops::ints(graph, ends), ops::ints(graph, axes), ops::ints(graph, strides)});
  const std::int64_t groups = ctx.integer("group");
  ctx.output(add_op("Conv", {add_op("Pad", {spread, ops::ints(graph, pads)}), turned_filters(w, groups)},
                    {{"dilations", dilations}, {"group", groups}}));
}

// As a function of either operand it is linear, and its transposes are the two other ops of the family.
void gradient(GradientContext& ctx) {
  if (ctx.needs(0)) ctx.set(0, add_op("Conv", {ctx.grad(), ctx.in(1)}, ctx.attrs()));
  if (ctx.needs(1)) {
    ctx.set(1, add_op("ConvWeightGrad", {ctx.in(0), ctx.grad(), ops::shape_of(ctx.in(1))}, ctx.attrs()));
  }
}

Cost cost(const CostContext& ctx) { return ops::convolution_cost(ctx, ctx.inputs()[1], ctx.inputs()[0]); }

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 2}, {1, 10})), in_exact(Array::of<double>({1, 1, 3}, {1, 2, 3})),
                  in_ints({3}, {1, 1, 4})},
       .expected = {Array::of<double>({1, 1, 4}, {1, 12, 23, 30})}},
      {.name = "no_pictures", .inputs = {in({0, 3, 3}), in({3, 2, 2}), in_ints({3}, {0, 2, 4})}, .gradient = false},
  };
  for (const ops::ConvCase& row : ops::conv_cases()) {
    const auto rank = static_cast<std::int64_t>(row.x.size());
    samples.push_back({.name = row.name, .inputs = {in(row.y), in(row.w), in_ints({rank}, row.x)}, .attrs = row.attrs});
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  std::vector<BadSample> samples = {{.name = "other_shape",
                                     .inputs = {in({1, 1, 3}), in({1, 1, 3}), in_ints({3}, {1, 1, 4})},
                                     .code = ErrorCode::bad_shape,
                                     .contains = "the shape of the convolution's result"}};
  for (BadSample& sample : ops::pads_and_auto_pad({in({1, 1, 2}), in({1, 1, 2}), in_ints({3}, {1, 1, 3})}))
    samples.push_back(std::move(sample));
  return samples;
}

}  // namespace

OpCard card_conv_input_grad() {
  return {
      .name = "ConvInputGrad",
      .category = Category::convolution,
      .inputs = {{.name = "grad", .words = {"the gradient of the convolution's result", "градиент результата свёртки"}},
                 {.name = "w", .words = {"its filters", "её фильтры"}},
                 {.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the shape of its input", "форма её входа"},
                  .differentiable = false}},
      .outputs = {{.name = "y", .words = {"the gradient of the input", "градиент входа"}}},
      .attributes = ops::convolution_attributes(),
      .traits = {.gradient_only = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .torch = "torch.nn.grad.conv2d_input",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what = {"Tells how the loss changes with each element of a convolution's input: every output position "
                    "spreads its gradient, weighted by the filter, over the elements it was computed from. The shape "
                    "is an operand, because several input sizes lead to the same output size when the stride is "
                    "above 1.",
                    "Показывает, как потеря меняется с каждым элементом входа свёртки: каждая позиция выхода "
                    "распределяет свой градиент с весами фильтра по элементам, из которых она получена. Форма "
                    "передаётся отдельно, потому что при шаге больше 1 разные размеры входа дают один размер выхода."},
           .formula = R"(y_{n c i} = \sum_{o} \sum_{p s + t d - q = i} w_{o c t} \, g_{n o p})",
           .why = {"Back-propagation needs it to pass the error on to the layer before. The same arithmetic, used "
                   "forwards, is the transposed convolution that enlarges pictures.",
                   "Обратному распространению она нужна, чтобы передать ошибку предыдущему слою. Те же вычисления, "
                   "применённые в прямом направлении, — это транспонированная свёртка, увеличивающая изображения."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
