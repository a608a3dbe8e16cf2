#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

// Checks that the gradient has the shape that Gather gives: the axes of the indices in place of the axis.
void infer(InferContext& ctx) {
  const Shape& grad = ctx.shape(0);
  const Shape& indices = ctx.shape(1);
  const Shape x(ctx.need_known(2));
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  std::vector<Dim> dims(x.begin(), x.begin() + axis);
  dims.insert(dims.end(), indices.begin(), indices.end());
  dims.insert(dims.end(), x.begin() + axis + 1, x.end());
  const Shape gathered(std::move(dims));
  bool fits = grad.rank() == gathered.rank();
  for (int k = 0; fits && k < grad.rank(); ++k) fits = !ops::surely_differ(grad[k], gathered[k]);
  if (!fits) {
    fail(ErrorCode::bad_shape,
         "a gradient of shape " + grad.to_string() + " for picked slices of shape " + gathered.to_string(),
         "the shape of what was picked");
  }
  ctx.output({ctx.dtype(0), x});
}

void kernel(KernelContext& ctx) {
  const auto lanes = ops::lanes_of(ctx.out().sizes(), normalize_axis(ctx.integer("axis"), ctx.out().rank()));
  const auto indices = ctx.in(1).data<std::int64_t>();
  const double* from = ctx.in(0).data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  for (std::int64_t before = 0; before < lanes.before_count; ++before) {
    double* lane = to + before * lanes.length * lanes.after_count;
    for (std::int64_t index : indices) {
      double* row = lane + ops::wrapped_index(index, lanes.length, "GatherGrad") * lanes.after_count;
      for (std::int64_t after = 0; after < lanes.after_count; ++after) row[after] += from[after];
      from += lanes.after_count;
    }
  }
}

// The axes of the indices become one, along which ScatterElements adds.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& shape = ctx.in(2);
  const auto rank = static_cast<int>(shape.shape()[0].value());
  const int axis = normalize_axis(ctx.integer("axis"), rank);
  const Tensor flat = add_op("Reshape", {ctx.in(1), ops::ints(graph, {-1})});
  const Tensor before = add_op("Slice", {shape, ops::ints(graph, {0}), ops::ints(graph, {axis})});
  const Tensor after = add_op("Slice", {shape, ops::ints(graph, {axis + 1}), ops::ints(graph, {rank})});
  const Tensor target = add_op("Concat", {before, ops::shape_of(flat), after}, {{"axis", 0}});
  std::vector<std::int64_t> lane(static_cast<std::size_t>(rank), 1);
  lane[static_cast<std::size_t>(axis)] = -1;
  const Tensor places = add_op("Expand", {add_op("Reshape", {flat, ops::ints(graph, lane)}), target});
  const Tensor zeros = add_op("Expand", {ops::scalar_like(ctx.in(0), 0), shape});
  const Tensor updates = add_op("Reshape", {ctx.in(0), target});
  ctx.output(add_op("ScatterElements", {zeros, places, updates}, {{"axis", axis}, {"reduction", "add"}}));
}

void gradient(GradientContext& ctx) {
  const Tensor picked = add_op("Gather", {ctx.grad(), ctx.in(1)}, {{"axis", ctx.integer("axis")}});
  // A length that only the data decides may have one name in the indices and another in the gradient.
  const bool same = picked.shape() == ctx.in(0).shape();
  ctx.set(0, same ? picked : add_op("Reshape", {picked, ops::shape_of(ctx.in(0))}));
}

std::vector<Sample> samples() {
  return {
      {.name = "rows", .inputs = {in({5, 3}), in_ints({5}, {0, 3, 3, 1, -1}), in_ints({2}, {4, 3})}},
      {.name = "middle_axis",
       .inputs = {in({2, 5, 3}), in_ints({5}, {1, 1, 2, 0, 1}), in_ints({3}, {2, 4, 3})},
       .attrs = {{"axis", 1}}},
      {.name = "index_matrix", .inputs = {in({2, 3, 5}), in_ints({2, 3}, {0, 1, 4, 4, 2, 0}), in_ints({2}, {6, 5})}},
      {.name = "one_index", .inputs = {in({3}), in_ints({}, {-1}), in_ints({2}, {3, 4})}, .attrs = {{"axis", -1}}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({3}, {1, 2, 4})), in_ints({3}, {2, 0, 2}), in_ints({1}, {4})},
       .expected = {Array::of<double>({4}, {2, 0, 5, 0})}},
      {.name = "no_indices", .inputs = {in({0, 3}), in_ints({0}, {}), in_ints({2}, {2, 3})}, .gradient = false},
  };
}

}  // namespace

OpCard card_gather_grad() {
  return {
      .name = "GatherGrad",
      .category = Category::indexing,
      .inputs = {{.name = "grad", .words = {"the gradient of what was picked", "градиент выбранного"}},
                 {.name = "indices",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"as of the Gather", "как у Gather"},
                  .differentiable = false},
                 {.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the shape of what was picked from", "форма тензора, из которого выбирали"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .words = {"zeros with each slice of the gradient added at its index",
                             "нули, к которым каждый срез градиента прибавлен по своему индексу"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"the axis that the indices count along", "ось, вдоль которой считают индексы"}}},
      .traits = {.gradient_only = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_input(1),
      .torch = "torch.Tensor.index_add",
      .words = {.what = {"Starts with zeros of the given shape and adds each slice of the gradient at the position it "
                         "was picked from. A position that was picked twice receives both contributions, one never "
                         "picked stays zero.",
                         "Начинает с нулей заданной формы и прибавляет каждый срез градиента в ту позицию, откуда он "
                         "был выбран. Позиция, выбранная дважды, получает оба вклада, невыбранная остаётся нулём."},
                .formula = R"(y_{b i a} = \sum_{j : I_j = i} g_{b j a})",
                .why = {"A word that occurs five times in a batch uses one row of the embedding five times, so the "
                        "row's gradient is the sum over all five. The gradient of this op is Gather again, so "
                        "derivatives of any order stay within these two ops.",
                        "Слово, встретившееся в пакете пять раз, пять раз использует одну строку эмбеддинга, и "
                        "градиент строки — сумма по всем пяти. Градиент этой операции — снова Gather, поэтому "
                        "производные любого порядка выражаются этими двумя операциями."}},
      .samples = samples(),
      .bad_samples = {{.name = "other_shape",
                       .inputs = {in({2, 4}), in_ints({2}, {0, 1}), in_ints({2}, {4, 3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "the shape of what was picked"}},
  };
}

}  // namespace asg::cards
