#include <algorithm>
#include <string>

#include "asg/graph/graph.h"
#include "ops/convolution/conv_cases.h"
#include "ops/convolution/conv_parts.h"
#include "ops/support/channels.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/pairs.h"

namespace asg::cards {
namespace {

// One spatial axis: what the filters reach from all input positions, and which part of it is the result.
struct Axis {
  Dim output;
  Dim full;    // length of what the filters reach
  Dim before;  // how much of it is cut off at the beginning
};

// Pads that follow from a wanted length are the two halves of what is too much; an odd one is cut off at the end
// by SAME_UPPER, else at the beginning. Where the filters do not reach far enough nothing is cut off.
Dim half_before(const Dim& total, bool upper) {
  const Dim positive = max(total, Dim(0));
  return upper ? floor_div(positive, 2) : ceil_div(positive, 2);
}

std::vector<Axis> axes_of(const AttrReader& attributes, const Shape& x, const Shape& w) {
  const int spatial = x.rank() - 2;
  const auto layout = ops::window_layout(attributes, spatial);
  const auto output_padding = ops::per_axis(attributes, "output_padding", spatial, 0);
  const auto wanted = ops::per_axis(attributes, "output_shape", spatial, -1);
  const bool upper = attributes.text("auto_pad") == "SAME_UPPER";
  std::vector<Axis> axes;
  for (int axis = 0; axis < spatial; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const Dim stride = layout.strides[at];
    const Dim full = stride * (x[axis + 2] - Dim(1)) + Dim(layout.dilations[at]) * (w[axis + 2] - Dim(1)) + Dim(1);
    const Dim longest = full + Dim(output_padding[at]);
    const Dim before = layout.pads[at];
    Axis result{longest - before - Dim(layout.pads[at + static_cast<std::size_t>(spatial)]), full, before};
    if (wanted[at] >= 0 || layout.same) {
      result.output = wanted[at] >= 0 ? Dim(wanted[at]) : x[axis + 2] * stride;
      result.before = half_before(longest - result.output, upper);
    }
    if (result.output.is_known() && result.output.value() < 1) {
      fail(ErrorCode::bad_shape,
           "pads that leave " + result.output.to_string() + " elements of " + longest.to_string() +
               " on spatial axis " + std::to_string(axis),
           "a result of at least one element", "pad less: the pads of a transposed convolution are cut off");
    }
    axes.push_back(std::move(result));
  }
  return axes;
}

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const Shape& w = ctx.shape(1);
  ops::check_spatial_axes(x, w, "[channels, outputs / group, …]");
  const Dim group = ctx.integer("group");
  if (ops::surely_differ(x[1], w[0]) || (w[0].is_known() && mod(w[0], group) != Dim(0))) {
    fail(ErrorCode::bad_shape,
         "an input of " + x[1].to_string() + " channels, weights for " + w[0].to_string() + " channels in " +
             group.to_string() + (group == Dim(1) ? " group" : " groups"),
         "as many input channels as the weights have, and groups that divide them");
  }
  ops::check_kernel_shape(ctx, w);
  std::vector<Dim> dims = {x[0], w[1] * group};
  for (const Axis& axis : axes_of(ctx, x, w)) dims.push_back(axis.output);
  ops::check_bias(ctx, dims[1]);
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

std::int64_t need_number(const Dim& dim, const Tensor& x) {
  if (dim.is_known()) return dim.value();
  fail(ErrorCode::not_expandable, "a transposed convolution of " + x.shape().to_string() + " to a given 'output_shape'",
       "spatial lengths that are known", "leave 'output_shape' out where they are symbols");
}

// [batch, outputs, lengths…], computed from the shape of x where its spatial lengths are symbols.
Tensor target_shape(const Tensor& x, std::int64_t outputs, const std::vector<Dim>& lengths, const Sizes& strides) {
  Graph& graph = x.graph();
  const Tensor shape = add_op("Shape", {x});
  const Tensor batch = add_op("Slice", {shape, ops::ints(graph, {0}), ops::ints(graph, {1})});
  const Tensor channels = ops::ints(graph, {outputs});
  if (Shape(lengths).is_known()) {
    return add_op("Concat", {batch, channels, ops::ints(graph, Shape(lengths).sizes())}, {{"axis", 0}});
  }
  std::vector<std::int64_t> offsets;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const Dim& input = x.shape()[static_cast<int>(axis) + 2];
    offsets.push_back(need_number(lengths[axis] - input * Dim(strides[axis]), x));
  }
  const Tensor spatial = add_op("Slice", {shape, ops::ints(graph, {2}), ops::ints(graph, {x.rank()})});
  const Tensor spread = add_op("Mul", {spatial, ops::ints(graph, strides)});
  const Tensor moved = add_op("Add", {spread, ops::ints(graph, offsets)});
  return add_op("Concat", {batch, channels, moved}, {{"axis", 0}});
}

// The gradient of a convolution by its input; where the result is longer than what the filters reach, zeros follow.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Tensor& w = ctx.in(1);
  const int spatial = x.rank() - 2;
  const Sizes strides = ops::per_axis(ctx, "strides", spatial, 1);
  const std::int64_t groups = ctx.integer("group");
  std::vector<std::int64_t> pads, pads_after, zeros;
  std::vector<Dim> reached;
  for (const Axis& axis : axes_of(ctx, x.shape(), w.shape())) {
    const std::int64_t missing = need_number(axis.output - (axis.full - axis.before), x);
    pads.push_back(need_number(axis.before, x));
    pads_after.push_back(std::max<std::int64_t>(0, -missing));
    zeros.push_back(std::max<std::int64_t>(0, missing));
    reached.push_back(axis.output - Dim(zeros.back()));
  }
  pads.insert(pads.end(), pads_after.begin(), pads_after.end());
  const Tensor target = target_shape(x, w.shape()[1].value() * groups, reached, strides);
  Tensor y = add_op("ConvInputGrad", {x, w, target},
                    {{"strides", strides},
                     {"dilations", ops::per_axis(ctx, "dilations", spatial, 1)},
                     {"group", groups},
                     {"pads", pads}});
  if (std::any_of(zeros.begin(), zeros.end(), [](std::int64_t count) { return count > 0; })) {
    Sizes all(static_cast<std::size_t>(x.rank()) + 2, 0);
    all.insert(all.end(), zeros.begin(), zeros.end());
    y = add_op("Pad", {y, ops::ints(ctx.graph(), all)});
  }
  ctx.output(ctx.has(2) ? y + ops::along_channels(ctx.in(2), x.rank()) : y);
}

