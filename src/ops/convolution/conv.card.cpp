#include "asg/graph/card.h"
#include "ops/convolution/conv_cases.h"
#include "ops/convolution/conv_parts.h"
#include "ops/support/gemm.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape y = ops::convolution_shape(ctx, ctx.shape(0), ctx.shape(1));
  ops::check_bias(ctx, y[1]);
  ctx.output({ctx.dtype(0), y});
}

void add_bias(KernelContext& ctx) {
  Sizes sizes(static_cast<std::size_t>(ctx.out().rank()), 1);
  sizes[1] = ctx.in(2).count();
  ctx.out().assign(ctx.in(2).reshaped(sizes).broadcast_to(ctx.out().sizes()));
}

void kernel(KernelContext& ctx) {
  const auto conv = ops::convolution_of(ctx, ctx.in(0).sizes(), ctx.in(1).sizes());
  const std::int64_t rows = conv.patch_rows();
  const std::int64_t positions = conv.positions();
  if (ctx.has(2)) add_bias(ctx);
  Array patches(DType::f64, {rows, positions});
  double* patch = patches.mutable_data<double>().data();
  const double* x = ctx.in(0).data<double>().data();
  const double* filters = ctx.in(1).data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  ops::for_each_group(conv, [&](std::int64_t pixels, std::int64_t weights, std::int64_t outputs) {
    ops::read_patches(conv, x + pixels, patch, positions, 1);
    ops::gemm<double>(conv.group_outputs, positions, rows, {filters + weights, rows, 1}, patch, positions, to + outputs,
                      positions);
  });
}

void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor& w = ctx.in(1);
  if (ctx.needs(0)) ctx.set(0, add_op("ConvInputGrad", {ctx.grad(), w, ops::shape_of(x)}, ctx.attrs()));
  if (ctx.needs(1)) ctx.set(1, add_op("ConvWeightGrad", {ctx.grad(), x, ops::shape_of(w)}, ctx.attrs()));
  if (!ctx.has(2) || !ctx.needs(2)) return;
  std::vector<std::int64_t> axes = {0};
  for (int axis = 2; axis < x.rank(); ++axis) axes.push_back(axis);
  ctx.set(2, add_op("ReduceSum", {ctx.grad(), ops::ints(ctx.graph(), axes)}, {{"keepdims", false}}));
}

