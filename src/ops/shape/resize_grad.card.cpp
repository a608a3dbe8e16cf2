#include "asg/graph/graph.h"
#include "ops/shape/resize_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// What the Resize was told; where that was a size that only a symbol names, the gradient has it.
std::vector<ops::ResizedAxis> axes_of(const AttrReader& attributes, const Shape& grad, const Shape& x) {
  ops::ResizeOperands operands;
  operands.roi = attributes.attr("roi").as_reals();
  const auto& scales = attributes.attr("scales").as_reals();
  const auto& sizes = attributes.integers("sizes");
  if (!scales.empty() && !sizes.empty()) {
    fail(ErrorCode::bad_attribute, "both scales and sizes", "one of them, or none");
  }
  if (!scales.empty()) operands.scales = scales;
  if (!sizes.empty()) operands.sizes = std::vector<Dim>(sizes.begin(), sizes.end());
  if (scales.empty() && sizes.empty()) {
    operands.sizes.emplace();
    for (int axis : ops::resize_axes(attributes, x.rank())) operands.sizes->push_back(grad[axis]);
  }
  auto axes = ops::resized_axes(attributes, x, operands, [] { return Dim(-1); });
  // A length that scales give to a symbol.
  for (ops::ResizedAxis& axis : axes) {
    if (axis.output == Dim(-1)) axis.output = grad[axis.axis];
  }
  return axes;
}

void infer(InferContext& ctx) {
  const Shape x(ctx.need_known(1));
  const Shape& grad = ctx.shape(0);
  if (grad.rank() == x.rank()) {
    ops::check_gradient_shape(grad, ops::resized_shape(x, axes_of(ctx, grad, x)), "Resize");
  } else {
    ops::check_gradient_shape(grad, x, "Resize");
  }
  ctx.output({ctx.dtype(0), x});
}

void kernel(KernelContext& ctx) {
  const Shape x = Shape::of(ctx.out().sizes());
  const auto axes = axes_of(ctx, Shape::of(ctx.in(0).sizes()), x);
  ops::apply_transposed_maps(ctx, ops::resize_maps(ctx, x, axes));
}

void body(BodyContext& ctx) {
  const Tensor& grad = ctx.in(0);
  const Shape x(*ctx.graph().info(ctx.in(1).value()).known);
  const auto axes = axes_of(ctx, grad.shape(), x);
  for (const ops::ResizedAxis& axis : axes) {
    if (x[axis.axis].is_known() && axis.output.is_known()) continue;
    fail(ErrorCode::not_expandable, "the gradient of a Resize of " + x.to_string() + " to " + grad.shape().to_string(),
         "lengths that are known on each resized axis");
  }
  ctx.output(ops::transposed_maps(grad, ops::resize_maps(ctx, x, axes)));
}

// The linear part of the Resize itself.
void gradient(GradientContext& ctx) {
  Graph& graph = ctx.graph();
  const auto& roi = ctx.attr("roi").as_reals();
  const auto& scales = ctx.attr("scales").as_reals();
  const auto& sizes = ctx.integers("sizes");
  Attrs attrs = ctx.attrs();
  for (const char* operand : {"roi", "scales", "sizes"}) attrs.erase(operand);
  std::vector<Tensor> inputs = {ctx.grad(), {}, {}, {}};
  if (!roi.empty()) inputs[1] = graph.constant(ops::reals(roi));
  if (!scales.empty()) inputs[2] = graph.constant(ops::reals(scales));
  if (!sizes.empty()) inputs[3] = ops::ints(graph, sizes);
  if (scales.empty() && sizes.empty()) {
    const auto axes = ops::resize_axes(ctx, ctx.in(0).rank());
    const Tensor shape = ops::shape_of(ctx.in(0));
    inputs[3] = add_op("Gather", {shape, ops::ints(graph, Sizes(axes.begin(), axes.end()))});
  }
  ctx.set(0, add_op("Resize", inputs, attrs));
}

