#include <algorithm>
#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const auto pads = ctx.need_known(1);
  const auto rank = static_cast<std::size_t>(shape.rank());
  if (pads.size() != 2 * rank) {
    fail(ErrorCode::bad_shape,
         std::to_string(pads.size()) + " pads for a tensor of rank " + std::to_string(shape.rank()),
         "two for each axis: all at the beginnings, then all at the ends");
  }
  if (ctx.has(2) && ctx.shape(2).rank() != 0) {
    fail(ErrorCode::bad_shape, "a fill value of shape " + ctx.shape(2).to_string(), "a scalar", "squeeze it first");
  }
  std::vector<Dim> dims;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    dims.push_back(shape[static_cast<int>(axis)] + pads[axis] + pads[rank + axis]);
    if (dims.back().is_known() && dims.back().value() < 0) {
      fail(ErrorCode::bad_shape,
           "pads " + pads[axis].to_string() + " and " + pads[rank + axis].to_string() + " on axis " +
               std::to_string(axis) + " of shape " + shape.to_string(),
           "negative pads that cut off at most the whole axis");
    }
  }
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

// What both have in common: a part of the input that stands somewhere in the output.
void kernel(KernelContext& ctx) {
  const auto pads = ops::ints_of(ctx.in(1));
  Array source = ctx.in(0);
  Array target = ctx.out();
  if (ctx.has(2)) target.assign(ctx.in(2).broadcast_to(target.sizes()));
  for (int axis = 0; axis < source.rank(); ++axis) {
    const auto along = static_cast<std::size_t>(axis);
    const std::int64_t before = pads[along];
    const std::int64_t first = std::max<std::int64_t>(0, -before);
    const std::int64_t past = std::min(source.sizes()[along], target.sizes()[along] - before);
    const std::int64_t count = std::max<std::int64_t>(0, past - first);
    source = source.sliced(axis, first, count, 1);
    target = target.sliced(axis, first + before, count, 1);
  }
  target.assign(source);
}

// A negative pad cuts off what a positive one added, so the gradient is a Pad too. What came from the fill value is
// what did not come from x.
void gradient(GradientContext& ctx) {
  const Tensor dx = add_op("Pad", {ctx.grad(), add_op("Neg", {ctx.in(1)})});
  ctx.set(0, dx);
  if (!ctx.has(2) || !ctx.needs(2)) return;
  const auto sum = [](const Tensor& tensor) { return add_op("ReduceSum", {tensor}, {{"keepdims", false}}); };
  ctx.set(2, sum(ctx.grad()) - sum(dx));
}

std::vector<Sample> samples() {
  return {
      {.name = "vector",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_ints({2}, {1, 2})},
       .expected = {Array::of<double>({5}, {0, 1, 2, 0, 0})}},
      {.name = "filled",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_ints({2}, {0, 1}),
                  in_exact(Array::scalar(DType::f64, 7))},
       .expected = {Array::of<double>({3}, {1, 2, 7})}},
      {.name = "rank_3", .inputs = {in({2, 3, 4}), in_ints({6}, {0, 1, 2, 1, 0, 3}), in({})}},
      {.name = "cut", .inputs = {in({4, 5}), in_ints({4}, {-1, 2, 0, -3})}},
      {.name = "cut_and_filled", .inputs = {in({3, 4}), in_ints({4}, {1, -1, -2, 2}), in({})}},
      {.name = "none", .inputs = {in({2, 3}), in_ints({4}, {0, 0, 0, 0})}},
      {.name = "scalar", .inputs = {in({}), in_ints({0}, {})}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 2}), in_ints({4}, {1, 0, 1, 0}), in({})}, .gradient = false},
      {.name = "cut_to_nothing", .inputs = {in({2, 3}), in_ints({4}, {-1, 0, -1, 0})}, .gradient = false},
      {.name = "nothing_in_common", .inputs = {in({3}), in_ints({2}, {-4, 5})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_few",
       .inputs = {in({2, 3}), in_ints({2}, {1, 1})},
       .code = ErrorCode::bad_shape,
       .contains = "two for each axis"},
      {.name = "cut_too_much", .inputs = {in({2}), in_ints({2}, {-2, -1})}, .code = ErrorCode::bad_shape},
      {.name = "fill_vector",
       .inputs = {in({2}), in_ints({2}, {1, 1}), in({2})},
       .code = ErrorCode::bad_shape,
       .contains = "a scalar"},
  };
}

}  // namespace

OpCard card_pad() {
  return {
      .name = "Pad",
      .category = Category::shape,
      .inputs = {{.name = "x", .dtypes = kAnyType, .words = {"any tensor", "любой тензор"}},
                 {.name = "pads",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"elements to add at the beginning of each axis, then at the end of each; negative ones cut",
                            "сколько добавить в начале каждой оси, затем в конце каждой; отрицательные числа обрезают"},
                  .differentiable = false},
                 {.name = "value",
                  .dtypes = kAnyType,
                  .kind = PortKind::optional,
                  .words = {"what to fill with; 0 without it", "чем заполнять; по умолчанию 0"}}},
      .outputs = {{.name = "y", .dtypes = kAnyType, .words = {"x with a margin around it", "x с полями вокруг него"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Pad", .since = 11}},
      .torch = "torch.nn.functional.pad",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"Adds a margin of one value around a tensor: for each axis so many elements before its first and "
                "so many after its last. Negative numbers cut elements off instead, so padding by the negated "
                "numbers undoes it.",
                "Добавляет вокруг тензора поля из одного значения: для каждой оси столько-то элементов перед первым "
                "и столько-то после последнего. Отрицательные числа, наоборот, обрезают, поэтому Pad с "
                "противоположными числами возвращает исходное."},
           .formula = R"(y_i = \begin{cases} x_{i - b} & 0 \le i - b < n \\ v & \text{otherwise} \end{cases})",
           .why = {"Sequences of different lengths are padded to one length so that they fit into one batch, and "
                   "pictures get a margin so that a convolution can look at their borders.",
                   "Последовательности разной длины дополняют до одной, чтобы они поместились в один пакет, а "
                   "изображениям добавляют поля, чтобы свёртка могла смотреть на их края."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
