#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  normalize_axis(ctx.integer("axis"), ctx.shape(0).rank());
  ctx.output(ctx.type(0));
  ctx.output({DType::i64, ctx.shape(0)});
}

// All of the axis are chosen, and TopK keeps equal elements in order.
void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  const auto sorted =
      add_op_outputs("TopK", {x, ops::length_of(x, axis)}, {{"axis", axis}, {"largest", ctx.boolean("descending")}});
  for (const Tensor& output : sorted) ctx.output(output);
}

std::vector<Sample> samples() {
  const auto vector = [](std::string name, bool descending, std::vector<double> values,
                         std::vector<std::int64_t> indices) {
    return Sample{.name = std::move(name),
                  .inputs = {in_exact(ops::reals({3, ops::kNan, 1, 3, -ops::kInfinity}))},
                  .attrs = {{"descending", descending}},
                  .gradient = false,
                  .expected = {ops::reals(values), Array::ints(indices)}};
  };
  return {
      vector("rising", false, {-ops::kInfinity, 1, 3, 3, ops::kNan}, {4, 2, 0, 3, 1}),
      vector("falling", true, {ops::kNan, 3, 3, 1, -ops::kInfinity}, {1, 0, 3, 2, 4}),
      {.name = "rows", .inputs = {distinct({2, 4})}},
      {.name = "middle_axis", .inputs = {distinct({2, 3, 4})}, .attrs = {{"axis", 1}}},
      {.name = "first_axis_falling", .inputs = {distinct({3, 2})}, .attrs = {{"axis", 0}, {"descending", true}}},
      {.name = "empty", .inputs = {in({2, 0})}, .gradient = false},
  };
}

}  // namespace

OpCard card_sort() {
  return {
      .name = "Sort",
      .category = Category::indexing,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"numbers in any order", "числа в любом порядке"}}},
      .outputs = {{.name = "values", .dtypes = kNumbers, .words = {"the numbers in order", "числа по порядку"}},
                  {.name = "indices",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"where along the axis each of them stood", "где вдоль оси стояло каждое из них"},
                   .differentiable = false}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = -1,
                      .words = {"the axis along which to sort; -1 is the last",
                                "ось, вдоль которой сортировать; −1 — последняя"}},
                     {.name = "descending",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"whether the largest comes first", "начинать ли с наибольшего"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_input(20),
      .torch = "torch.sort",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Puts the elements along an axis into rising or falling order and tells where each of them came "
                    "from. Equal elements keep their order, and NaN counts as larger than every number. The gradient "
                    "takes every element back to its old place.",
                    "Располагает элементы вдоль оси по возрастанию или убыванию и сообщает, откуда взят каждый. Равные "
                    "элементы сохраняют порядок, а NaN считается больше любого числа. Градиент возвращает каждый "
                    "элемент на прежнее место."},
           .formula = R"(y_j = x_{I_j}, \quad y_0 \le y_1 \le \ldots \le y_{n-1})",
           .why = {"Medians and quantiles are read off sorted values, and top-p sampling sorts the probabilities of "
                   "all words before it cuts off their tail. Ranking losses compare positions in such an order.",
                   "Медианы и квантили считывают с упорядоченных значений, а выборка top-p сортирует вероятности всех "
                   "слов, чтобы отсечь хвост. Ранжирующие потери сравнивают места в таком порядке."}},
      .samples = samples(),
      .bad_samples =
          {{.name = "no_such_axis", .inputs = {in({2, 3})}, .attrs = {{"axis", 2}}, .code = ErrorCode::bad_index},
           {.name = "bools",
            .inputs = {in_bools({2}, {true, false})},
            .code = ErrorCode::bad_dtype,
            .contains = "bool for input 'x'"}},
  };
}

}  // namespace asg::cards
