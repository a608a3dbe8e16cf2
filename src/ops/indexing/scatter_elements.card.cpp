#include <vector>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

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

// Two updates of one place contradict each other: neither is right, and no gradient would be.
void claim(std::vector<bool>& taken, std::int64_t offset) {
  if (taken[static_cast<std::size_t>(offset)]) {
    fail(ErrorCode::computation_error, "two updates of one element", "at most one for each, as reduction is 'none'",
         "use reduction 'add' if they shall be summed");
  }
  taken[static_cast<std::size_t>(offset)] = true;
}

void kernel(KernelContext& ctx) {
  const Array& indices = ctx.in(1);
  const int axis = normalize_axis(ctx.integer("axis"), ctx.in(0).rank());
  const bool add = ctx.text("reduction") == "add";
  ctx.out().assign(ctx.in(0));
  std::vector<bool> taken(add ? 0 : static_cast<std::size_t>(ctx.out().count()), false);
  ops::dispatch_numeric(ctx.out(), [&]<class T>() {
    const T* updates = ctx.in(2).data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    ops::for_each_element_index(
        indices, ctx.out().sizes(), axis, "ScatterElements", [&](std::int64_t position, std::int64_t offset) {
          if (!add) claim(taken, offset);
          to[offset] = add ? ops::wrapping_add(to[offset], updates[position]) : updates[position];
        });
  });
}

// With 'none' an element that was overwritten has no influence any more.
void gradient(GradientContext& ctx) {
  const Attrs axis = {{"axis", ctx.integer("axis")}};
  const bool add = ctx.text("reduction") == "add";
  if (ctx.needs(0)) {
    ctx.set(0, add ? ctx.grad() : add_op("ScatterElements", {ctx.grad(), ctx.in(1), ops::zeros_like(ctx.in(2))}, axis));
  }
  if (ctx.needs(2)) ctx.set(2, add_op("GatherElements", {ctx.grad(), ctx.in(1)}, axis));
}

std::vector<Sample> samples() {
  const auto none = [](std::int64_t axis) { return Attrs{{"axis", axis}, {"reduction", "none"}}; };
  const auto add = [](std::int64_t axis) { return Attrs{{"axis", axis}, {"reduction", "add"}}; };
  return {
      {.name = "rows", .inputs = {in({4, 2}), in_ints({2, 2}, {0, 3, -2, 1}), in({2, 2})}, .attrs = none(0)},
      {.name = "columns", .inputs = {in({2, 5}), in_ints({2, 3}, {4, 0, 1, -1, 2, 0}), in({2, 3})}, .attrs = none(1)},
      {.name = "add_rows",
       .inputs = {in({3, 2}), in_ints({4, 2}, {0, 2, 0, -1, 1, 0, 0, 0}), in({4, 2})},
       .attrs = add(0)},
      {.name = "add_rank_3",
       .inputs = {in({2, 3, 4}), in_ints({2, 5, 1}, {0, 1, 2, 2, -1, 1, 1, 0, 0, -3}), in({2, 5, 1})},
       .attrs = add(-2)},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({3}, {1, 2, 3})), in_ints({2}, {2, 0}),
                  in_exact(Array::of<double>({2}, {8, 9}))},
       .attrs = none(0),
       .expected = {Array::of<double>({3}, {9, 2, 8})}},
      {.name = "exact_add",
       .inputs = {in_exact(Array::of<double>({3}, {1, 2, 3})), in_ints({3}, {2, 0, 2}),
                  in_exact(Array::of<double>({3}, {8, 9, 10}))},
       .attrs = add(0),
       .expected = {Array::of<double>({3}, {10, 2, 21})}},
      {.name = "no_indices",
       .inputs = {in({3, 4}), in_ints({0, 4}, {}), in({0, 4})},
       .attrs = none(0),
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
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"what to write into", "куда записывать"}},
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
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"the axis that the indices count along; -1 is the last",
                                "ось, вдоль которой считают индексы; -1 — последняя"}},
                     {.name = "reduction",
                      .kind = AttrKind::text,
                      .fallback = "none",
                      .choices = {"none", "add"},
                      .words = {"none replaces elements, and no element may be named twice; add sums into them",
                                "none заменяет элементы, и ни один нельзя назвать дважды; add прибавляет к ним"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "ScatterElements", .since = 16}},
      .torch = "torch.scatter",
      .words =
          {.what = {"Writes elements into a copy of a tensor: each index says how far to go along one axis, while on "
                    "the other axes the update's own place is kept. With reduction `add` the updates are added to what "
                    "is there, and several may meet in one place.",
                    "Записывает элементы в копию тензора: каждый индекс говорит, как далеко идти вдоль одной оси, а по "
                    "другим осям сохраняется собственное место обновления. При reduction `add` обновления прибавляются "
                    "к имеющемуся, и в одном месте может сойтись несколько."},
           .formula = R"(y_{b \, I_{b j a} \, a} = u_{b j a})",
           .why = {"It turns a list of results back into a dense tensor: messages of edges summed at the nodes of a "
                   "graph network, counts in a histogram, a new key and value at their place in a cache. With `add` it "
                   "is the gradient of GatherElements.",
                   "Превращает список результатов обратно в плотный тензор: сообщения рёбер суммируются в вершинах "
                   "графовой сети, счётчики — в гистограмме, новые ключ и значение встают на своё место в кэше. С "
                   "`add` это градиент GatherElements."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
