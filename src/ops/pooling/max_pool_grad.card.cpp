#include "ops/pooling/pool_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& grad = ctx.shape(0);
  const Shape& indices = ctx.shape(1);
  const Shape x(ctx.need_known(2));
  bool fits = grad.rank() == indices.rank();
  for (int axis = 0; fits && axis < grad.rank(); ++axis) fits = !ops::surely_differ(grad[axis], indices[axis]);
  if (!fits) {
    fail(ErrorCode::bad_shape,
         "a gradient of shape " + grad.to_string() + " and indices of shape " + indices.to_string(),
         "one index for each gradient");
  }
  ctx.output({ctx.dtype(0), x});
}

void kernel(KernelContext& ctx) {
  const auto grad = ctx.in(0).data<double>();
  const auto indices = ctx.in(1).data<std::int64_t>();
  const auto to = ctx.out().mutable_data<double>();
  for (std::size_t k = 0; k < grad.size(); ++k) {
    const std::int64_t place = ops::wrapped_index(indices[k], ctx.out().count(), "MaxPoolGrad");
    to[static_cast<std::size_t>(place)] += grad[k];
  }
}

// All axes become one, along which ScatterElements adds.
void body(BodyContext& ctx) {
  const Tensor whole = ops::ints(ctx.graph(), {-1});
  const Tensor zeros = add_op("Expand", {ops::scalar_like(ctx.in(0), 0), ctx.in(2)});
  const Tensor summed = add_op(
      "ScatterElements",
      {add_op("Reshape", {zeros, whole}), add_op("Reshape", {ctx.in(1), whole}), add_op("Reshape", {ctx.in(0), whole})},
      {{"axis", 0}, {"reduction", "add"}});
  ctx.output(add_op("Reshape", {summed, ctx.in(2)}));
}

// What went to the same place comes from there.
void gradient(GradientContext& ctx) {
  const Tensor whole = ops::ints(ctx.graph(), {-1});
  const Tensor picked =
      add_op("GatherElements", {add_op("Reshape", {ctx.grad(), whole}), add_op("Reshape", {ctx.in(1), whole})});
  ctx.set(0, add_op("Reshape", {picked, ops::shape_of(ctx.in(0))}));
}

std::vector<Sample> samples() {
  return {
      {.name = "one_axis",
       .inputs = {in({2, 3, 4}), in_ints({2, 3, 4}, {0,  0,  0,  4,  5,  6,  6,  9,  10, 12, 12, 14,
                                                     15, 15, 15, 19, 20, 21, 21, 24, 25, 27, 27, 29}),
                  in_ints({3}, {2, 3, 5})}},
      {.name = "two_axes",
       .inputs = {in({2, 1, 2, 2}), in_ints({2, 1, 2, 2}, {0, 3, 8, 7, 13, 13, 13, 17}), in_ints({4}, {2, 1, 3, 3})}},
      {.name = "other_planes", .inputs = {in({1, 2, 2}), in_ints({1, 2, 2}, {3, -1, 0, 2}), in_ints({3}, {1, 2, 2})}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 3}, {1, 2, 4})), in_ints({1, 1, 3}, {2, 0, 2}),
                  in_ints({3}, {1, 1, 4})},
       .expected = {Array::of<double>({1, 1, 4}, {2, 0, 5, 0})}},
      {.name = "no_pictures",
       .inputs = {in({0, 2, 3}), in_ints({0, 2, 3}, {}), in_ints({3}, {0, 2, 4})},
       .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_indices",
       .inputs = {in({1, 1, 3}), in_ints({1, 1, 2}, {0, 1}), in_ints({3}, {1, 1, 4})},
       .code = ErrorCode::bad_shape,
       .contains = "one index for each gradient"},
      {.name = "index_too_large",
       .inputs = {in({1, 1, 2}), in_ints({1, 1, 2}, {0, 4}), in_ints({3}, {1, 1, 4})},
       .code = ErrorCode::computation_error,
       .contains = "an index from -4 to 3"},
  };
}

}  // namespace

OpCard card_max_pool_grad() {
  return {
      .name = "MaxPoolGrad",
      .category = Category::pooling,
      .inputs = {{.name = "grad", .words = {"the gradient of the pool's result", "градиент результата пулинга"}},
                 {.name = "indices",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"where each maximum stood in the input, counted over all its elements by rows",
                            "где во входе стоял каждый максимум при сквозной нумерации по строкам"},
                  .differentiable = false},
                 {.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the shape of the pool's input", "форма входа пулинга"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .words = {"zeros with each gradient added where its maximum stood",
                             "нули, к которым каждый градиент прибавлен на месте своего максимума"}}},
      .traits = {.gradient_only = true},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(1),
      .words =
          {.what = {"Sends each gradient of a pool that keeps maxima back to the element that won. An element that won "
                    "in several windows that overlap receives all of their gradients, one that never won stays zero.",
                    "Возвращает каждый градиент пулинга, оставляющего максимумы, тому элементу, который победил. "
                    "Элемент, победивший в нескольких перекрывающихся окнах, получает градиенты всех; тот, что не "
                    "победил нигде, остаётся нулём."},
           .formula = R"(y_i = \sum_{k : I_k = i} g_k)",
           .why = {"Back-propagation through MaxPool and AdaptiveMaxPool needs it. Every maximum lies in its own "
                   "picture and channel, so a device can fill and add plane by plane, in parallel, where a scatter "
                   "into the whole tensor would have to go one by one.",
                   "Нужна обратному распространению через MaxPool и AdaptiveMaxPool. Каждый максимум лежит в своём "
                   "изображении и канале, поэтому устройство может заполнять и складывать плоскость за плоскостью "
                   "параллельно, тогда как разброс по всему тензору пришлось бы вести по одному."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
