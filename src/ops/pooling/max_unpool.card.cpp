#include <string>

#include "asg/graph/graph.h"
#include "ops/pooling/pool_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

// The length of an axis that a pool would have made this short: as of a transposed convolution.
Shape unpooled(const AttrReader& attributes, const Shape& x) {
  ops::check_pool_input(x);
  const int spatial = x.rank() - 2;
  const auto kernel = ops::per_axis(attributes, "kernel_shape", spatial, 1);
  const auto strides = ops::per_axis(attributes, "strides", spatial, 1);
  const auto pads = ops::per_axis(attributes, "pads", spatial, 0);
  std::vector<Dim> dims = {x[0], x[1]};
  for (int axis = 0; axis < spatial; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t cut = pads[at] + pads[at + static_cast<std::size_t>(spatial)];
    dims.push_back(Dim(strides[at]) * (x[axis + 2] - Dim(1)) + Dim(kernel[at] - cut));
  }
  return Shape(std::move(dims));
}

Shape result_shape(const AttrReader& attributes, const Shape& x, const std::vector<Dim>* wanted) {
  const Shape natural = unpooled(attributes, x);
  if (wanted == nullptr) return natural;
  const Shape given(*wanted);
  bool fits = given.rank() == natural.rank() && given[0] == natural[0] && given[1] == natural[1];
  for (int axis = 2; fits && axis < given.rank(); ++axis) {
    const Dim extra = given[axis] - natural[axis];
    fits = !extra.is_known() || extra.value() >= 0;
  }
  if (!fits) {
    fail(ErrorCode::bad_shape,
         "an output_shape of " + given.to_string() + " for a natural one of " + natural.to_string(),
         "the same batch and channels, and spatial lengths that are not smaller");
  }
  return given;
}

void infer(InferContext& ctx) {
  if (ctx.shape(0) != ctx.shape(1)) {
    fail(ErrorCode::bad_shape,
         "values of shape " + ctx.shape(0).to_string() + " and indices of shape " + ctx.shape(1).to_string(),
         "one index for each value");
  }
  if (!ctx.has(2)) return ctx.output({ctx.dtype(0), result_shape(ctx, ctx.shape(0), nullptr)});
  const auto wanted = ctx.need_known(2);
  ctx.output({ctx.dtype(0), result_shape(ctx, ctx.shape(0), &wanted)});
}

// Zeros of the natural shape, in which the indices count, with the values put in; then more zeros at the ends.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& x = ctx.in(0);
  ops::need_spatial_lengths(ctx, x.shape());
  const Shape natural = unpooled(ctx, x.shape());
  Sizes spatial;
  for (int axis = 2; axis < natural.rank(); ++axis) spatial.push_back(natural[axis].value());
  const Tensor outer = add_op("Slice", {add_op("Shape", {x}), ops::ints(graph, {0}), ops::ints(graph, {2})});
  const Tensor target = add_op("Concat", {outer, ops::ints(graph, spatial)}, {{"axis", 0}});
  const auto flat = [&](const Tensor& tensor) { return add_op("Reshape", {tensor, ops::ints(graph, {-1})}); };
  const Tensor zeros = flat(add_op("Expand", {ops::scalar_like(x, 0), target}));
  const Tensor places = flat(ctx.in(1));
  const Tensor values = flat(x);
  const Tensor filled = add_op("ScatterElements", {zeros, places, values}, {{"axis", 0}, {"reduction", "none"}});
  const Tensor y = add_op("Reshape", {filled, target});
  if (!ctx.has(2)) return ctx.output(y);
  const Shape wanted(*graph.info(ctx.in(2).value()).known);
  Sizes pads(2 * static_cast<std::size_t>(x.rank()), 0);
  for (int axis = 2; axis < x.rank(); ++axis) {
    pads[static_cast<std::size_t>(x.rank()) + static_cast<std::size_t>(axis)] = (wanted[axis] - natural[axis]).value();
  }
  ctx.output(add_op("Pad", {y, ops::ints(graph, pads)}));
}

std::vector<AttrSpec> attributes() {
  return {
      {.name = "kernel_shape",
       .kind = AttrKind::integers,
       .least = 1,
       .words = {"the window of the pool that is undone", "окно пулинга, действие которого отменяется"}},
      ops::strides_attribute(),
      ops::pads_attribute({"the padding of that pool", "дополнение этого пулинга"}),
  };
}

