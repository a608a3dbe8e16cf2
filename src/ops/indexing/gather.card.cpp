#include <algorithm>

#include "asg/graph/card.h"
#include "ops/indexing/pick_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

// Elements of a vector of known contents; nothing where an index is not a number or not in range.
std::optional<std::vector<Dim>> gathered_contents(const std::vector<Dim>& contents, const std::vector<Dim>& indices) {
  const auto size = static_cast<std::int64_t>(contents.size());
  std::vector<Dim> result;
  for (const Dim& index : indices) {
    if (!index.is_known() || index.value() < -size || index.value() >= size) return std::nullopt;
    result.push_back(contents[static_cast<std::size_t>(index.value() + (index.value() < 0 ? size : 0))]);
  }
  return result;
}

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const Shape& indices = ctx.shape(1);
  if (x.rank() == 0) {
    fail(ErrorCode::bad_shape, "a scalar to pick from", "a tensor with at least one axis");
  }
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  std::vector<Dim> dims(x.begin(), x.begin() + axis);
  dims.insert(dims.end(), indices.begin(), indices.end());
  dims.insert(dims.end(), x.begin() + axis + 1, x.end());
  const TensorType type{ctx.dtype(0), Shape(std::move(dims))};
  ctx.output(type);
  const auto known = ctx.known(0);
  const auto known_indices = ctx.known(1);
  if (!known || !known_indices || x.rank() != 1) return;
  if (auto contents = gathered_contents(*known, *known_indices)) ops::set_known(ctx, type, *std::move(contents));
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto lanes = ops::lanes_of(x.sizes(), normalize_axis(ctx.integer("axis"), x.rank()));
  const auto indices = ctx.in(1).data<std::int64_t>();
  ops::dispatch_any(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    for (std::int64_t before = 0; before < lanes.before_count; ++before) {
      const T* lane = from + before * lanes.length * lanes.after_count;
      for (std::int64_t index : indices) {
        const T* row = lane + ops::wrapped_index(index, lanes.length, "Gather") * lanes.after_count;
        to = std::copy_n(row, lanes.after_count, to);
      }
    }
  });
}

void gradient(GradientContext& ctx) {
  ctx.set(0, add_op("GatherGrad", {ctx.grad(), ctx.in(1), ops::shape_of(ctx.in(0))}, {{"axis", ctx.integer("axis")}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "rows", .inputs = {in({4, 3}), in_ints({5}, {0, 3, 3, 1, -1})}},
      {.name = "columns", .inputs = {in({2, 4}), in_ints({3}, {2, 0, -4})}, .attrs = {{"axis", 1}}},
      {.name = "index_matrix", .inputs = {in({5, 4}), in_ints({2, 3}, {0, 1, 4, 4, 2, 0})}},
      {.name = "middle_axis", .inputs = {in({2, 3, 4}), in_ints({5}, {1, 1, 2, 0, 1})}, .attrs = {{"axis", -2}}},
      {.name = "one_index", .inputs = {in({3, 4, 2}), in_ints({}, {-1})}, .attrs = {{"axis", 1}}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({3, 2}, {1, 2, 3, 4, 5, 6})), in_ints({2}, {2, 0})},
       .expected = {Array::of<double>({2, 2}, {5, 6, 1, 2})}},
      {.name = "no_indices", .inputs = {in({3, 4}), in_ints({0}, {})}, .gradient = false},
      {.name = "empty_rows", .inputs = {in({3, 0}), in_ints({2}, {0, 2})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "scalar", .inputs = {in({}), in_ints({}, {0})}, .code = ErrorCode::bad_shape},
      {.name = "no_such_axis",
       .inputs = {in({2, 3}), in_ints({1}, {0})},
       .attrs = {{"axis", 2}},
       .code = ErrorCode::bad_index},
      {.name = "real_indices", .inputs = {in({2, 3}), in({1})}, .code = ErrorCode::bad_dtype, .contains = "indices"},
      {.name = "index_too_large",
       .inputs = {in({2, 3}), in_ints({1}, {2})},
       .code = ErrorCode::computation_error,
       .contains = "an index from -2 to 1"},
      {.name = "index_too_small",
       .inputs = {in({2, 3}), in_ints({1}, {-3})},
       .code = ErrorCode::computation_error,
       .contains = "index -3"},
  };
}

}  // namespace

OpCard card_gather() {
  return {
      .name = "Gather",
      .category = Category::indexing,
      .inputs = {ops::picked_from(),
                 {.name = "indices",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"positions on the axis, of any shape; -1 is the last",
                            "позиции на оси, тензор любой формы; −1 — последняя"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"the picked slices, with the axes of the indices in place of the axis",
                             "выбранные срезы; вместо оси стоят оси индексов"}}},
      .attributes = {ops::index_axis()},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Gather", .since = 1}},
      .torch = "torch.index_select",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Looks up slices of a tensor by their position: index 3 with axis 0 of a matrix gives its fourth "
                    "row. The indices may have any shape and may repeat; that shape takes the place of the axis in the "
                    "result. An index beyond the axis is an error.",
                    "Выбирает срезы тензора по их позиции: индекс 3 по оси 0 матрицы даёт её четвёртую строку. Индексы "
                    "могут иметь любую форму и повторяться; эта форма занимает в результате место оси. Индекс за "
                    "пределами оси — ошибка."},
           .formula = R"(y_{b j a} = x_{b \, I_j \, a})",
           .why =
               {"Embeddings are this op: each word is a number, and the row of that number is its vector. A look-up "
                "needs no arithmetic, whereas the same product with a one-hot matrix would multiply mostly by zeros.",
                "Эмбеддинги устроены именно так: каждое слово — номер, а строка с этим номером — его вектор. Выборка "
                "не требует вычислений, тогда как равносильное умножение на one-hot-матрицу состояло бы почти из одних "
                "нулей."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