std::vector<AttrSpec> attributes() {
  auto attributes = ops::convolution_attributes();
  for (AttrSpec& spec : attributes) {
    if (spec.name == "pads") {
      spec.words = {
          "elements to cut off at the beginnings of all spatial axes, then at their ends: the padding of the "
          "convolution that this op reverses",
          "сколько элементов отрезать в начале всех пространственных осей, затем в конце: дополнение той "
          "свёртки, которую операция обращает"};
    }
    if (spec.name == "auto_pad") {
      spec.words = {
          "NOTSET uses `pads`; SAME gives a result of size · stride, an odd element is cut off at the end "
          "(UPPER) or beginning (LOWER); VALID cuts nothing off",
          "NOTSET использует `pads`; SAME даёт результат размера размер · шаг, лишний элемент отрезается в "
          "конце (UPPER) или в начале (LOWER); VALID ничего не отрезает"};
    }
  }
  attributes.push_back({.name = "output_padding",
                        .kind = AttrKind::integers,
                        .fallback = Sizes{},
                        .least = 0,
                        .words = {"elements to add at the end of each spatial axis of the result, to choose among the "
                                  "sizes that one convolution maps to the same size; empty is none",
                                  "сколько элементов добавить в конце каждой оси результата: выбор среди размеров, "
                                  "которые свёртка переводит в один и тот же; пусто — нисколько"}});
  attributes.push_back({.name = "output_shape",
                        .kind = AttrKind::integers,
                        .fallback = Sizes{},
                        .least = 1,
                        .words = {"the spatial lengths of the result, from which the pads follow; `pads` is then not "
                                  "used. Empty computes them",
                                  "пространственные длины результата, из которых следует дополнение; `pads` тогда не "
                                  "используется. Пусто — они вычисляются"}});
  return attributes;
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 2}, {1, 10})), in_exact(Array::of<double>({1, 1, 3}, {1, 2, 3})),
                  in_exact(Array::of<double>({1}, {100}))},
       .attrs = {{"strides", Sizes{2}}, {"output_padding", Sizes{1}}},
       .expected = {Array::of<double>({1, 1, 6}, {101, 102, 113, 120, 130, 100})}},
      {.name = "exact_cut",
       .inputs = {in_exact(Array::of<double>({1, 1, 2, 2}, {1, 2, 3, 4})),
                  in_exact(Array::of<double>({1, 1, 2, 2}, {1, 10, 100, 1000}))},
       .attrs = {{"pads", Sizes{1, 1, 0, 0}}},
       .expected = {Array::of<double>({1, 1, 2, 2}, {1234, 2040, 3400, 4000})}},
      {.name = "one_axis", .inputs = {in({2, 3, 4}), in({3, 2, 2}), in({2})}},
      {.name = "two_axes",
       .inputs = {in({1, 2, 2, 3}), in({2, 1, 3, 2})},
       .attrs = {{"strides", Sizes{2, 1}}, {"pads", Sizes{1, 0, 0, 1}}, {"output_padding", Sizes{1, 0}}}},
      {.name = "three_axes",
       .inputs = {in({1, 1, 2, 1, 2}), in({1, 2, 1, 2, 2}), in({2})},
       .attrs = {{"strides", Sizes{1, 1, 2}}}},
      {.name = "no_pictures", .inputs = {in({0, 2, 3}), in({2, 1, 2})}, .gradient = false},
  };
  const std::vector<ops::AttrValues> values = {
      {"strides", {Sizes{}, Sizes{2}}},
      {"pads", {Sizes{}, Sizes{1, 0}}},
      {"dilations", {Sizes{}, Sizes{2}}},
      {"group", {1, 2}},
      {"auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
      {"kernel_shape", {Sizes{}, Sizes{2}}},
      {"output_padding", {Sizes{}, Sizes{1}}},
      {"output_shape", {Sizes{}, Sizes{5}}},
  };
  for (const Attrs& attrs : ops::all_pairs(values, ops::no_pads_beside_auto_pad)) {
    samples.push_back(
        {.name = "pairs_" + std::to_string(samples.size()), .inputs = {in({1, 2, 3}), in({2, 1, 2})}, .attrs = attrs});
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  std::vector<BadSample> samples = ops::refused_attributes({in({1, 1, 3}), in({1, 1, 2})});
  samples.push_back({.name = "other_channels",
                     .inputs = {in({1, 3, 5}), in({2, 2, 2})},
                     .code = ErrorCode::bad_shape,
                     .contains = "an input of 3 channels, weights for 2 channels in 1 group"});
  samples.push_back({.name = "all_cut_off",
                     .inputs = {in({1, 1, 2}), in({1, 1, 2})},
                     .attrs = {{"pads", Sizes{2, 1}}},
                     .code = ErrorCode::bad_shape,
                     .contains = "pads that leave 0 elements of 3"});
  samples.push_back({.name = "bias_for_inputs",
                     .inputs = {in({1, 2, 3}), in({2, 3, 2}), in({2})},
                     .code = ErrorCode::bad_shape,
                     .contains = "each of the 3 output channels"});
  samples.push_back({.name = "no_spatial_axis",
                     .inputs = {in({2, 3}), in({3, 2})},
                     .code = ErrorCode::bad_shape,
                     .contains = "[channels, outputs / group, …]"});
  return samples;
}

Cost cost(const CostContext& ctx) { return ops::convolution_cost(ctx, ctx.inputs()[1], ctx.inputs()[0]); }

}  // namespace

