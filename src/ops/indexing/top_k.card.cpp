#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/kernels.h"
#include "ops/support/operands.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  ops::check_one_number(ctx, 1);
  const auto known = ctx.known(1);
  const Dim count = known ? known->front() : ctx.fresh_symbol();
  const bool too_many = count.is_known() && x[axis].is_known() && count.value() > x[axis].value();
  if (too_many || (count.is_known() && count.value() < 0)) {
    fail(ErrorCode::bad_shape, "k = " + count.to_string() + " on an axis of length " + x[axis].to_string(),
         "a number from 0 to the length of the axis");
  }
  std::vector<Dim> dims = x.dims();
  dims[static_cast<std::size_t>(axis)] = count;
  const Shape shape(std::move(dims));
  ctx.output({ctx.dtype(0), shape});
  ctx.output({DType::i64, shape});
}

// Whether a comes before b in rising order. NaN is larger than every number.
template <class T>
bool before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
  }
  return a < b;
}

// The positions of the first `count` elements of a lane in order; of equal ones the lower position comes first.
template <class T>
void choose_places(const T* lane, std::int64_t step, bool largest, std::int64_t count,
                   std::vector<std::int64_t>& places) {
  std::iota(places.begin(), places.end(), 0);
  const auto comes_first = [&](std::int64_t a, std::int64_t b) {
    const T left = lane[a * step];
    const T right = lane[b * step];
    if (before(left, right) || before(right, left)) return largest ? before(right, left) : before(left, right);
    return a < b;
  };
  std::partial_sort(places.begin(), places.begin() + count, places.end(), comes_first);
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  const auto lanes = ops::lanes_of(x.sizes(), axis);
  const std::int64_t count = ctx.out(0).sizes()[static_cast<std::size_t>(axis)];
  const bool largest = ctx.boolean("largest");
  const bool sorted = ctx.boolean("sorted");
  std::int64_t* indices = ctx.out(1).mutable_data<std::int64_t>().data();
  if (ctx.out(0).count() == 0) return;
  std::vector<std::int64_t> places(static_cast<std::size_t>(lanes.length));
  ops::dispatch_numeric(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* values = ctx.out(0).mutable_data<T>().data();
    ops::for_each_lane(lanes, [&](std::int64_t first) {
      choose_places(from + first, lanes.after_count, largest, count, places);
      if (!sorted) std::sort(places.begin(), places.begin() + count);
      const std::int64_t lane = first / (lanes.length * lanes.after_count);
      const std::int64_t start = lane * count * lanes.after_count + first % lanes.after_count;
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t place = places[static_cast<std::size_t>(k)];
        values[start + k * lanes.after_count] = from[first + place * lanes.after_count];
        indices[start + k * lanes.after_count] = place;
      }
    });
  });
}

// Each chosen element goes back to where it came from; the others get nothing.
void gradient(GradientContext& ctx) {
  ctx.set(0, add_op("ScatterElements", {ops::zeros_like(ctx.in(0)), ctx.out(1), ctx.grad(0)},
                    {{"axis", ctx.integer("axis")}, {"reduction", "add"}}));
}