std::vector<AttrSpec> attributes() {
  auto attributes = ops::resize_attributes();
  attributes.push_back({.name = "roi",
                        .kind = AttrKind::reals,
                        .fallback = std::vector<double>{},
                        .words = {"the region of interest of the Resize", "область интереса операции Resize"}});
  attributes.push_back({.name = "scales",
                        .kind = AttrKind::reals,
                        .fallback = std::vector<double>{},
                        .words = {"its scales, where it was told those", "её масштабы, если были заданы они"}});
  attributes.push_back(
      {.name = "sizes",
       .kind = AttrKind::integers,
       .fallback = Sizes{},
       .words = {"its sizes, where it was told those; the gradient has them where both are empty",
                 "её размеры, если были заданы они; когда пусто и то и другое, их сообщает градиент"}});
  return attributes;
}

Sample sample_of(const OpCard& card, const ops::ResizeCase& row) {
  Sample sample{.name = row.name, .inputs = {}, .attrs = row.attrs};
  sample.attrs.erase("extrapolation_value");
  if (!row.roi.empty()) sample.attrs.set("roi", row.roi);
  if (!row.scales.empty()) sample.attrs.set("scales", row.scales);
  if (!row.sizes.empty()) sample.attrs.set("sizes", row.sizes);
  const Shape x = {2, 3, 5};
  const auto axes = axes_of(AttrReader(card, sample.attrs), x, x);
  sample.inputs = {in(ops::resized_shape(x, axes).sizes()), in_ints({3}, x.sizes())};
  return sample;
}

}  // namespace

OpCard card_resize_grad() {
  OpCard card{
      .name = "ResizeGrad",
      .category = Category::shape,
      .inputs = ops::mapped_gradient_inputs(),
      .outputs = ops::mapped_gradient_outputs(),
      .attributes = attributes(),
      .traits = {.gradient_only = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_input(8),
      .words =
          {.what = {"Gives every element of a Resize's input the sum of the gradients of all output positions that it "
                    "had a part in, each times the weight of that part. It is the Resize as a matrix, transposed.",
                    "Даёт каждому элементу входа Resize сумму градиентов всех позиций выхода, в которых он участвовал, "
                    "с весами этого участия. Это Resize как матрица, но транспонированная."},
           .formula = R"(y_i = \sum_{p} k(s(p) - i) \, g_p)",
           .why =
               {"Detectors with a feature pyramid and U-Nets that enlarge maps by interpolation learn through it. "
                "Since both ops are linear, the gradient of this one is the Resize again, and higher orders follow.",
                "Через неё обучаются детекторы с пирамидой признаков и сети U-Net, увеличивающие карты интерполяцией. "
                "Обе операции линейны, поэтому её градиент — снова Resize, а отсюда и высшие порядки."}},
      .samples = {{.name = "exact",
                   .inputs = {in_exact(Array::of<double>({1, 4}, {8, 4, 4, 8})), in_ints({2}, {1, 2})},
                   .attrs = {{"mode", "linear"}},
                   .expected = {Array::of<double>({1, 2}, {12, 12})}},
                  {.name = "sizes_of_the_gradient",
                   .inputs = {in({2, 3, 7}), in_ints({3}, {2, 3, 5})},
                   .attrs = {{"mode", "cubic"}, {"axes", Sizes{2}}}},
                  {.name = "no_pictures", .inputs = {in({0, 2, 6}), in_ints({3}, {0, 2, 3})}, .gradient = false}},
      .bad_samples = {{.name = "other_shape",
                       .inputs = {in({2, 4}), in_ints({2}, {2, 3})},
                       .attrs = {{"scales", std::vector<double>{1, 2}}},
                       .code = ErrorCode::bad_shape,
                       .contains = "for a result of Resize of shape [2, 6]"},
                      {.name = "scales_and_sizes",
                       .inputs = {in({2, 6}), in_ints({2}, {2, 3})},
                       .attrs = {{"scales", std::vector<double>{1, 2}}, {"sizes", Sizes{2, 6}}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "both scales and sizes"},
                      {.name = "no_region",
                       .inputs = {in({2, 6}), in_ints({2}, {2, 3})},
                       .attrs = {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
                       .code = ErrorCode::bad_shape,
                       .contains = "0 numbers of 'roi'"},
                      {.name = "other_rank",
                       .inputs = {in({6}), in_ints({2}, {2, 3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "the shape of that result"}},
  };
  for (const ops::ResizeCase& row : ops::resize_cases()) card.samples.push_back(sample_of(card, row));
  return card;
}

}  // namespace asg::cards
