#include <algorithm>
#include <string>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/shape/view_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/operands.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

// ---- Sizes

std::vector<std::int64_t> all_axes(int rank) {
  std::vector<std::int64_t> axes;
  for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

std::vector<int> padded_axes(const InferContext& ctx) {
  const int rank = ctx.shape(0).rank();
  const auto axes = ops::distinct_axes(ctx.has(3) ? ops::need_integers(ctx, 3, "axes") : all_axes(rank), rank);
  const auto& pads = ctx.shape(1);
  if (pads.rank() != 1 || pads[0] != Dim(2 * static_cast<std::int64_t>(axes.size()))) {
    fail(ErrorCode::bad_shape, "pads of shape " + pads.to_string() + " for " + std::to_string(axes.size()) + " axes",
         "two for each axis: all at the beginnings, then all at the ends");
  }
  return axes;
}

// How many elements a mode can take from an axis for a margin; nothing where there is no limit.
std::optional<std::int64_t> widest(const std::string& mode, const Dim& length) {
  if (mode == "constant" || !length.is_known()) return std::nullopt;
  if (mode == "reflect") return std::max<std::int64_t>(0, length.value() - 1);
  if (mode == "wrap" || length == Dim(0)) return length.value();
  return std::nullopt;
}

// What negative pads leave of an axis; the copies in the margins are taken from that.
Dim kept_length(const Dim& length, const Dim& before, const Dim& after) {
  Dim kept = length;
  for (const Dim& pad : {before, after}) {
    if (pad.is_known() && pad.value() < 0) kept = kept + pad;
  }
  return kept.is_known() && kept.value() < 0 ? Dim(0) : kept;
}

void check_margin(const std::string& mode, const Dim& pad, const Dim& length, int axis) {
  const auto most = widest(mode, length);
  if (!most || !pad.is_known() || pad.value() <= *most) return;
  fail(ErrorCode::bad_shape,
       "a margin of " + pad.to_string() + " by mode '" + mode + "' on axis " + std::to_string(axis) + " of length " +
           length.to_string(),
       "at most " + std::to_string(*most) + ", as there are no more elements to take", "pad less, or by another mode");
}

void infer(InferContext& ctx) {
  const auto axes = padded_axes(ctx);
  const auto pads = ctx.need_known(1);
  const std::string& mode = ctx.text("mode");
  if (ctx.has(2) && ctx.shape(2).rank() != 0) {
    fail(ErrorCode::bad_shape, "a fill value of shape " + ctx.shape(2).to_string(), "a scalar", "squeeze it first");
  }
  std::vector<Dim> dims = ctx.shape(0).dims();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Dim& length = dims[static_cast<std::size_t>(axes[k])];
    const Dim& before = pads[k];
    const Dim& after = pads[axes.size() + k];
    const Dim kept = kept_length(length, before, after);
    check_margin(mode, before, kept, axes[k]);
    check_margin(mode, after, kept, axes[k]);
    const Dim padded = length + before + after;
    if (padded.is_known() && padded.value() < 0) {
      fail(ErrorCode::bad_shape,
           "pads " + before.to_string() + " and " + after.to_string() + " on axis " + std::to_string(axes[k]) +
               " of length " + length.to_string(),
           "negative pads that cut off at most the whole axis");
    }
    length = padded;
  }
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

// ---- Values

// The margins of one axis in a run.
struct Margin {
  int axis = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

std::vector<Margin> margins_of(const KernelContext& ctx) {
  const int rank = ctx.in(0).rank();
  const auto axes = ops::distinct_axes(ctx.has(3) ? ops::ints_of(ctx.in(3)) : all_axes(rank), rank);
  const auto pads = ops::ints_of(ctx.in(1));
  std::vector<Margin> margins;
  for (std::size_t k = 0; k < axes.size(); ++k) margins.push_back({axes[k], pads[k], pads[axes.size() + k]});
  return margins;
}

// What input and output have in common: a part of the one that stands somewhere in the other.
void fill_around(KernelContext& ctx) {
  Array source = ctx.in(0);
  Array target = ctx.out();
  if (ctx.has(2)) target.assign(ctx.in(2).broadcast_to(target.sizes()));
  for (const Margin& margin : margins_of(ctx)) {
    const auto along = static_cast<std::size_t>(margin.axis);
    const std::int64_t first = std::max<std::int64_t>(0, -margin.before);
    const std::int64_t past = std::min(source.sizes()[along], target.sizes()[along] - margin.before);
    const std::int64_t count = std::max<std::int64_t>(0, past - first);
    source = source.sliced(margin.axis, first, count, 1);
    target = target.sliced(margin.axis, first + margin.before, count, 1);
  }
  target.assign(source);
}

// Which element of an axis stands at a place that may lie outside it.
std::int64_t source_of(const std::string& mode, std::int64_t place, std::int64_t length) {
  if (mode == "edge") return std::clamp<std::int64_t>(place, 0, length - 1);
  if (mode == "wrap") return place < 0 ? place + length : place < length ? place : place - length;
  return length - 1 - std::abs(length - 1 - std::abs(place));
}

// x without what the negative ones of two pads cut off.
Array cut(const Array& x, const Margin& margin) {
  const std::int64_t first = std::max<std::int64_t>(0, -margin.before);
  const std::int64_t past = x.sizes()[static_cast<std::size_t>(margin.axis)] - std::max<std::int64_t>(0, -margin.after);
  return x.sliced(margin.axis, first, std::max<std::int64_t>(0, past - first), 1);
}

// x with the positive ones of two pads.
Array repeated(const Array& x, Margin margin, const std::string& mode) {
  margin.before = std::max<std::int64_t>(0, margin.before);
  margin.after = std::max<std::int64_t>(0, margin.after);
  const std::int64_t length = x.sizes()[static_cast<std::size_t>(margin.axis)];
  Sizes sizes = x.sizes();
  sizes[static_cast<std::size_t>(margin.axis)] = length + margin.before + margin.after;
  const Array result(x.dtype(), sizes);
  for (std::int64_t place = -margin.before; place < length + margin.after; ++place) {
    const Array from = x.sliced(margin.axis, source_of(mode, place, length), 1, 1);
    result.sliced(margin.axis, place + margin.before, 1, 1).assign(from);
  }
  return result;
}

void kernel(KernelContext& ctx) {
  const std::string& mode = ctx.text("mode");
  if (mode == "constant") return fill_around(ctx);
  Array result = ctx.in(0);
  for (const Margin& margin : margins_of(ctx)) result = repeated(cut(result, margin), margin, mode);
  ctx.out().assign(result);
}

// ---- Gradient

// The same elements of an axis of x as a vector of indices, for lengths and margins that may be symbols.
Tensor source_places(const std::string& mode, const Tensor& x, int axis, const Tensor& before, const Tensor& after) {
  Graph& graph = x.graph();
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor one = graph.constant(Array::scalar_i64(1));
  const Tensor length = add_op("Squeeze", {ops::length_of(x, axis), ops::ints(graph, {0})});
  const Tensor start = add_op("Neg", {before});
  const Tensor places = add_op("Range", {start, length + after, one});
  const Tensor last = length - one;
  if (mode == "edge") return add_op("Max", {zero, add_op("Min", {places, last})});
  if (mode == "reflect") return last - add_op("Abs", {last - add_op("Abs", {places})});
  const Tensor is_below = add_op("Less", {places, length});
  const Tensor beyond = ops::choose(is_below, places, places - length);
  const Tensor is_before = add_op("Less", {places, zero});
  return ops::choose(is_before, places + length, beyond);
}

// The shape of `tensor` with the length of one axis as x has it.
Tensor shape_with_length_of(const Tensor& tensor, const Tensor& x, int axis) {
  const Tensor before = add_op("Shape", {tensor}, {{"end", axis}});
  const Tensor after = add_op("Shape", {tensor}, {{"start", axis + 1}});
  return add_op("Concat", {before, ops::length_of(x, axis), after}, {{"axis", 0}});
}

// Every element gets the gradients of all places to which it was copied; what was cut off gets 0.
void gradient_of_copies(GradientContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor cuts = add_op("Min", {ctx.in(1), zero});
  const Tensor margins = add_op("Max", {ctx.in(1), zero});
  const Tensor given_axes = ctx.has(3) ? ctx.in(3) : Tensor();
  const Tensor x = add_op("Pad", {ctx.in(0), cuts, Tensor(), given_axes});
  const auto axes = ops::distinct_axes(ctx.has(3) ? ops::known_ints(ctx.in(3)) : all_axes(x.rank()), x.rank());
  const auto pad = [&](std::size_t at) {
    return add_op("Gather", {margins, graph.constant(Array::scalar_i64(static_cast<std::int64_t>(at)))});
  };
  Tensor result = ctx.grad();
  for (std::size_t k = axes.size(); k-- > 0;) {
    const Tensor before = pad(k);
    const Tensor after = pad(axes.size() + k);
    const Tensor places = source_places(ctx.text("mode"), x, axes[k], before, after);
    result = add_op("GatherGrad", {result, places, shape_with_length_of(result, x, axes[k])}, {{"axis", axes[k]}});
  }
  ctx.set(0, add_op("Pad", {result, add_op("Neg", {cuts}), Tensor(), given_axes}));
}

// A negative pad cuts off what a positive one added, so the gradient is a Pad too. What came from the fill value is
// what did not come from x.
void gradient(GradientContext& ctx) {
  if (ctx.text("mode") != "constant") return gradient_of_copies(ctx);
  const Tensor axes = ctx.has(3) ? ctx.in(3) : Tensor();
  const Tensor dx = add_op("Pad", {ctx.grad(), add_op("Neg", {ctx.in(1)}), Tensor(), axes});
  ctx.set(0, dx);
  if (!ctx.has(2) || !ctx.needs(2)) return;
  const auto sum = [](const Tensor& tensor) { return add_op("ReduceSum", {tensor}, {{"keepdims", false}}); };
  const Tensor all = sum(ctx.grad());
  ctx.set(2, all - sum(dx));
}

std::vector<Sample> samples() {
  const auto by = [](std::string mode, std::vector<double> expected) {
    return Sample{.name = mode,
                  .inputs = {in_exact(Array::of<double>({3}, {1, 2, 3})), in_ints({2}, {2, 1})},
                  .attrs = {{"mode", mode}},
                  .expected = {Array::of<double>({6}, expected)}};
  };
  const auto matrix = [](std::string mode) {
    return Sample{
        .name = mode + "_all_around", .inputs = {in({2, 3}), in_ints({4}, {1, 2, 0, 1})}, .attrs = {{"mode", mode}}};
  };
  const auto chosen = [](std::string mode) {
    return Sample{.name = mode + "_cut_and_padded",
                  .inputs = {in({2, 4, 5}), in_ints({4}, {-1, 2, 2, -1}), absent(), in_ints({2}, {-1, 1})},
                  .attrs = {{"mode", mode}}};
  };
  return {
      by("reflect", {3, 2, 1, 2, 3, 2}),
      by("edge", {1, 1, 1, 2, 3, 3}),
      by("wrap", {2, 3, 1, 2, 3, 1}),
      matrix("reflect"),
      matrix("edge"),
      matrix("wrap"),
      chosen("reflect"),
      chosen("edge"),
      chosen("wrap"),
      {.name = "mirrored_at_the_cut",
       .inputs = {in_exact(Array::of<double>({4}, {1, 2, 3, 4})), in_ints({2}, {2, -1})},
       .attrs = {{"mode", "reflect"}},
       .expected = {Array::of<double>({5}, {3, 2, 1, 2, 3})}},
      {.name = "wrapped_at_the_cut",
       .inputs = {in_exact(Array::of<double>({4}, {1, 2, 3, 4})), in_ints({2}, {-1, 2})},
       .attrs = {{"mode", "wrap"}},
       .expected = {Array::of<double>({5}, {2, 3, 4, 2, 3})}},
      {.name = "some_axes", .inputs = {in({2, 3, 4}), in_ints({4}, {1, 0, 0, 2}), in({}), in_ints({2}, {0, -1})}},
      {.name = "vector",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_ints({2}, {1, 2})},
       .expected = {Array::of<double>({5}, {0, 1, 2, 0, 0})}},
      {.name = "filled",
       .inputs = {in_exact(Array::of<double>({2}, {1, 2})), in_ints({2}, {0, 1}),
                  in_exact(Array::scalar(DType::f64, 7))},
       .expected = {Array::of<double>({3}, {1, 2, 7})}},
      {.name = "rank_3", .inputs = {in({2, 3, 4}), in_ints({6}, {0, 1, 2, 1, 0, 3}), in({})}},
      {.name = "cut", .inputs = {in({4, 5}), in_ints({4}, {-1, 2, 0, -3})}},
      {.name = "cut_and_filled", .inputs = {in({3, 4}), in_ints({4}, {1, -1, -2, 2}), in({})}},
      {.name = "none", .inputs = {in({2, 3}), in_ints({4}, {0, 0, 0, 0})}},
      {.name = "scalar", .inputs = {in({}), in_ints({0}, {})}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 2}), in_ints({4}, {1, 0, 1, 0}), in({})}, .gradient = false},
      {.name = "cut_to_nothing", .inputs = {in({2, 3}), in_ints({4}, {-1, 0, -1, 0})}, .gradient = false},
      {.name = "nothing_in_common", .inputs = {in({3}), in_ints({2}, {-4, 5})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_few",
       .inputs = {in({2, 3}), in_ints({2}, {1, 1})},
       .code = ErrorCode::bad_shape,
       .contains = "two for each axis"},
      {.name = "cut_too_much", .inputs = {in({2}), in_ints({2}, {-2, -1})}, .code = ErrorCode::bad_shape},
      {.name = "reflect_too_wide",
       .inputs = {in({2, 3}), in_ints({4}, {0, 3, 0, 0})},
       .attrs = {{"mode", "reflect"}},
       .code = ErrorCode::bad_shape,
       .contains = "at most 2"},
      {.name = "reflect_wider_than_the_cut",
       .inputs = {in({4}), in_ints({2}, {-2, 2})},
       .attrs = {{"mode", "reflect"}},
       .code = ErrorCode::bad_shape,
       .contains = "at most 1"},
      {.name = "wrap_too_wide",
       .inputs = {in({2}), in_ints({2}, {0, 3})},
       .attrs = {{"mode", "wrap"}},
       .code = ErrorCode::bad_shape,
       .contains = "at most 2"},
      {.name = "edge_of_nothing",
       .inputs = {in({0}), in_ints({2}, {0, 1})},
       .attrs = {{"mode", "edge"}},
       .code = ErrorCode::bad_shape,
       .contains = "no more elements"},
      {.name = "axis_twice",
       .inputs = {in({2, 3}), in_ints({4}, {1, 1, 0, 0}), absent(), in_ints({2}, {1, -1})},
       .code = ErrorCode::bad_index,
       .contains = "twice"},
      {.name = "fill_vector",
       .inputs = {in({2}), in_ints({2}, {1, 1}), in({2})},
       .code = ErrorCode::bad_shape,
       .contains = "a scalar"},
  };
}

}  // namespace

