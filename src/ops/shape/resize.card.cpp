#include <algorithm>

#include "asg/graph/graph.h"
#include "asg/graph/input_values.h"
#include "ops/shape/resize_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr int kRoi = 1;
constexpr int kScales = 2;
constexpr int kSizes = 3;

std::vector<double> reals_of(const Array& array) {
  std::vector<double> numbers;
  for (std::int64_t k = 0; k < array.count(); ++k) numbers.push_back(array.get(k));
  return numbers;
}

// Files of ONNX often hold an empty tensor where an operand is absent.
bool is_given(const InferContext& ctx, int index) { return ctx.has(index) && ctx.shape(index) != Shape{0}; }

void check_vector(const InferContext& ctx, int index, std::string_view what) {
  if (!ctx.has(index) || ctx.shape(index).rank() == 1) return;
  fail(ErrorCode::bad_shape, std::string(what) + " of shape " + ctx.shape(index).to_string(), "a vector");
}

// The contents of a vector of floats; zeros where they are not known, since no length depends on them.
std::vector<double> roi_of(const InferContext& ctx) {
  if (const Array* value = InputValues::at(kRoi)) return reals_of(*value);
  return std::vector<double>(static_cast<std::size_t>(ctx.shape(kRoi)[0].known().value_or(0)), 0);
}

void infer(InferContext& ctx) {
  check_vector(ctx, kRoi, "a region of interest");
  check_vector(ctx, kScales, "scales");
  if (is_given(ctx, kScales) == is_given(ctx, kSizes)) {
    fail(ErrorCode::bad_shape, is_given(ctx, kScales) ? "both scales and sizes" : "neither scales nor sizes",
         "one of them");
  }
  ops::ResizeOperands operands;
  if (is_given(ctx, kRoi)) operands.roi = roi_of(ctx);
  if (is_given(ctx, kSizes)) operands.sizes = ctx.need_known(kSizes);
  if (is_given(ctx, kScales) && InputValues::at(kScales) != nullptr)
    operands.scales = reals_of(*InputValues::at(kScales));
  const Shape& x = ctx.shape(0);
  const auto axes = ops::resized_axes(ctx, x, operands, [&] { return ctx.fresh_symbol(); });
  ctx.output({ctx.dtype(0), ops::resized_shape(x, axes)});
}

// Positions without taps look outside the input.
void fill_outside(const ops::AxisMap& map, double value, Array& y) {
  const auto lanes = ops::lanes_of(y.sizes(), map.axis);
  double* to = y.mutable_data<double>().data();
  for (std::int64_t before = 0; before < lanes.before_count; ++before) {
    for (std::int64_t position = 0; position < lanes.length; ++position) {
      if (!map.taps[static_cast<std::size_t>(position)].empty()) continue;
      std::fill_n(to + (before * lanes.length + position) * lanes.after_count, lanes.after_count, value);
    }
  }
}

void kernel(KernelContext& ctx) {
  ops::ResizeOperands operands;
  if (ctx.has(kRoi)) operands.roi = reals_of(ctx.in(kRoi));
  if (ctx.has(kScales) && ctx.in(kScales).count() > 0) {
    operands.scales = reals_of(ctx.in(kScales));
  } else {
    const auto sizes = ops::ints_of(ctx.in(kSizes));
    operands.sizes = std::vector<Dim>(sizes.begin(), sizes.end());
  }
  const Shape x = Shape::of(ctx.in(0).sizes());
  const auto axes = ops::resized_axes(ctx, x, operands, [] { return Dim(0); });
  const auto maps = ops::resize_maps(ctx, x, axes);
  ops::apply_maps(ctx, maps);
  for (const ops::AxisMap& map : maps) fill_outside(map, ctx.real("extrapolation_value"), ctx.out());
}

// The numbers of an operand that is a constant of the graph.
std::vector<double> constant_reals(const Tensor& operand) {
  const Node& node = operand.graph().node(operand.node());
  const Attr* value = node.op->name == "Constant" ? node.attrs.find("value") : nullptr;
  if (value == nullptr) {
    fail(ErrorCode::no_gradient, "a Resize whose scales or region of interest are computed while running",
         "constants: the gradient is built with their numbers", "give sizes instead of scales");
  }
  return reals_of(value->as_tensor());
}