OpCard card_conv_transpose() {
  return {
      .name = "ConvTranspose",
      .category = Category::convolution,
      .inputs = {{.name = "x",
                  .words = {"a tensor [batch, channels, …] with one to three spatial axes",
                            "тензор [пакет, каналы, …] с одной–тремя пространственными осями"}},
                 {.name = "w",
                  .words = {"what each input channel draws into each output channel, [channels, outputs / group, …]",
                            "что каждый входной канал рисует в каждом выходном, [каналы, выходы / group, …]"}},
                 {.name = "b",
                  .kind = PortKind::optional,
                  .words = {"one number to add to each output channel", "слагаемое для каждого канала выхода"}}},
      .outputs = {{.name = "y",
                   .words = {"the larger tensor, [batch, outputs, …]", "увеличенный тензор, [пакет, выходы, …]"}}},
      .attributes = attributes(),
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = cost,
      .onnx = {{.op = "ConvTranspose", .since = 11}},
      .torch = "torch.nn.functional.conv_transpose2d",
      .tolerance = ops::kConvolutionTolerance,
      .words =
          {.what =
               {"Every input element draws a copy of the filter, multiplied by its own value, into the result; the "
                "copies stand a stride apart and are summed where they overlap. It changes sizes the other way from a "
                "convolution with the same attributes, and as a matrix it is the transpose of that convolution, not "
                "its inverse.",
                "Каждый элемент входа рисует в результате копию фильтра, умноженную на своё значение; копии стоят "
                "через шаг друг от друга и складываются там, где перекрываются. Размеры она меняет в сторону, обратную "
                "свёртке с теми же атрибутами, и её матрица — транспонированная, а не обратная матрица той свёртки."},
           .formula = R"(y_{n o i} = b_o + \sum_{c} \sum_{p s + t d - q = i} w_{c o t} \, x_{n c p})",
           .why = {"The decoder of U-Net, segmentation networks and the generator of DCGAN must turn a small map of "
                   "features back into a large picture. This op learns how to enlarge instead of using a fixed "
                   "interpolation; kernel sizes that the stride divides avoid chequered patterns.",
                   "Декодеру U-Net, сетям сегментации и генератору DCGAN нужно превратить маленькую карту признаков "
                   "обратно в большое изображение. Эта операция учится увеличивать, а не пользуется готовой "
                   "интерполяцией; размер ядра, кратный шагу, избавляет от шахматных узоров."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