std::vector<Sample> samples() {
  const Sizes kernel = {2};
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 2, 2}, {5, 6, 7, 8})), in_ints({1, 2, 2}, {1, 2, 4, 7})},
       .attrs = {{"kernel_shape", kernel}, {"strides", Sizes{2}}},
       .expected = {Array::of<double>({1, 2, 4}, {0, 5, 6, 0, 7, 0, 0, 8})}},
      {.name = "indices_count_in_the_natural_shape",
       .inputs = {in_exact(Array::of<double>({1, 1, 1, 2}, {5, 6})), in_ints({1, 1, 1, 2}, {1, 6}),
                  in_ints({4}, {1, 1, 3, 5})},
       .attrs = {{"kernel_shape", Sizes{2, 2}}, {"strides", Sizes{2, 2}}},
       .expected = {Array::of<double>({1, 1, 3, 5}, {0, 5, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0})}},
      {.name = "padded",
       .inputs = {in({1, 1, 3}), in_ints({1, 1, 3}, {0, 2, 3})},
       .attrs = {{"kernel_shape", kernel}, {"strides", Sizes{2}}, {"pads", Sizes{1, 1}}}},
      {.name = "padded_without_strides",
       .inputs = {in({1, 1, 3}), in_ints({1, 1, 3}, {2, 0, 1})},
       .attrs = {{"kernel_shape", Sizes{3}}, {"pads", Sizes{1, 1}}}},
      {.name = "plain",
       .inputs = {in({1, 2, 2}), in_ints({1, 2, 2}, {0, 2, 5, 4})},
       .attrs = {{"kernel_shape", kernel}}},
      {.name = "three_axes",
       .inputs = {in({1, 1, 1, 1, 2}), in_ints({1, 1, 1, 1, 2}, {3, 12})},
       .attrs = {{"kernel_shape", Sizes{2, 2, 2}}, {"strides", Sizes{2, 2, 2}}}},
      {.name = "different_lengths",
       .inputs = {in({2, 3, 4}), in_ints({2, 3, 4}, {0,  2,  4,  6,  9,  11, 13, 15, 16, 18, 21, 22,
                                                     24, 27, 28, 30, 33, 34, 36, 38, 40, 43, 45, 47})},
       .attrs = {{"kernel_shape", kernel}, {"strides", Sizes{2}}}},
      {.name = "no_pictures",
       .inputs = {in({0, 2, 3}), in_ints({0, 2, 3}, {})},
       .attrs = {{"kernel_shape", kernel}},
       .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  const Attrs attrs = {{"kernel_shape", Sizes{2}}, {"strides", Sizes{2}}};
  return {
      {.name = "fewer_indices",
       .inputs = {in({1, 1, 2}), in_ints({1, 1, 1}, {0})},
       .attrs = attrs,
       .code = ErrorCode::bad_shape,
       .contains = "one index for each value"},
      {.name = "smaller_output",
       .inputs = {in({1, 1, 2}), in_ints({1, 1, 2}, {0, 2}), in_ints({3}, {1, 1, 3})},
       .attrs = attrs,
       .code = ErrorCode::bad_shape,
       .contains = "spatial lengths that are not smaller"},
      {.name = "one_place_twice",
       .inputs = {in({1, 1, 2}), in_ints({1, 1, 2}, {1, 1})},
       .attrs = attrs,
       .code = ErrorCode::computation_error,
       .contains = "two updates of one element"},
  };
}

}  // namespace

OpCard card_max_unpool() {
  return {
      .name = "MaxUnpool",
      .category = Category::pooling,
      .inputs = {{.name = "x",
                  .words = {"the pooled values, [batch, channels, …]", "значения после пулинга, [пакет, каналы, …]"}},
                 {.name = "indices",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"where each stood before the pool, counted by rows; none twice",
                            "где каждое стояло до пулинга при нумерации по строкам; без повторов"},
                  .differentiable = false},
                 {.name = "output_shape",
                  .dtypes = kInt64,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"the whole shape of the result; more zeros follow at the ends where it is larger, but the "
                            "indices count in the shape without them",
                            "полная форма результата; если она больше, в конце добавляются нули, но индексы "
                            "отсчитываются в форме без них"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .words = {"the values at their old places, zeros elsewhere",
                             "значения на прежних местах, в остальных нули"}}},
      .attributes = attributes(),
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(1),
      .onnx = {{.op = "MaxUnpool", .since = 11}},
      .torch = "torch.nn.functional.max_unpool2d",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Undoes a MaxPool as far as that is possible: each value returns to the place where the pool found "
                    "it, and what the pool threw away becomes zero. An index that occurs twice, as overlapping windows "
                    "give it, is an error.",
                    "Отменяет MaxPool, насколько это возможно: каждое значение возвращается туда, где пулинг его "
                    "нашёл, а всё отброшенное становится нулём. Индекс, встретившийся дважды, как бывает при "
                    "перекрытии окон, — ошибка."},
           .formula = R"(y_{I_k} = x_k, \quad y_i = 0 \; \text{elsewhere})",
           .why = {"Segmentation networks such as SegNet shrink a picture and then enlarge it again. Remembering where "
                   "the maxima stood keeps the outlines sharp that plain enlarging would blur.",
                   "Сети сегментации, например SegNet, сначала уменьшают изображение, а потом снова увеличивают. "
                   "Запомненные места максимумов сохраняют резкими контуры, которые простое увеличение размыло бы."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
