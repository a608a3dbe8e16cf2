#include "asg/graph/graph.h"
#include "ops/convolution/conv_gradients.h"
#include "ops/support/gemm.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const auto conv = ops::convolution_of(ctx, ctx.in(1).sizes(), ctx.out().sizes());
  const std::int64_t rows = conv.patch_rows();
  const std::int64_t positions = conv.positions();
  // Patches transposed, [positions, patch rows]: so the product with the gradient reads both along their rows.
  Array patches(DType::f64, {positions, rows});
  double* patch = patches.mutable_data<double>().data();
  const double* grad = ctx.in(0).data<double>().data();
  const double* x = ctx.in(1).data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  ops::for_each_group(conv, [&](std::int64_t pixels, std::int64_t weights, std::int64_t outputs) {
    ops::read_patches(conv, x + pixels, patch, 1, rows);
    ops::gemm<double>(conv.group_outputs, rows, positions, {grad + outputs, positions, 1}, patch, rows, to + weights,
                      rows);
  });
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
  const auto windows = ops::gradient_windows(ctx, ops::ConvOperand::weight);
  std::vector<std::int64_t> strides, dilations;
  for (const ops::Window& window : windows) {
    strides.push_back(window.dilation);
    dilations.push_back(window.stride);
  }
  const std::int64_t groups = ctx.integer("group");
  const Tensor pictures = pictures_as_channels(ctx.in(1), groups);
  const Tensor pads = ops::spatial_pads(
      ctx.graph(), windows, [](const ops::Window& window) { return window.pad; },
      [](const ops::Window& window) { return window.exact_pad_after(); });
  const Tensor padded = add_op("Pad", {pictures, pads});
  const Tensor filters = exchanged(ctx.in(0));
  ctx.output(exchanged(
      add_op("Conv", {padded, filters}, {{"strides", strides}, {"dilations", dilations}, {"group", groups}})));
}

}  // namespace

OpCard card_conv_weight_grad() {
  OpCard card = ops::convolution_gradient(ops::ConvOperand::weight);
  card.name = "ConvWeightGrad";
  card.outputs = {{.name = "y", .words = {"the gradient of the filters", "градиент фильтров"}}};
  card.body = body;
  card.kernel = kernel;
  card.torch = "torch.nn.grad.conv2d_weight";
  card.words = {
      .what = {"Tells how the loss changes with each weight of a convolution's filters: for every tap it sums, over "
               "all pictures and positions, the output's gradient times the input element under that tap. Elements of "
               "the padding count as 0.",
               "Показывает, как потеря зависит от каждого веса фильтров свёртки: для каждой точки фильтра суммируется "
               "по всем изображениям и позициям градиент выхода, умноженный на элемент входа под этой точкой. Элементы "
               "дополнения считаются нулями."},
      .formula = R"(y_{o c t} = \sum_{n} \sum_{p} g_{n o p} \, x_{n c, \, p s + t d - q})",
      .why = {"This is what makes filters learn: each weight hears from all positions where the filter was used. "
              "Together with Conv and ConvInputGrad it forms a family that is closed under differentiation.",
              "Благодаря ей фильтры обучаются: каждый вес получает сведения изо всех позиций, где применялся "
              "фильтр. Вместе с Conv и ConvInputGrad она образует семейство, замкнутое относительно "
              "дифференцирования."}};
  card.samples.push_back({.name = "exact",
                          .inputs = {in_exact(Array::of<double>({1, 1, 2}, {1, 10})),
                                     in_exact(Array::of<double>({1, 1, 4}, {1, 2, 3, 4})), in_ints({3}, {1, 1, 3})},
                          .expected = {Array::of<double>({1, 1, 3}, {21, 32, 43})}});
  return card;
}

}  // namespace asg::cards