std::vector<Sample> samples() {
  const auto vector = [](std::string name, std::vector<double> x, std::int64_t k, Attrs attrs,
                         std::vector<double> values, std::vector<std::int64_t> indices) {
    return Sample{.name = std::move(name),
                  .inputs = {in_exact(ops::reals(x)), in_ints({1}, {k})},
                  .attrs = std::move(attrs),
                  .gradient = false,
                  .expected = {ops::reals(values), Array::ints(indices)}};
  };
  const double nan = ops::kNan;
  const double inf = ops::kInfinity;
  return {
      {.name = "rows", .inputs = {distinct({2, 5}), in_ints({1}, {3})}},
      {.name = "columns", .inputs = {distinct({4, 3}), in_ints({1}, {2})}, .attrs = {{"axis", 0}}},
      {.name = "middle_axis",
       .inputs = {distinct({2, 3, 4}), in_ints({}, {2})},
       .attrs = {{"axis", 1}, {"largest", false}}},
      {.name = "in_place_order", .inputs = {distinct({2, 5}), in_ints({1}, {3})}, .attrs = {{"sorted", false}}},
      {.name = "smallest_in_place_order",
       .inputs = {distinct({4, 2}), in_ints({1}, {2})},
       .attrs = {{"axis", -2}, {"largest", false}, {"sorted", false}}},
      vector("ties", {2, 7, 7, 2, 7}, 4, {}, {7, 7, 7, 2}, {1, 2, 4, 0}),
      vector("smallest_ties", {2, 7, 7, 2, 7}, 3, {{"largest", false}}, {2, 2, 7}, {0, 3, 1}),
      vector("not_sorted", {5, 1, 9, 7}, 2, {{"sorted", false}}, {9, 7}, {2, 3}),
      vector("nan_is_largest", {1, nan, inf}, 2, {}, {nan, inf}, {1, 2}),
      vector("nan_is_not_smallest", {nan, 1, -inf}, 3, {{"largest", false}}, {-inf, 1, nan}, {2, 1, 0}),
      vector("none", {1, 2}, 0, {}, {}, {}),
      {.name = "no_lanes", .inputs = {in({0, 3}), in_ints({1}, {2})}, .gradient = false},
      {.name = "integers",
       .inputs = {in_ints({3}, {4, -9, 6}), in_ints({1}, {1})},
       .gradient = false,
       .expected = {Array::ints({6}), Array::ints({2})}},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_many",
       .inputs = {in({2, 3}), in_ints({1}, {4})},
       .code = ErrorCode::bad_shape,
       .contains = "k = 4 on an axis of length 3"},
      {.name = "negative", .inputs = {in({3}), in_ints({1}, {-1})}, .code = ErrorCode::bad_shape},
      {.name = "two_counts",
       .inputs = {in({3}), in_ints({2}, {1, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "one number"},
  };
}

}  // namespace

OpCard card_top_k() {
  return {
      .name = "TopK",
      .category = Category::indexing,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"what to choose from", "из чего выбирать"}},
                 {.name = "k",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"how many to choose, one number", "сколько выбрать, одно число"},
                  .differentiable = false}},
      .outputs = {{.name = "values", .dtypes = kNumbers, .words = {"the chosen elements", "выбранные элементы"}},
                  {.name = "indices",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"where along the axis they stood", "где вдоль оси они стояли"},
                   .differentiable = false}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = -1,
                      .words = {"the axis along which to choose; -1 is the last",
                                "ось, вдоль которой выбирать; −1 — последняя"}},
                     {.name = "largest",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"choose the largest (true) or the smallest (false)",
                                "выбирать наибольшие (true) или наименьшие (false)"}},
                     {.name = "sorted",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"the most extreme one first (true), or in the order in which they stood (false)",
                                "начиная с самого крайнего (true) или в том порядке, в каком стояли (false)"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_input(10),
      .onnx = {{.op = "TopK", .since = 11}},
      .torch = "torch.topk",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Picks the k largest, or smallest, elements along an axis, and tells where each of them stood. Of "
                    "equal elements the one with the lower position is preferred; NaN counts as larger than every "
                    "number. Only the chosen elements receive a gradient.",
                    "Выбирает вдоль оси k наибольших или наименьших элементов и сообщает, где каждый стоял. Из равных "
                    "предпочитается элемент с меньшей позицией; NaN считается больше любого числа. Градиент получают "
                    "только выбранные элементы."},
           .formula = R"(y_j = x_{I_j}, \quad x_{I_0} \ge x_{I_1} \ge \ldots \ge x_{I_{k-1}})",
           .why =
               {"A mixture of experts sends every token to the few experts with the best scores, and text generation "
                "samples among the k likeliest words. Top-5 accuracy asks whether the right class is among five.",
                "Смесь экспертов отправляет каждый токен к нескольким экспертам с лучшими оценками, а генерация текста "
                "выбирает среди k вероятнейших слов. Точность top-5 спрашивает, есть ли верный класс среди пяти."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
