#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/indexing/pick_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::check_element_indices(ctx.shape(0), ctx.shape(1), normalize_axis(ctx.integer("axis"), ctx.shape(0).rank()));
  ctx.output({ctx.dtype(0), ctx.shape(1)});
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const Array& indices = ctx.in(1);
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  ops::dispatch_any(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    ops::for_each_element_index(indices, x.sizes(), axis, "GatherElements",
                                [&](std::int64_t position, std::int64_t offset) { to[position] = from[offset]; });
  });
}

// Whether one element is picked from each lane along the axis, so that its gradient is a comparison with positions.
bool picks_one(const Shape& x, const Shape& indices, int axis) {
  if (!x[axis].is_known() || indices[axis] != Dim(1)) return false;
  for (int k = 0; k < x.rank(); ++k) {
    if (k != axis && x[k] != indices[k]) return false;
  }
  return true;
}

// The gradient where the element stands that was picked, else 0: element by element, so it needs no memory of its own.
Tensor at_picked(const Tensor& grad, const Tensor& indices, int rank, int axis, std::int64_t length) {
  Graph& graph = grad.graph();
  Sizes lane(static_cast<std::size_t>(rank), 1);
  lane[static_cast<std::size_t>(axis)] = length;
  Array numbers(DType::i64, lane);
  for (std::int64_t k = 0; k < length; ++k) numbers.set_i64(k, k);
  Tensor places = indices;
  if (places.dtype() != DType::i64) places = add_op("Cast", {places}, {{"to", DType::i64}});
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor from_end = places + graph.constant(Array::scalar_i64(length));
  const Tensor wrapped = ops::choose(add_op("Less", {places, zero}), from_end, places);
  const Tensor is_picked = add_op("Equal", {graph.constant(numbers), wrapped});
  return ops::choose(is_picked, grad, ops::scalar_like(grad, 0));
}

void gradient(GradientContext& ctx) {
  const Shape& x = ctx.in(0).shape();
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  if (picks_one(x, ctx.in(1).shape(), axis)) {
    return ctx.set(0, at_picked(ctx.grad(), ctx.in(1), x.rank(), axis, x[axis].value()));
  }
  ctx.set(0, add_op("ScatterElements", {ops::zeros_like(ctx.in(0)), ctx.in(1), ctx.grad()},
                    {{"axis", ctx.integer("axis")}, {"reduction", "add"}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "rows", .inputs = {in({3, 2}), in_ints({4, 2}, {0, 2, 2, -1, 1, 0, 0, 0})}},
      {.name = "columns", .inputs = {in({2, 4}), in_ints({2, 3}, {3, 0, 0, -1, 2, 1})}, .attrs = {{"axis", 1}}},
      {.name = "rank_3",
       .inputs = {in({2, 3, 4}), in_ints({2, 5, 1}, {0, 1, 2, 2, -1, 1, 1, 0, 0, -3})},
       .attrs = {{"axis", -2}}},
      {.name = "one_of_each_row", .inputs = {in({3, 4}), in_ints({3, 1}, {2, -1, 0})}, .attrs = {{"axis", 1}}},
      {.name = "shorter", .inputs = {in({3, 4}), in_ints({2, 2}, {2, 1, 0, 1})}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 2, 3, 4})), in_ints({2, 2}, {0, 0, 1, 0})},
       .attrs = {{"axis", 1}},
       .expected = {Array::of<double>({2, 2}, {1, 1, 4, 3})}},
      {.name = "no_indices", .inputs = {in({3, 4}), in_ints({0, 4}, {})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_rank",
       .inputs = {in({3, 4}), in_ints({2}, {0, 1})},
       .code = ErrorCode::bad_shape,
       .contains = "the same rank"},
      {.name = "too_long",
       .inputs = {in({3, 2}), in_ints({1, 3}, {0, 0, 0})},
       .code = ErrorCode::bad_shape,
       .contains = "at most"},
      {.name = "index_too_large",
       .inputs = {in({2, 3}), in_ints({1, 1}, {2})},
       .code = ErrorCode::computation_error,
       .contains = "an index from -2 to 1"},
  };
}

}  // namespace

OpCard card_gather_elements() {
  return {
      .name = "GatherElements",
      .category = Category::indexing,
      .inputs = {ops::picked_from(),
                 {.name = "indices",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"a position on the axis for each element of the result; as many axes as x",
                            "позиция на оси для каждого элемента результата; осей столько же, сколько у x"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"one element of x per index", "по элементу x на индекс"}}},
      .attributes = {ops::index_axis()},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "GatherElements", .since = 11}},
      .torch = "torch.gather",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Picks single elements: each index says how far to go along one axis, while on the other axes the "
                    "element's own place is kept. So every row can pick another column, which Gather cannot do.",
                    "Выбирает отдельные элементы: каждый индекс говорит, как далеко идти вдоль одной оси, а по другим "
                    "осям сохраняется собственное место элемента. Так каждая строка может выбрать свой столбец, чего "
                    "Gather не умеет."},
           .formula = R"(y_{b j a} = x_{b \, I_{b j a} \, a})",
           .why = {"Cross-entropy reads off the log-probability of the right class in each row of a batch with it, and "
                   "Q-learning the value of the action that was taken. Neither needs a one-hot mask.",
                   "С её помощью перекрёстная энтропия берёт логарифм вероятности верного класса в каждой строке "
                   "пакета, а Q-обучение — ценность выбранного действия. Строить one-hot-маску при этом не нужно."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
