#include <algorithm>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  if (shape.rank() != 2) {
    fail(ErrorCode::bad_shape, "shape " + shape.to_string(), "a matrix", "reshape it to two axes");
  }
  ctx.output(ctx.type(0));
}

void kernel(KernelContext& ctx) {
  Array& out = ctx.out();
  const std::int64_t rows = out.sizes()[0];
  const std::int64_t columns = out.sizes()[1];
  // Beyond the matrix every diagonal is alike, and sums of row and k must not overflow.
  const std::int64_t k = std::clamp(ctx.integer("k"), -rows, columns);
  ops::dispatch_any(out, [&]<class T>() {
    T* to = out.mutable_data<T>().data();
    for (std::int64_t row = std::max<std::int64_t>(0, -k); row < rows && row + k < columns; ++row) {
      to[row * columns + row + k] = T{1};
    }
  });
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "square", .inputs = {in({2, 2})}, .expected = {Array::of<double>({2, 2}, {1, 0, 0, 1})}},
      {.name = "above",
       .inputs = {in({2, 3})},
       .attrs = {{"k", 1}},
       .expected = {Array::of<double>({2, 3}, {0, 1, 0, 0, 0, 1})}},
      {.name = "below",
       .inputs = {in_ints({3, 2}, {9, 9, 9, 9, 9, 9})},
       .attrs = {{"k", -1}},
       .expected = {Array::of<std::int64_t>({3, 2}, {0, 0, 1, 0, 0, 1})}},
      {.name = "far_away", .inputs = {in({2, 3})}, .attrs = {{"k", 9}}, .expected = {Array(DType::f64, {2, 3})}},
      {.name = "empty", .inputs = {in({0, 3})}},
  };
  return samples;
}

}  // namespace

OpCard card_eye_like() {
  return {
      .name = "EyeLike",
      .category = Category::shape,
      .inputs = {{.name = "x",
                  .dtypes = kAnyType,
                  .words = {"a matrix, of which only the shape and the type matter",
                            "матрица, от которой важны только форма и тип"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"ones on a diagonal, zeros elsewhere", "единицы на диагонали, в остальных местах нули"},
                   .differentiable = false}},
      .attributes = {{.name = "k",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"which diagonal: 0 the main one, 1 the one above it, -1 the one below",
                                "какая диагональ: 0 — главная, 1 — над ней, -1 — под ней"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "the result depends on the shape of x and not on its elements",
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "EyeLike", .since = 9}},
      .torch = "torch.eye",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"An identity matrix of the shape of the given one: ones where row and column number agree, zeros "
                "elsewhere. It need not be square, and `k` moves the ones to another diagonal.",
                "Единичная матрица той же формы, что данная: единицы там, где номера строки и столбца совпадают, в "
                "остальных местах нули. Она не обязана быть квадратной, а `k` сдвигает единицы на другую диагональ."},
           .formula = R"(y_{i j} = \begin{cases} 1 & j = i + k \\ 0 & \text{otherwise} \end{cases})",
           .why = {"Multiplying by it changes nothing, so a recurrent layer whose weights start from it starts by "
                   "copying its state. Added to a matrix with a small factor it makes a covariance safe to invert, and "
                   "as a mask it picks out the diagonal, the matching pairs of a contrastive batch.",
                   "Умножение на неё ничего не меняет, поэтому рекуррентный слой с такими начальными весами сначала "
                   "просто копирует состояние. Прибавленная с малым множителем, она позволяет безопасно обратить "
                   "ковариационную матрицу, а как маска — выделяет диагональ: верные пары контрастного пакета."}},
      .samples = samples(),
      .bad_samples =
          {{.name = "rank_3", .inputs = {in({2, 3, 4})}, .code = ErrorCode::bad_shape, .contains = "a matrix"}},
  };
}

}  // namespace asg::cards