Cost cost(const CostContext& ctx) { return ops::convolution_cost(ctx, ctx.inputs()[1], ctx.outputs()[0]); }

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 4}, {1, 2, 3, 5})),
                  in_exact(Array::of<double>({1, 1, 3}, {1, 0, -1})), in_exact(Array::of<double>({1}, {10}))},
       .expected = {Array::of<double>({1, 1, 2}, {8, 7})}},
      {.name = "exact_padded",
       .inputs = {in_exact(Array::of<double>({1, 1, 2, 2}, {1, 2, 3, 4})),
                  in_exact(Array::of<double>({1, 1, 2, 2}, {1, 10, 100, 1000}))},
       .attrs = {{"pads", Sizes{1, 1, 0, 0}}},
       .expected = {Array::of<double>({1, 1, 2, 2}, {1000, 2100, 3010, 4321})}},
      {.name = "no_pictures", .inputs = {in({0, 2, 4}), in({3, 2, 2}), in({3})}, .gradient = false},
      {.name = "no_channels", .inputs = {in({1, 0, 4}), in({3, 0, 2}), in({3})}, .gradient = false},
  };
  bool bias = true;
  for (const ops::ConvCase& row : ops::conv_cases()) {
    Sample sample{.name = row.name, .inputs = {in(row.x), in(row.w)}, .attrs = row.attrs};
    if (bias) sample.inputs.push_back(in({row.w[0]}));
    bias = !bias;
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  std::vector<BadSample> samples = {
      {.name = "other_channels",
       .inputs = {in({1, 3, 5}), in({2, 2, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "an input of 3 channels, weights for 2 channels, and 1 group"},
      {.name = "groups_do_not_divide",
       .inputs = {in({1, 4, 5}), in({3, 2, 2})},
       .attrs = {{"group", 2}},
       .code = ErrorCode::bad_shape,
       .contains = "3 output channels in 2 groups"},
      {.name = "no_batch",
       .inputs = {in({3, 5}), in({2, 3, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "one to three spatial axes"},
      {.name = "window_too_large",
       .inputs = {in({1, 1, 3}), in({1, 1, 4})},
       .code = ErrorCode::bad_shape,
       .contains = "a window of 4 on spatial axis 0, which has 3 elements"},
      {.name = "bias_too_long", .inputs = {in({1, 1, 3}), in({1, 1, 2}), in({2})}, .code = ErrorCode::bad_shape},
      {.name = "strides_too_many",
       .inputs = {in({1, 1, 3}), in({1, 1, 2})},
       .attrs = {{"strides", Sizes{1, 1}}},
       .code = ErrorCode::bad_attribute,
       .contains = "2 numbers for 'strides'"},
      {.name = "stride_zero",
       .inputs = {in({1, 1, 3}), in({1, 1, 2})},
       .attrs = {{"strides", Sizes{0}}},
       .code = ErrorCode::bad_attribute,
       .contains = "at least 1"},
  };
  for (BadSample& sample : ops::refused_attributes({in({1, 1, 3}), in({1, 1, 2})}))
    samples.push_back(std::move(sample));
  return samples;
}

}  // namespace

OpCard card_conv() {
  return {
      .name = "Conv",
      .category = Category::convolution,
      .inputs = {{.name = "x",
                  .words = {"the input, [batch, channels, …] with one to three spatial axes",
                            "вход, [пакет, каналы, …] с одной–тремя пространственными осями"}},
                 {.name = "w",
                  .words = {"the filters, [outputs, channels / group, …]", "фильтры, [выходы, каналы / group, …]"}},
                 {.name = "b",
                  .kind = PortKind::optional,
                  .words = {"one number to add to each output channel",
                            "по числу, прибавляемому к каждому каналу выхода"}}},
      .outputs = {{.name = "y", .words = {"[batch, outputs, …]", "[пакет, выходы, …]"}}},
      .attributes = ops::convolution_attributes(),
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .onnx = {{.op = "Conv", .since = 11}},
      .torch = "torch.nn.functional.conv2d",
      .tolerance = ops::kConvolutionTolerance,
      .words =
          {.what = {"Slides small filters over the input and takes, at every position, the weighted sum of what lies "
                    "under the filter, over all channels of its group; each filter gives one output channel. Positions "
                    "p are a stride s apart and taps t a dilation d, and q zeros are padded in front. As in other "
                    "frameworks the filter is not flipped: it is a cross-correlation.",
                    "Проводит небольшие фильтры по входу и в каждой позиции берёт взвешенную сумму того, что лежит под "
                    "фильтром, по всем каналам его группы; каждый фильтр даёт один канал выхода. Позиции p отстоят "
                    "друг от друга на шаг s, точки фильтра t — на расстояние d, а перед входом добавлено q нулей. Как "
                    "и в других библиотеках, фильтр не отражается: это взаимная корреляция."},
           .formula = R"(y_{n o p} = b_o + \sum_{c} \sum_{t} w_{o c t} \, x_{n c, \, p s + t d - q})",
           .why = {"In pictures and sounds the same pattern, an edge or a tone, can appear anywhere. One small filter "
                   "looks for it at all places, so there are few weights to learn and what was learnt in one place "
                   "holds in all others. ResNet and U-Net consist of little else.",
                   "На изображениях и в звуках один и тот же узор — край или тон — может появиться где угодно. Один "
                   "небольшой фильтр ищет его повсюду, поэтому обучаемых весов мало, а выученное в одном месте верно и "
                   "во всех остальных. ResNet и U-Net состоят почти из одних свёрток."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
