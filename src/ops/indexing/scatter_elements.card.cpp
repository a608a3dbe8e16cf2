#include <vector>

#include "asg/graph/card.h"
#include "ops/indexing/pick_parts.h"
#include "ops/indexing/scatter_parts.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  ops::check_element_indices(x, ctx.shape(1), normalize_axis(ctx.integer("axis"), x.rank()));
  if (ctx.shape(1) != ctx.shape(2)) {
    fail(ErrorCode::bad_shape,
         "indices of shape " + ctx.shape(1).to_string() + " and updates of shape " + ctx.shape(2).to_string(),
         "one update for each index");
  }
  ctx.output(ctx.type(0));
}

void kernel(KernelContext& ctx) {
  const int axis = normalize_axis(ctx.integer("axis"), ctx.in(0).rank());
  ops::scatter_kernel(ctx, [&](const auto& visit) {
    ops::for_each_element_index(ctx.in(1), ctx.in(0).sizes(), axis, "ScatterElements", visit);
  });
}

void gradient(GradientContext& ctx) {
  ops::scatter_gradient(ctx, {"ScatterElements", "GatherElements", {{"axis", ctx.integer("axis")}}});
}

std::vector<Sample> samples() {
  const auto by = [](const char* reduction, std::int64_t axis) {
    return Attrs{{"axis", axis}, {"reduction", reduction}};
  };
  // Of three updates two meet in one place, and one place of the three is left alone.
  const auto three = [&](std::string name, const char* reduction, std::vector<double> expected) {
    return Sample{
        .name = std::move(name),
        .inputs = {in_exact(ops::reals({1, 2, 3})), in_ints({3}, {2, 0, 2}), in_exact(ops::reals({8, 0.5, -10}))},
        .attrs = by(reduction, 0),
        .expected = {ops::reals(expected)}};
  };
  const auto along = [&](const char* reduction) {
    return Sample{.name = std::string(reduction) + "_along_rows",
                  .inputs = {distinct({2, 3}, 0.5, 1), in_ints({2, 2}, {0, -1, 1, 1}), distinct({2, 2}, 1.1, 1.6)},
                  .attrs = by(reduction, -1)};
  };
  return {
      {.name = "rows", .inputs = {in({4, 2}), in_ints({2, 2}, {0, 3, -2, 1}), in({2, 2})}, .attrs = by("none", 0)},
      {.name = "columns",
       .inputs = {in({2, 5}), in_ints({2, 3}, {4, 0, 1, -1, 2, 0}), in({2, 3})},
       .attrs = by("none", 1)},
      {.name = "add_rows",
       .inputs = {in({3, 2}), in_ints({4, 2}, {0, 2, 0, -1, 1, 0, 0, 0}), in({4, 2})},
       .attrs = by("add", 0)},
      {.name = "add_rank_3",
       .inputs = {in({2, 3, 4}), in_ints({2, 5, 1}, {0, 1, 2, 2, -1, 1, 1, 0, 0, -3}), in({2, 5, 1})},
       .attrs = by("add", -2)},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({3}, {1, 2, 3})), in_ints({2}, {2, 0}),
                  in_exact(Array::of<double>({2}, {8, 9}))},
       .attrs = by("none", 0),
       .expected = {Array::of<double>({3}, {9, 2, 8})}},
      three("exact_add", "add", {1.5, 2, 1}),
      three("exact_mul", "mul", {0.5, 2, -240}),
      three("exact_max", "max", {1, 2, 8}),
      three("exact_min", "min", {0.5, 2, -10}),
      along("mul"),
      along("max"),
      along("min"),
      {.name = "no_indices",
       .inputs = {in({3, 4}), in_ints({0, 4}, {}), in({0, 4})},
       .attrs = by("none", 0),
       .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_updates",
       .inputs = {in({3, 4}), in_ints({1, 2}, {0, 1}), in({2, 1})},
       .code = ErrorCode::bad_shape,
       .contains = "one update for each index"},
      {.name = "other_rank", .inputs = {in({3, 4}), in_ints({2}, {0, 1}), in({2})}, .code = ErrorCode::bad_shape},
      {.name = "no_such_reduction",
       .inputs = {in({3}), in_ints({1}, {0}), in({1})},
       .attrs = {{"reduction", "mean"}},
       .code = ErrorCode::bad_attribute},
      {.name = "index_twice",
       .inputs = {in({3}), in_ints({2}, {1, -2}), in({2})},
       .code = ErrorCode::computation_error,
       .contains = "two updates of one element"},
      {.name = "index_too_small",
       .inputs = {in({3}), in_ints({1}, {-4}), in({1})},
       .code = ErrorCode::computation_error,
       .contains = "index -4"},
  };
}

}  // namespace

OpCard card_scatter_elements() {
  return {
      .name = "ScatterElements",
      .category = Category::indexing,
      .inputs = {ops::written_into(kNumbers),
                 {.name = "indices",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"a position on the axis for each update; as many axes as x",
                            "позиция на оси для каждого обновления; осей столько же, сколько у x"},
                  .differentiable = false},
                 {.name = "updates",
                  .dtypes = kNumbers,
                  .words = {"what to write, one per index", "что записывать, по одному на индекс"}}},
      .outputs = {{.name = "y",
                   .dtypes = kNumbers,
                   .words = {"x with the updates written in", "x с внесёнными обновлениями"}}},
      .attributes = {ops::index_axis(), ops::scatter_reduction()},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "ScatterElements", .since = 18}},
      .torch = "torch.scatter",
      .words = {.what = {"Writes elements into a copy of a tensor: each index says how far to go along one axis, while "
                         "on the other axes the update's own place is kept. By default they replace what is there, and "
                         "two for one place are an error; with a reduction several may meet and are added to it, "
                         "multiplied with it, or compared with it.",
                         "Записывает элементы в копию тензора: каждый индекс говорит, как далеко идти вдоль одной оси, "
                         "а по другим осям сохраняется собственное место обновления. По умолчанию они заменяют "
                         "имеющееся, и два обновления одного места — ошибка; при заданном reduction их может сойтись "
                         "несколько, и они складываются с ним, умножаются на него или сравниваются."},
                .formula = R"(y_{b \, I_{b j a} \, a} = u_{b j a})",
                .why = {"It turns a list of results back into a dense tensor: messages of edges summed at the nodes of "
                        "a graph network, counts in a histogram, a new key and value at their place in a cache. With "
                        "`add` it is the gradient of GatherElements.",
                        "Превращает список результатов обратно в плотный тензор: сообщения рёбер суммируются в "
                        "вершинах графовой сети, счётчики — в гистограмме, новые ключ и значение встают на своё место "
                        "в кэше. С `add` это градиент GatherElements."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