OpCard card_pad() {
  return {
      .name = "Pad",
      .category = Category::shape,
      .inputs = {ops::any_tensor(),
                 {.name = "pads",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"elements to add at the beginning of each axis, then at the end of each; negative ones cut",
                            "сколько добавить в начале каждой оси, затем в конце каждой; отрицательные числа обрезают"},
                  .differentiable = false},
                 {.name = "value",
                  .dtypes = kAnyType,
                  .kind = PortKind::optional,
                  .words = {"what to fill with in mode constant; 0 without it",
                            "чем заполнять в режиме constant; по умолчанию 0"}},
                 {.name = "axes",
                  .dtypes = kIndex,
                  .type = "",
                  .kind = PortKind::optional,
                  .words = {"the axes that the pads are for; all of them without it",
                            "оси, к которым относятся поля; без этого входа — все"},
                  .differentiable = false}},
      .outputs = {{.name = "y", .dtypes = kAnyType, .words = {"x with a margin around it", "x с полями вокруг него"}}},
      .attributes = {{.name = "mode",
                      .kind = AttrKind::text,
                      .fallback = "constant",
                      .choices = {"constant", "reflect", "edge", "wrap"},
                      .words = {"what stands in the margin: one value, the elements mirrored at the first and last, "
                                "the first and last repeated, or the other end of the axis",
                                "что стоит на полях: одно значение, элементы, отражённые в первом и последнем, "
                                "повторённые первый и последний или другой конец оси"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Pad", .since = 18}},
      .torch = "torch.nn.functional.pad",
      .tolerance = ops::kExact,
      .words = {.what = {"Adds a margin around a tensor: for each axis so many elements before its first and so many "
                         "after its last. The margin holds one value, or by mode the tensor's own elements: mirrored, "
                         "repeated, or from the other end; to mirror or wrap, an axis must be long enough. Negative "
                         "numbers cut elements off; that is done first, so a margin is copied from what is left.",
                         "Добавляет поля вокруг тензора: для каждой оси столько-то элементов перед первым и столько-то "
                         "после последнего. На полях стоит одно значение или, в зависимости от режима, собственные "
                         "элементы тензора: отражённые, повторённые или с другого конца; чтобы отражать или брать с "
                         "другого конца, длины оси должно хватать. Отрицательные числа обрезают, причём сначала: поля "
                         "копируются из того, что осталось."},
                .formula = R"(y_i = \begin{cases} x_{i - b} & 0 \le i - b < n \\ v & \text{otherwise} \end{cases})",
                .why = {"Sequences of different lengths are padded to one length so that they fit into one batch, and "
                        "pictures get a margin so that a convolution can look at their borders. Image generators "
                        "mirror instead of adding zeros, which would show as a dark frame.",
                        "Последовательности разной длины дополняют до одной, чтобы они поместились в один пакет, а "
                        "изображениям добавляют поля, чтобы свёртка могла смотреть на их края. Генераторы изображений "
                        "отражают края: нули проступили бы тёмной рамкой."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
