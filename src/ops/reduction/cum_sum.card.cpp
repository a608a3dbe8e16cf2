#include "asg/graph/card.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/operands.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::check_one_number(ctx, 1);
  const auto known = ctx.known(1);
  if (known && known->front().is_known()) normalize_axis(known->front().value(), ctx.shape(0).rank());
  ops::infer_same(ctx);
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto lanes = ops::lanes_of(x.sizes(), normalize_axis(ctx.in(1).get_i64(0), x.rank()));
  const bool exclusive = ctx.boolean("exclusive");
  const bool reverse = ctx.boolean("reverse");
  ops::dispatch_numeric(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    ops::for_each_lane(lanes, [&](std::int64_t first) {
      T sum = 0;
      for (std::int64_t k = 0; k < lanes.length; ++k) {
        const std::int64_t along = reverse ? lanes.length - 1 - k : k;
        const std::int64_t position = first + along * lanes.after_count;
        const T before = sum;
        sum = ops::wrapping_add(sum, from[position]);
        to[position] = exclusive ? before : sum;
      }
    });
  });
}

// Each element stands in the sums that come after it, so the gradient is summed from the other end.
void gradient(GradientContext& ctx) {
  const Attrs attrs = {{"exclusive", ctx.boolean("exclusive")}, {"reverse", !ctx.boolean("reverse")}};
  ctx.set(0, add_op("CumSum", {ctx.grad(), ctx.in(1)}, attrs));
}

std::vector<Sample> samples() {
  const auto vector = [](std::string name, Attrs attrs, std::vector<double> expected) {
    return Sample{.name = std::move(name),
                  .inputs = {in_exact(ops::reals({1, 2, 4, 8})), in_ints({}, {0})},
                  .attrs = std::move(attrs),
                  .expected = {ops::reals(expected)}};
  };
  return {
      vector("plain", {}, {1, 3, 7, 15}),
      vector("exclusive", {{"exclusive", true}}, {0, 1, 3, 7}),
      vector("reverse", {{"reverse", true}}, {15, 14, 12, 8}),
      vector("exclusive_reverse", {{"exclusive", true}, {"reverse", true}}, {14, 12, 8, 0}),
      {.name = "middle_axis", .inputs = {in({2, 3, 4}), in_ints({1}, {1})}},
      {.name = "negative_axis", .inputs = {in({2, 3}), in_ints({}, {-2})}, .attrs = {{"exclusive", true}}},
      {.name = "integers",
       .inputs = {in_ints({3}, {1, -5, 2}), in_ints({}, {0})},
       .gradient = false,
       .expected = {Array::ints({1, -4, -2})}},
      {.name = "not_a_number",
       .inputs = {in_exact(ops::reals({1, ops::kNan, 2})), in_ints({}, {0})},
       .gradient = false,
       .expected = {ops::reals({1, ops::kNan, ops::kNan})}},
      {.name = "empty", .inputs = {in({2, 0}), in_ints({}, {1})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "no_such_axis", .inputs = {in({2, 3}), in_ints({}, {2})}, .code = ErrorCode::bad_index},
      {.name = "two_axes",
       .inputs = {in({2, 3}), in_ints({2}, {0, 1})},
       .code = ErrorCode::bad_shape,
       .contains = "one number"},
  };
}

}  // namespace

OpCard card_cum_sum() {
  return {
      .name = "CumSum",
      .category = Category::reduction,
      .inputs = {{.name = "x", .dtypes = kNumbers, .words = {"what is summed", "что суммируется"}},
                 {.name = "axis",
                  .dtypes = kIndex,
                  .type = "",
                  .words = {"the axis along which the sums run, as one number; -1 is the last",
                            "ось, вдоль которой идут суммы, одним числом; -1 — последняя"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kNumbers,
                   .words = {"the sum so far at each place, of the shape of x",
                             "накопленная к каждому месту сумма, той же формы, что x"}}},
      .attributes = {{.name = "exclusive",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"leave the element itself out of its sum, so that the first one is 0",
                                "не включать сам элемент в его сумму, так что первая равна 0"}},
                     {.name = "reverse",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"sum from the end of the axis to its beginning", "суммировать от конца оси к началу"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .onnx = {{.op = "CumSum", .since = 11}},
      .torch = "torch.cumsum",
      .words =
          {.what = {"Running sums along an axis: place k of the result holds the sum of the elements up to and "
                    "including k. [1, 2, 4] gives [1, 3, 7]; `exclusive` sums leave out the element itself, [0, 1, 3], "
                    "and `reverse` ones run from the end, [7, 6, 4].",
                    "Накопленные суммы вдоль оси: на месте k результата стоит сумма элементов до k включительно. Из "
                    "[1, 2, 4] получается [1, 3, 7]; с `exclusive` сам элемент не входит, [0, 1, 3], а с `reverse` "
                    "сумма идёт от конца, [7, 6, 4]."},
           .formula = R"(y_k = \sum_{i=0}^{k} x_i)",
           .why = {"Running sums of a mask number its true places, and those of lengths tell where each piece begins. "
                   "Those of sorted probabilities tell top-p sampling of a language model where to cut the tail off.",
                   "Накопленные суммы маски нумеруют её истинные места, а суммы длин дают начало каждого куска. По "
                   "накопленным суммам упорядоченных вероятностей выборка top-p в языковой модели узнаёт, где отсечь "
                   "хвост."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
