#include "asg/graph/card.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  ctx.output({DType::i64, {shape.rank()}});
  ctx.output_known(0, shape.dims());
}

void kernel(KernelContext& ctx) {
  const Sizes& sizes = ctx.in(0).sizes();
  const auto out = ctx.out().mutable_data<std::int64_t>();
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) out[axis] = sizes[axis];
}

std::vector<Sample> samples() {
  return {
      {.name = "matrix", .inputs = {in({2, 3})}, .expected = {Array::ints({2, 3})}},
      {.name = "rank_4", .inputs = {in({2, 5, 4, 3})}, .expected = {Array::ints({2, 5, 4, 3})}},
      {.name = "scalar", .inputs = {in({})}, .expected = {Array::ints({})}},
      {.name = "empty", .inputs = {in({0, 3})}, .expected = {Array::ints({0, 3})}},
  };
}

}  // namespace

OpCard card_shape() {
  return {
      .name = "Shape",
      .category = Category::shape,
      .inputs = {{.name = "x", .dtypes = kAnyType, .words = {"any tensor", "любой тензор"}, .differentiable = false}},
      .outputs = {{.name = "shape",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"one length per axis, from the first axis to the last",
                             "по одной длине на каждую ось, от первой к последней"},
                   .differentiable = false}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "the lengths of the axes do not depend on any element's value",
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Shape", .since = 1}},
      .torch = "torch.Tensor.size",
      .words =
          {.what = {"Gives the lengths of a tensor's axes as a vector of integers. A matrix of 2 rows and 3 columns "
                    "gives [2, 3]; a scalar gives an empty vector.",
                    "Возвращает длины осей тензора в виде вектора целых чисел. Для матрицы из 2 строк и 3 столбцов "
                    "это [2, 3], для скаляра — пустой вектор."},
           .formula = R"(y = (d_0, d_1, \ldots, d_{r-1}))",
           .why = {"A graph that serves any batch size cannot have its sizes written in as numbers. It asks for them "
                   "with Shape and computes targets for Reshape and Expand from the answer; the engine follows these "
                   "small vectors symbolically, so the types stay exact.",
                   "В графе, который работает с пакетом любого размера, нельзя записать размеры числами. Он "
                   "запрашивает их операцией Shape и вычисляет по ним цели для Reshape и Expand; движок прослеживает "
                   "эти короткие векторы символьно, поэтому типы остаются точными."}},
      .samples = samples(),
      .bad_samples = {{.name = "two_inputs",
                       .inputs = {in({2}), in({3})},
                       .code = ErrorCode::wrong_input_count,
                       .contains = "2 inputs"}},
  };
}

}  // namespace asg::cards
