#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/input_values.h"
#include "ops/support/cost.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

std::int64_t count_of(const Array& x) {
  const Array flags = x.cast(DType::boolean).dense();
  const auto all = flags.data<bool>();
  return std::count(all.begin(), all.end(), true);
}

void infer(InferContext& ctx) {
  const Array* x = InputValues::at(0);
  ctx.output({DType::i64, {ctx.shape(0).rank(), x != nullptr ? Dim(count_of(*x)) : ctx.fresh_symbol()}});
}

// One row for each axis, so the coordinates of one element stand in a column.
void kernel(KernelContext& ctx) {
  const Array flags = ctx.in(0).cast(DType::boolean);
  const auto all = flags.data<bool>();
  const Sizes& sizes = flags.sizes();
  const std::int64_t count = ctx.out().sizes()[1];
  std::int64_t* to = ctx.out().mutable_data<std::int64_t>().data();
  std::int64_t found = 0;
  for (std::int64_t position = 0; position < flags.count(); ++position) {
    if (!all[static_cast<std::size_t>(position)]) continue;
    std::int64_t rest = position;
    for (std::size_t axis = sizes.size(); axis-- > 0; rest /= sizes[axis]) {
      to[static_cast<std::int64_t>(axis) * count + found] = rest % sizes[axis];
    }
    ++found;
  }
}

std::vector<Sample> samples() {
  return {
      {.name = "vector",
       .inputs = {in_exact(ops::reals({0, 3, 0, -1, ops::kNan}))},
       .expected = {Array::of<std::int64_t>({1, 3}, {1, 3, 4})}},
      {.name = "mask",
       .inputs = {in_bools({2, 2}, {true, false, true, true})},
       .expected = {Array::of<std::int64_t>({2, 3}, {0, 1, 1, 0, 0, 1})}},
      {.name = "rank_3", .inputs = {in({2, 3, 4})}},
      {.name = "nothing", .inputs = {in_ints({2, 3}, {0, 0, 0, 0, 0, 0})}, .expected = {Array(DType::i64, {2, 0})}},
      {.name = "scalar", .inputs = {in({}, 1, 2)}, .expected = {Array(DType::i64, {0, 1})}},
      {.name = "empty", .inputs = {in({0, 2})}, .expected = {Array(DType::i64, {2, 0})}},
  };
}

}  // namespace

OpCard card_non_zero() {
  return {
      .name = "NonZero",
      .category = Category::indexing,
      .inputs = {{.name = "x",
                  .dtypes = kAnyType,
                  .words = {"a mask, or any numbers", "маска или любые числа"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"a row of positions for each axis, a column for each element that is not 0",
                             "строка позиций на каждую ось, столбец на каждый ненулевой элемент"},
                   .differentiable = false}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "Places are integers; they stay where they are until an element becomes 0.",
      .cost = ops::cost_per_input(1),
      .onnx = {{.op = "NonZero", .since = 13}},
      .torch = "torch.nonzero",
      .tolerance = ops::kExact,
      .words = {.what = {"Lists in row-major order where the elements stand that are not 0, or are true; NaN is not 0. "
                         "Each column of the result holds the coordinates of one of them. How many there are depends "
                         "on the data, so the length of the result is known only in a run.",
                         "Перечисляет в построчном порядке места ненулевых или истинных элементов; NaN — не ноль. "
                         "Каждый столбец результата — координаты одного из них. Их число зависит от данных, поэтому "
                         "длина результата известна только при выполнении."},
                .formula = R"(y = \{ i : x_i \ne 0 \})",
                .why = {"It turns a mask into indices for Gather: the boxes of a detector whose score passes a "
                        "threshold, the tokens that an expert shall process, the words that are not padding.",
                        "Превращает маску в индексы для Gather: рамки детектора, оценка которых выше порога, токены, "
                        "которые достались эксперту, слова, не являющиеся заполнением."}},
      .samples = samples(),
      .bad_samples = {{.name = "two_inputs",
                       .inputs = {in({2}), in({2})},
                       .code = ErrorCode::wrong_input_count,
                       .contains = "2 inputs"}},
  };
}

}  // namespace asg::cards
