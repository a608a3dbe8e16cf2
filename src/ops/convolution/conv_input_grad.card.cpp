#include <algorithm>
#include <limits>

#include "asg/graph/graph.h"
#include "ops/convolution/conv_gradients.h"
#include "ops/support/gemm.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const auto conv = ops::convolution_of(ctx, ctx.out().sizes(), ctx.in(1).sizes());
  const std::int64_t rows = conv.patch_rows();
  const std::int64_t positions = conv.positions();
  Array patches(DType::f64, {rows, positions});
  const auto patch = patches.mutable_data<double>();
  const double* from = ctx.in(0).data<double>().data();
  const double* filters = ctx.in(1).data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  ops::for_each_group(conv, [&](std::int64_t pixels, std::int64_t weights, std::int64_t outputs) {
    std::fill(patch.begin(), patch.end(), 0.0);
    // The weights transposed: [patch rows, outputs] times [outputs, positions].
    ops::gemm<double>(rows, positions, conv.group_outputs, {filters + weights, 1, rows}, from + outputs, positions,
                      patch.data(), positions);
    ops::add_patches(conv, patch.data(), to + pixels);
  });
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
  const Tensor plain = add_op("Reshape", {swapped, ops::ints(graph, joined)});
  const Tensor last = ops::ints(graph, Sizes(axes.size(), -1));
  const Tensor beyond_first = ops::ints(graph, Sizes(axes.size(), std::numeric_limits<std::int64_t>::min()));
  return add_op("Slice", {plain, last, beyond_first, ops::ints(graph, axes), last});
}

// Where the last position begins, plus 1: the length of the gradient spread out by the stride.
std::int64_t spread_length(const ops::Window& window) {
  return std::max<std::int64_t>(0, (window.output - 1) * window.stride + 1);
}

// A convolution of the gradient, spread out by the strides and padded, with the turned filters.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& grad = ctx.in(0);
  const auto windows = ops::gradient_windows(ctx, ops::ConvOperand::input);
  std::vector<std::int64_t> axes, ends, strides, dilations;
  for (const ops::Window& window : windows) {
    axes.push_back(static_cast<std::int64_t>(axes.size()) + 2);
    ends.push_back(spread_length(window));
    strides.push_back(window.stride);
    dilations.push_back(window.dilation);
  }
  const Tensor outer = add_op("Slice", {add_op("Shape", {grad}), ops::ints(graph, {0}), ops::ints(graph, {2})});
  const Tensor shape = add_op("Concat", {outer, ops::ints(graph, ends)}, {{"axis", 0}});
  const Tensor zeros = ops::ints(graph, Sizes(axes.size(), 0));
  const Tensor past = ops::ints(graph, ends);
  const Tensor along = ops::ints(graph, axes);
  const Tensor spread = add_op("SliceGrad", {grad, shape, zeros, past, along, ops::ints(graph, strides)});
  const Tensor pads = ops::spatial_pads(
      graph, windows, [](const ops::Window& window) { return (window.taps - 1) * window.dilation - window.pad; },
      [](const ops::Window& window) { return window.input - spread_length(window) + window.pad; });
  const Tensor padded = add_op("Pad", {spread, pads});
  const std::int64_t groups = ctx.integer("group");
  const Tensor filters = turned_filters(ctx.in(1), groups);
  ctx.output(add_op("Conv", {padded, filters}, {{"dilations", dilations}, {"group", groups}}));
}

}  // namespace

OpCard card_conv_input_grad() {
  OpCard card = ops::convolution_gradient(ops::ConvOperand::input);
  card.name = "ConvInputGrad";
  card.outputs = {{.name = "y", .words = {"the gradient of the input", "градиент входа"}}};
  card.body = body;
  card.kernel = kernel;
  card.torch = "torch.nn.grad.conv2d_input";
  card.words = {
      .what = {"Tells how the loss changes with each element of a convolution's input: every output position "
               "spreads its gradient, weighted by the filter, over the elements it was computed from. The shape "
               "is an operand, because several input sizes lead to the same output size when the stride is "
               "above 1.",
               "Показывает, как потеря зависит от каждого элемента входа свёртки: каждая позиция выхода распределяет "
               "свой градиент с весами фильтра по элементам, из которых она получена. Форма передаётся отдельно, "
               "потому что при шаге больше 1 разные размеры входа дают один размер выхода."},
      .formula = R"(y_{n c i} = \sum_{o} \sum_{p s + t d - q = i} w_{o c t} \, g_{n o p})",
      .why = {"Back-propagation needs it to pass the error on to the layer before. The same arithmetic, used "
              "forwards, is the transposed convolution that enlarges pictures.",
              "Обратному распространению она нужна, чтобы передать ошибку предыдущему слою. Те же вычисления, "
              "применённые в прямом направлении, — это транспонированная свёртка, увеличивающая изображения."}};
  card.samples.push_back({.name = "exact",
                          .inputs = {in_exact(Array::of<double>({1, 1, 2}, {1, 10})),
                                     in_exact(Array::of<double>({1, 1, 3}, {1, 2, 3})), in_ints({3}, {1, 1, 4})},
                          .expected = {Array::of<double>({1, 1, 4}, {1, 12, 23, 30})}});
  return card;
}

}  // namespace asg::cards