bool is_given(const GradientContext& ctx, int index) { return ctx.has(index) && ctx.in(index).shape() != Shape{0}; }

// Where the sizes are no plain numbers, the gradient's own shape tells them.
void gradient(GradientContext& ctx) {
  Attrs attrs = ctx.attrs();
  attrs.erase("extrapolation_value");
  if (is_given(ctx, kRoi)) attrs.set("roi", constant_reals(ctx.in(kRoi)));
  if (is_given(ctx, kScales)) {
    attrs.set("scales", constant_reals(ctx.in(kScales)));
  } else if (const Shape sizes(*ctx.graph().info(ctx.in(kSizes).value()).known); sizes.is_known()) {
    attrs.set("sizes", sizes.sizes());
  }
  const Tensor grad = ctx.grad();
  ctx.set(0, add_op("ResizeGrad", {grad, ops::shape_of(ctx.in(0))}, attrs));
}

std::vector<AttrSpec> attributes() {
  auto attributes = ops::resize_attributes();
  attributes.push_back({.name = "extrapolation_value",
                        .kind = AttrKind::real,
                        .fallback = 0.0,
                        .words = {"the result where tf_crop_and_resize looks outside the input",
                                  "результат там, где tf_crop_and_resize смотрит за пределы входа"}});
  return attributes;
}

std::vector<SampleInput> operands(SampleInput x, const std::vector<double>& roi, const std::vector<double>& scales,
                                  const std::vector<std::int64_t>& sizes) {
  std::vector<SampleInput> inputs = {std::move(x)};
  inputs.push_back(roi.empty() ? absent() : in_exact(ops::reals(roi)));
  inputs.push_back(scales.empty() ? absent() : in_exact(ops::reals(scales)));
  if (!sizes.empty()) inputs.push_back(in_ints({static_cast<std::int64_t>(sizes.size())}, sizes));
  return inputs;
}

std::vector<Sample> samples() {
  const SampleInput square = in_exact(Array::of<double>({1, 1, 2, 2}, {1, 2, 3, 4}));
  std::vector<Sample> samples = {
      {.name = "exact_nearest",
       .inputs = operands(square, {}, {1, 1, 2, 3}, {}),
       .expected = {Array::of<double>({1, 1, 4, 6},
                                      {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4})}},
      {.name = "exact_linear",
       .inputs = operands(square, {}, {}, {1, 1, 2, 4}),
       .attrs = {{"mode", "linear"}},
       .expected = {Array::of<double>({1, 1, 2, 4}, {1, 1.25, 1.75, 2, 3, 3.25, 3.75, 4})}},
      {.name = "exact_cubic",
       .inputs = operands(in_exact(Array::of<double>({1, 4}, {1, 2, 3, 4})), {}, {1, 2}, {}),
       .attrs = {{"mode", "cubic"}},
       .expected = {Array::of<double>(
           {1, 8}, {0.89453125, 1.19140625, 1.66796875, 2.296875, 2.703125, 3.33203125, 3.80859375, 4.10546875})}},
      {.name = "region_outside_the_input",
       .inputs = operands(in_exact(Array::of<double>({4}, {1, 2, 3, 4})), {-1 / 3.0, 1}, {}, {3}),
       .attrs = {{"mode", "linear"},
                 {"coordinate_transformation_mode", "tf_crop_and_resize"},
                 {"extrapolation_value", 10.0}},
       .expected = {Array::of<double>({3}, {10, 2, 4})}},
      {.name = "empty_operands_are_absent",
       .inputs = {in({2, 3}), in_exact(ops::reals({})), in_exact(ops::reals({})), in_ints({2}, {3, 2})}},
      {.name = "extremes",
       .inputs = operands(in_exact(Array::of<double>({4}, {ops::kInfinity, 1, 2, ops::kNan})), {}, {}, {4}),
       .gradient = false,
       .expected = {Array::of<double>({4}, {ops::kInfinity, 1, 2, ops::kNan})}},
      {.name = "no_pictures", .inputs = operands(in({0, 2, 3}), {}, {1, 1, 2}, {}), .gradient = false},
  };
  for (const ops::ResizeCase& row : ops::resize_cases()) {
    samples.push_back(
        {.name = row.name, .inputs = operands(in({2, 3, 5}), row.roi, row.scales, row.sizes), .attrs = row.attrs});
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "neither_scales_nor_sizes",
       .inputs = {in({2, 3})},
       .code = ErrorCode::bad_shape,
       .contains = "neither scales nor sizes"},
      {.name = "scales_and_sizes",
       .inputs = operands(in({2, 3}), {}, {1, 2}, {2, 6}),
       .code = ErrorCode::bad_shape,
       .contains = "both scales and sizes"},
      {.name = "one_scale_for_two_axes",
       .inputs = operands(in({2, 3}), {}, {2}, {}),
       .code = ErrorCode::bad_shape,
       .contains = "1 scales for 2 axes"},
      {.name = "scale_zero",
       .inputs = operands(in({2, 3}), {}, {1, 0}, {}),
       .code = ErrorCode::bad_shape,
       .contains = "scales above 0"},
      {.name = "no_region",
       .inputs = operands(in({2, 3}), {}, {1, 2}, {}),
       .attrs = {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
       .code = ErrorCode::bad_shape,
       .contains = "0 numbers of 'roi' for 4 axes"},
      {.name = "nothing_to_enlarge",
       .inputs = operands(in({2, 0}), {}, {}, {2, 3}),
       .code = ErrorCode::bad_shape,
       .contains = "at least one element"},
  };
}

