#include "asg/graph/card.h"
#include "ops/indexing/nd_parts.h"
#include "ops/indexing/pick_parts.h"
#include "ops/indexing/scatter_parts.h"
#include "ops/support/cost.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape slices = ops::nd_slices(ctx.shape(0), ctx.shape(1), 0);
  if (ctx.shape(2) != slices) {
    fail(ErrorCode::bad_shape, "updates of shape " + ctx.shape(2).to_string(),
         slices.to_string() + ": a slice of the tensor for each row of indices");
  }
  ctx.output(ctx.type(0));
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto slice_axis = static_cast<std::size_t>(ctx.in(1).sizes().back());
  const std::int64_t slice = element_count(std::span(x.sizes()).subspan(slice_axis));
  ops::scatter_kernel(ctx, [&](const auto& visit) {
    ops::for_each_nd_index(ctx.in(1), x.sizes(), 0, "ScatterND", [&](std::int64_t row, std::int64_t offset) {
      for (std::int64_t k = 0; k < slice; ++k) visit(row * slice + k, offset + k);
    });
  });
}

void gradient(GradientContext& ctx) { ops::scatter_gradient(ctx, {"ScatterND", "GatherND", {}}); }

// Rows 0 and 2 of a matrix are named, the last one twice but for the plain replacement.
Sample exact(std::string name, std::vector<std::int64_t> rows, std::vector<double> expected) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::vector<double> all = {10, 0.5, -1, 4, 3, 2};
  const std::vector<double> updates(all.begin(), all.begin() + 2 * count);
  return {.name = name,
          .inputs = {in_exact(Array::of<double>({3, 2}, {1, 2, 3, 4, 5, 6})), in_ints({count, 1}, std::move(rows)),
                     in_exact(Array::of<double>({count, 2}, updates))},
          .attrs = {{"reduction", name}},
          .expected = {Array::of<double>({3, 2}, expected)}};
}

std::vector<Sample> samples() {
  return {
      exact("none", {2, 0}, {-1, 4, 3, 4, 10, 0.5}),
      exact("add", {2, 0, -1}, {0, 6, 3, 4, 18, 8.5}),
      exact("mul", {2, 0, -1}, {-1, 8, 3, 4, 150, 6}),
      exact("max", {2, 0, -1}, {1, 4, 3, 4, 10, 6}),
      exact("min", {2, 0, -1}, {-1, 2, 3, 4, 3, 0.5}),
      {.name = "elements", .inputs = {in({2, 3}), in_ints({2, 2}, {0, 1, -1, 2}), in({2})}},
      {.name = "slices_of_rank_3",
       .inputs = {in({2, 3, 4}), in_ints({2, 1, 1}, {1, 1}), in({2, 1, 3, 4})},
       .attrs = {{"reduction", "add"}}},
      {.name = "no_rows", .inputs = {in({2, 3}), in_ints({0, 2}, {}), in({0})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_updates",
       .inputs = {in({2, 3}), in_ints({1, 1}, {0}), in({1, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "[1, 3]: a slice"},
      {.name = "row_twice",
       .inputs = {in({3}), in_ints({2, 1}, {1, -2}), in({2})},
       .code = ErrorCode::computation_error,
       .contains = "two updates of one element"},
      {.name = "index_too_small",
       .inputs = {in({3}), in_ints({1, 1}, {-4}), in({1})},
       .code = ErrorCode::computation_error,
       .contains = "index -4"},
  };
}

}  // namespace

OpCard card_scatter_nd() {
  return {
      .name = "ScatterND",
      .category = Category::indexing,
      .inputs = {ops::written_into(kNumbers),
                 ops::nd_indices(),
                 {.name = "updates",
                  .dtypes = kNumbers,
                  .words = {"a slice for each row of indices", "по срезу на каждую строку индексов"}}},
      .outputs = {{.name = "y",
                   .dtypes = kNumbers,
                   .words = {"x with the slices written in", "x с внесёнными срезами"}}},
      .attributes = {ops::scatter_reduction()},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "ScatterND", .since = 18}},
      .torch = "torch.Tensor.index_put",
      .words = {.what = {"Writes slices into a copy of a tensor at addresses of several coordinates: GatherND "
                         "backwards. By default slices replace what is there; where two rows lead to one place, a "
                         "reduction must say how they meet: by sum, product, maximum or minimum.",
                         "Записывает срезы в копию тензора по адресам из нескольких координат: обратная к GatherND. По "
                         "умолчанию срезы заменяют имеющееся; если две строки ведут в одно место, reduction должен "
                         "указать, как они соединяются: суммой, произведением, максимумом или минимумом."},
                .formula = R"(y_{I_{j 0} \, I_{j 1} \ldots \, a} = u_{j a})",
                .why = {"PointPillars puts the features of its pillars back onto the grid with it, and exported models "
                        "use it for assignments such as x[:, 0] = 0. With `add` it is the gradient of GatherND.",
                        "PointPillars раскладывает ею признаки столбцов облака точек обратно по ячейкам сетки, а в "
                        "экспортированных моделях она стоит на месте присваиваний вида x[:, 0] = 0. С `add` это "
                        "градиент GatherND."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
