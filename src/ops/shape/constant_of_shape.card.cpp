#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const auto lengths = ctx.need_known(0);
  const Array& value = ctx.attr("value").as_tensor();
  if (value.count() != 1) {
    fail(ErrorCode::bad_attribute, "a value of type " + value.type_string(), "a tensor with one element");
  }
  for (const Dim& length : lengths) {
    if (length.is_known() && length.value() < 0) {
      fail(ErrorCode::bad_shape, "a shape with the length " + length.to_string(), "lengths of at least 0");
    }
  }
  const TensorType type{value.dtype(), Shape(lengths)};
  ctx.output(type);
  const auto count = type.shape.element_count().known();
  if (!is_integer(value.dtype()) || !count || *count > ops::kMostKnown) return;
  ops::set_known(ctx, type, std::vector<Dim>(static_cast<std::size_t>(*count), value.get_i64(0)));
}

void kernel(KernelContext& ctx) {
  const Array value = ctx.attr("value").as_tensor().cast(ctx.out().dtype()).reshaped({});
  ctx.out().assign(value.broadcast_to(ctx.out().sizes()));
}

void body(BodyContext& ctx) {
  const Tensor value = ctx.graph().constant(ctx.attr("value").as_tensor().reshaped({}));
  ctx.output(add_op("Expand", {value, ctx.in(0)}));
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "zeros", .inputs = {in_ints({2}, {2, 3})}, .expected = {Array(DType::f32, {2, 3})}},
      {.name = "scalar", .inputs = {in_ints({0}, {})}, .expected = {Array(DType::f32, {})}},
      {.name = "empty", .inputs = {in_ints({2}, {0, 3})}},
      {.name = "filled",
       .inputs = {in_ints({3}, {1, 2, 1})},
       .attrs = {{"value", Array::of<double>({1}, {2.5})}},
       .expected = {Array::of<double>({1, 2, 1}, {2.5, 2.5})}},
      {.name = "from_a_scalar",
       .inputs = {in_ints({1}, {2})},
       .attrs = {{"value", Array::scalar_i64(7)}},
       .expected = {Array::ints({7, 7})}},
  };
  return samples;
}

}  // namespace

OpCard card_constant_of_shape() {
  return {
      .name = "ConstantOfShape",
      .category = Category::shape,
      .inputs = {{.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the lengths of the result", "длины осей результата"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "",
                   .words = {"the value, as often as the shape asks", "значение, повторённое по всей форме"}}},
      .attributes = {{.name = "value",
                      .kind = AttrKind::tensor,
                      .fallback = Attr(Array::scalar(DType::f32, 0)),
                      .words = {"a tensor with one element, which also gives the type; 0 of f32 by default",
                                "тензор с одним элементом, он же задаёт тип; по умолчанию 0 типа f32"}}},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "the value is fixed, and the shape consists of integers",
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "ConstantOfShape", .since = 9}},
      .torch = "torch.full",
      .tolerance = ops::kExact,
      .words = {.what = {"Makes a tensor of the given shape in which every element is the same number. Unlike a "
                         "Constant it takes the shape as an input, so the size may be computed while the graph runs.",
                         "Создаёт тензор данной формы, все элементы которого — одно и то же число. В отличие от "
                         "Constant форма приходит на вход, поэтому размер может вычисляться при выполнении графа."},
                .formula = R"(y_{i} = v)",
                .why = {"The first state of a recurrent layer is zeros, one row per sequence of the batch, and masks "
                        "start as ones. How many are needed is only known when the batch arrives.",
                        "Начальное состояние рекуррентного слоя — нули, по строке на каждую последовательность пакета, "
                        "а маски сначала заполнены единицами. Сколько их нужно, известно лишь с приходом пакета."}},
      .samples = samples(),
      .bad_samples = {{.name = "negative_length",
                       .inputs = {in_ints({2}, {2, -1})},
                       .code = ErrorCode::bad_shape,
                       .contains = "at least 0"},
                      {.name = "two_values",
                       .inputs = {in_ints({1}, {2})},
                       .attrs = {{"value", Array::ints({1, 2})}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "one element"}},
  };
}

}  // namespace asg::cards
