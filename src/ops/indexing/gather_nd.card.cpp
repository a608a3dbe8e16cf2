#include <algorithm>

#include "asg/graph/card.h"
#include "ops/indexing/nd_parts.h"
#include "ops/indexing/pick_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

int batch_dims(const AttrReader& attributes) { return static_cast<int>(attributes.integer("batch_dims")); }

void infer(InferContext& ctx) {
  ctx.output({ctx.dtype(0), ops::nd_slices(ctx.shape(0), ctx.shape(1), batch_dims(ctx))});
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto slice_axis = static_cast<std::size_t>(batch_dims(ctx) + ctx.in(1).sizes().back());
  const std::int64_t slice = element_count(std::span(x.sizes()).subspan(slice_axis));
  ops::dispatch_any(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    const auto copy = [&](std::int64_t row, std::int64_t offset) {
      if (slice > 0) std::copy_n(from + offset, slice, to + row * slice);
    };
    ops::for_each_nd_index(ctx.in(1), x.sizes(), batch_dims(ctx), "GatherND", copy);
  });
}

// What was picked twice gets both gradients.
void gradient(GradientContext& ctx) {
  const Tensor rows = ops::with_batch_places(ctx.in(1), batch_dims(ctx));
  ctx.set(0, add_op("ScatterND", {ops::zeros_like(ctx.in(0)), rows, ctx.grad()}, {{"reduction", "add"}}));
}

std::vector<Sample> samples() {
  const Array four = Array::of<double>({2, 2}, {0, 1, 2, 3});
  const Array eight = Array::of<double>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  return {
      {.name = "elements",
       .inputs = {in_exact(four), in_ints({2, 2}, {0, 0, 1, 1})},
       .expected = {Array::of<double>({2}, {0, 3})}},
      {.name = "rows",
       .inputs = {in_exact(four), in_ints({2, 1}, {1, -2})},
       .expected = {Array::of<double>({2, 2}, {2, 3, 0, 1})}},
      {.name = "batch",
       .inputs = {in_exact(eight), in_ints({2, 1}, {1, 0})},
       .attrs = {{"batch_dims", 1}},
       .expected = {Array::of<double>({2, 2}, {2, 3, 4, 5})}},
      {.name = "slices_of_rank_3", .inputs = {in({2, 3, 4}), in_ints({3, 1, 2}, {1, 2, 0, 0, 1, 2})}},
      {.name = "two_batch_axes",
       .inputs = {in({2, 3, 4}), in_ints({2, 3, 1}, {0, 3, -1, 1, 1, 2})},
       .attrs = {{"batch_dims", 2}}},
      {.name = "several_for_each_of_the_batch",
       .inputs = {in({2, 3, 2}), in_ints({2, 3, 1}, {0, 2, 0, 1, 1, -1})},
       .attrs = {{"batch_dims", 1}}},
      {.name = "no_rows", .inputs = {in({2, 3}), in_ints({0, 2}, {})}, .gradient = false},
      {.name = "empty_slices", .inputs = {in({2, 0}), in_ints({2, 1}, {0, 1})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_many_numbers",
       .inputs = {in({2, 3}), in_ints({1, 3}, {0, 0, 0})},
       .code = ErrorCode::bad_shape,
       .contains = "at most as many numbers"},
      {.name = "other_batch",
       .inputs = {in({2, 3}), in_ints({3, 1}, {0, 0, 0})},
       .attrs = {{"batch_dims", 1}},
       .code = ErrorCode::bad_shape,
       .contains = "axis 0 of the batch"},
      {.name = "index_too_large",
       .inputs = {in({2, 3}), in_ints({1, 2}, {1, 3})},
       .code = ErrorCode::computation_error,
       .contains = "an index from -3 to 2"},
      {.name = "negative_batch",
       .inputs = {in({2, 3}), in_ints({1, 1}, {0})},
       .attrs = {{"batch_dims", -1}},
       .code = ErrorCode::bad_attribute},
  };
}

}  // namespace

OpCard card_gather_nd() {
  return {
      .name = "GatherND",
      .category = Category::indexing,
      .inputs = {ops::picked_from(), ops::nd_indices()},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"a slice of x for each row of indices", "по срезу x на каждую строку индексов"}}},
      .attributes =
          {{.name = "batch_dims",
            .kind = AttrKind::integer,
            .fallback = 0,
            .least = 0,
            .words = {"how many axes at the front are those of a batch: the rows of a batch element pick only from "
                      "that element",
                      "сколько первых осей принадлежат пакету: строки элемента пакета выбирают только из него"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "GatherND", .since = 12}},
      .torch = "torch.Tensor.__getitem__",
      .tolerance = ops::kExact,
      .words = {.what = {"Picks by several coordinates at once: each row of the indices is an address, its first "
                         "number a place on the first axis, its second on the next. A row as long as the rank leads to "
                         "one element, a shorter one to a slice.",
                         "Выбирает сразу по нескольким координатам: каждая строка индексов — адрес, первое число "
                         "которого указывает место на первой оси, второе — на следующей. Строка длиной в ранг ведёт к "
                         "одному элементу, более короткая — к срезу."},
                .formula = R"(y_{j a} = x_{I_{j 0} \, I_{j 1} \ldots \, a})",
                .why = {"Detectors read the scores at chosen points of a feature map with it, and beam search takes, "
                        "for every sequence of a batch, the states of the beams that survive.",
                        "С её помощью детекторы считывают оценки в выбранных точках карты признаков, а лучевой поиск "
                        "берёт для каждой последовательности пакета состояния оставшихся лучей."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
