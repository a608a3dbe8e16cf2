#include <algorithm>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/operands.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  if (ctx.shape(0).rank() < 2) {
    fail(ErrorCode::bad_shape, "shape " + ctx.shape(0).to_string(), "a matrix or a batch of matrices");
  }
  if (ctx.has(1)) ops::check_one_number(ctx, 1);
  ops::infer_same(ctx);
}

// Keeps the columns from row + k on (upper) or up to row + k (lower); the output is zero already.
void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const std::int64_t columns = x.sizes().back();
  const std::int64_t rows = x.sizes()[x.sizes().size() - 2];
  const bool upper = ctx.boolean("upper");
  // Beyond the matrix every diagonal is alike, and sums of row and k must not overflow.
  const std::int64_t k = ctx.has(1) ? std::clamp(ctx.in(1).get_i64(0), -rows, columns) : 0;
  ops::dispatch_any(x, [&]<class T>() {
    const auto from = x.data<T>();
    const auto to = ctx.out().mutable_data<T>();
    std::int64_t row = 0;
    for (std::int64_t start = 0; start < x.count(); start += columns) {
      const std::int64_t first = upper ? std::clamp<std::int64_t>(row + k, 0, columns) : 0;
      const std::int64_t past = upper ? columns : std::clamp<std::int64_t>(row + k + 1, 0, columns);
      for (std::int64_t column = first; column < past; ++column) {
        to[static_cast<std::size_t>(start + column)] = from[static_cast<std::size_t>(start + column)];
      }
      row = row + 1 == rows ? 0 : row + 1;
    }
  });
}

void gradient(GradientContext& ctx) {
  ctx.set(0, add_op("Trilu", {ctx.grad(), ctx.has(1) ? ctx.in(1) : Tensor()}, ctx.attrs()));
}

std::vector<Sample> samples() {
  return {
      {.name = "upper",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 2, 3, 4, 5, 6}))},
       .expected = {Array::of<double>({2, 3}, {1, 2, 3, 0, 5, 6})}},
      {.name = "lower",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 2, 3, 4, 5, 6}))},
       .attrs = {{"upper", false}},
       .expected = {Array::of<double>({2, 3}, {1, 0, 0, 4, 5, 0})}},
      {.name = "upper_shifted", .inputs = {in({2, 3, 4}), in_ints({}, {1})}},
      {.name = "lower_shifted", .inputs = {in({2, 4, 3}), in_ints({1}, {-1})}, .attrs = {{"upper", false}}},
      {.name = "far_diagonal", .inputs = {in({3, 2}), in_ints({}, {9})}, .attrs = {{"upper", false}}},
      {.name = "no_columns", .inputs = {in({3, 0})}, .gradient = false},
      {.name = "no_batch", .inputs = {in({0, 2, 2})}, .gradient = false},
  };
}

}  // namespace

OpCard card_trilu() {
  return {
      .name = "Trilu",
      .category = Category::linear_algebra,
      .inputs = {{.name = "x",
                  .dtypes = kAnyType,
                  .words = {"a matrix or a batch of them", "матрица или пакет матриц"}},
                 {.name = "k",
                  .dtypes = kInt64,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"which diagonal bounds the triangle: 0 (or none given) the main one, 1 the one above, -1 "
                            "the one below",
                            "какая диагональ ограничивает треугольник: 0 или без входа — главная, 1 — соседняя сверху, "
                            "−1 — снизу"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"one triangle of x, zero elsewhere", "один треугольник x, в остальных местах нули"}}},
      .attributes = {{.name = "upper",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"keep the triangle above the diagonal (true) or below it (false)",
                                "оставить треугольник над диагональю (true) или под ней (false)"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Trilu", .since = 14}},
      .torch = "torch.triu",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"Keeps the upper or the lower triangle of each matrix and sets the rest to zero. `k` moves the "
                "bounding diagonal to the right, or with a negative number to the left; the diagonal itself is kept.",
                "Оставляет верхний или нижний треугольник каждой матрицы и обнуляет остальное. `k` сдвигает граничную "
                "диагональ вправо, а отрицательное число — влево; сама диагональ остаётся."},
           .formula = "y_{i j} = \\begin{cases} x_{i j} & j \\ge i + k \\; (\\text{upper}) \\\\ x_{i j} & j \\le i + k "
                      "\\; (\\text{lower}) \\\\ 0 & \\text{otherwise} \\end{cases}",
           .why = {"A language model must not look at words that come later: the lower triangle of ones is the causal "
                   "mask that says which positions each position may attend to. A second triangle cuts off what lies "
                   "too far back and leaves a band, the sliding window of Mistral.",
                   "Языковая модель не должна видеть слова, идущие позже: нижний треугольник единиц — это причинная "
                   "маска, которая говорит, на какие позиции может смотреть каждая позиция. Второй треугольник "
                   "отсекает слишком далёкое прошлое и оставляет полосу — скользящее окно Mistral."}},
      .samples = samples(),
      .bad_samples = {{.name = "vector",
                       .inputs = {in({3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "a matrix or a batch of matrices"},
                      {.name = "two_diagonals",
                       .inputs = {in({2, 3}), in_ints({2}, {0, 1})},
                       .code = ErrorCode::bad_shape,
                       .contains = "one number"}},
  };
}

}  // namespace asg::cards