Port floats(std::string_view name, std::string_view letter, Words words) {
  return {.name = name, .type = letter, .kind = PortKind::optional, .words = words, .differentiable = false};
}

}  // namespace

OpCard card_resize() {
  return {
      .name = "Resize",
      .category = Category::shape,
      .inputs =
          {{.name = "x", .words = {"a tensor of any rank", "тензор любого ранга"}},
           floats(
               "roi", "R",
               {"the region that tf_crop_and_resize looks at: where it begins on each axis, then where it ends, as "
                "fractions of the axis",
                "область для tf_crop_and_resize: где она начинается на каждой оси, затем где кончается, в долях оси"}),
           floats("scales", "S",
                  {"how much longer each axis becomes; sizes are then rounded down",
                   "во сколько раз удлиняется каждая ось; размеры тогда округляются вниз"}),
           {.name = "sizes",
            .dtypes = kInt64,
            .type = "",
            .kind = PortKind::optional,
            .words = {"the new length of each axis, instead of scales", "новая длина каждой оси вместо scales"},
            .differentiable = false}},
      .outputs = {{.name = "y", .words = {"x with other lengths", "x с другими длинами"}}},
      .attributes = attributes(),
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(8),
      .onnx = {{.op = "Resize", .since = 18}},
      .torch = "torch.nn.functional.interpolate",
      .words =
          {.what =
               {"Lengthens or shortens the axes of a tensor by interpolation. Every output position looks at a place "
                "of the input that may lie between elements, and takes the nearest element (the default) or a weighted "
                "mean of the elements around; axis after axis. An axis that keeps its length is left alone.",
                "Удлиняет или укорачивает оси тензора интерполяцией. Каждая позиция выхода смотрит на место входа, "
                "которое может лежать между элементами, и берёт ближайший элемент (по умолчанию) или взвешенное "
                "среднее окружающих; ось за осью. Ось, длина которой не меняется, остаётся как есть."},
           .formula = R"(y_p = \sum_{i} k(s(p) - i) \, x_i, \quad s(p) = \frac{p + \frac{1}{2}}{S} - \frac{1}{2})",
           .why =
               {"Feature pyramids and the decoders of diffusion models enlarge maps of features before joining them "
                "with finer ones, and pictures are brought to the size that a model expects. Frameworks differ in "
                "where they place the centres of pixels; half a pixel of shift costs accuracy, so the choice is an "
                "attribute.",
                "Пирамиды признаков и декодировщики диффузионных моделей увеличивают карты перед соединением с более "
                "подробными, а изображения приводят к размеру, которого ждёт модель. Библиотеки по-разному располагают "
                "центры пикселей; сдвиг на полпикселя стоит точности, поэтому выбор задаётся атрибутом."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
