#include <algorithm>
#include <limits>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"

namespace asg::cards {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

// The axes from `start` to before `end`, cut at the rank as a slice is.
ops::SliceRange chosen_axes(const AttrReader& attributes, int rank) {
  return ops::slice_range(attributes.integer("start"), attributes.integer("end"), 1, rank);
}

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  const auto range = chosen_axes(ctx, shape.rank());
  ctx.output({DType::i64, {range.count}});
  const auto first = shape.begin() + range.start;
  ctx.output_known(0, {first, first + range.count});
}

void kernel(KernelContext& ctx) {
  const Sizes& sizes = ctx.in(0).sizes();
  const auto range = chosen_axes(ctx, ctx.in(0).rank());
  const auto out = ctx.out().mutable_data<std::int64_t>();
  std::copy_n(sizes.begin() + range.start, range.count, out.begin());
}

std::vector<Sample> samples() {
  return {
      {.name = "matrix", .inputs = {in({2, 3})}, .expected = {Array::ints({2, 3})}},
      {.name = "rank_4", .inputs = {in({2, 5, 4, 3})}, .expected = {Array::ints({2, 5, 4, 3})}},
      {.name = "scalar", .inputs = {in({})}, .expected = {Array::ints({})}},
      {.name = "from_the_second",
       .inputs = {in({2, 5, 4})},
       .attrs = {{"start", 1}},
       .expected = {Array::ints({5, 4})}},
      {.name = "but_the_last", .inputs = {in({2, 5, 4})}, .attrs = {{"end", -1}}, .expected = {Array::ints({2, 5})}},
      {.name = "the_middle",
       .inputs = {in({2, 5, 4})},
       .attrs = {{"start", -2}, {"end", 2}},
       .expected = {Array::ints({5})}},
      {.name = "beyond_the_rank",
       .inputs = {in({2, 3})},
       .attrs = {{"start", -9}, {"end", 9}},
       .expected = {Array::ints({2, 3})}},
      {.name = "nothing", .inputs = {in({2, 3})}, .attrs = {{"start", 2}, {"end", 1}}, .expected = {Array::ints({})}},
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
      .attributes = {{.name = "start",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .words = {"the first axis to tell; negative ones count from the end",
                                "первая из осей; отрицательные считаются с конца"}},
                     {.name = "end",
                      .kind = AttrKind::integer,
                      .fallback = kEnd,
                      .words = {"the axis before which to stop; by default all that follow are told",
                                "ось, перед которой остановиться; по умолчанию — все до последней"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "the lengths of the axes do not depend on any element's value",
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Shape", .since = 15}},
      .torch = "torch.Tensor.size",
      .words =
          {.what =
               {"Gives the lengths of a tensor's axes as a vector of integers. A matrix of 2 rows and 3 columns "
                "gives [2, 3]; a scalar gives an empty vector. With `start` and `end` only a part of the axes is told.",
                "Возвращает длины осей тензора в виде вектора целых чисел. Для матрицы из 2 строк и 3 столбцов "
                "это [2, 3], для скаляра — пустой вектор. С `start` и `end` — только для части осей."},
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
