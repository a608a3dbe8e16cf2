#include <algorithm>
#include <limits>
#include <string>

#include "asg/graph/card.h"
#include "asg/graph/input_values.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Instead of an axis: the tensor counts as one long vector.
constexpr std::int64_t kFlat = std::numeric_limits<std::int64_t>::max();

bool is_flat(const AttrReader& attributes) { return attributes.integer("axis") == kFlat; }

Shape flattened(const AttrReader& attributes, const Shape& x) {
  return is_flat(attributes) ? Shape{x.element_count()} : x;
}

int axis_of(const AttrReader& attributes, int rank) {
  return is_flat(attributes) ? 0 : normalize_axis(attributes.integer("axis"), rank);
}

Dim count_of(InferContext& ctx) {
  const Array* condition = InputValues::at(1);
  if (condition == nullptr) return ctx.fresh_symbol();
  const Array dense = condition->dense();
  const auto flags = dense.data<bool>();
  return std::count(flags.begin(), flags.end(), true);
}

void infer(InferContext& ctx) {
  const Shape& condition = ctx.shape(1);
  const Shape x = flattened(ctx, ctx.shape(0));
  const int axis = axis_of(ctx, x.rank());
  if (condition.rank() != 1) {
    fail(ErrorCode::bad_shape, "a condition of shape " + condition.to_string(), "a vector", "flatten it");
  }
  if (condition[0].is_known() && x[axis].is_known() && condition[0].value() > x[axis].value()) {
    fail(ErrorCode::bad_shape, condition[0].to_string() + " conditions for an axis of length " + x[axis].to_string(),
         "at most one for each element of the axis");
  }
  std::vector<Dim> dims = x.dims();
  dims[static_cast<std::size_t>(axis)] = count_of(ctx);
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

void kernel(KernelContext& ctx) {
  const bool flat = is_flat(ctx);
  const Array x = flat ? ctx.in(0).reshaped({ctx.in(0).count()}) : ctx.in(0);
  const auto lanes = ops::lanes_of(x.sizes(), axis_of(ctx, x.rank()));
  const auto condition = ctx.in(1).data<bool>();
  ops::dispatch_any(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    for (std::int64_t before = 0; before < lanes.before_count; ++before) {
      const T* lane = from + before * lanes.length * lanes.after_count;
      for (std::size_t k = 0; k < condition.size(); ++k) {
        if (!condition[k]) continue;
        to = std::copy_n(lane + static_cast<std::int64_t>(k) * lanes.after_count, lanes.after_count, to);
      }
    }
  });
}

// What was kept goes back to its place, which the true conditions name.
void gradient(GradientContext& ctx) {
  const Tensor& x = ctx.in(0);
  const bool flat = is_flat(ctx);
  const Tensor places = add_op("NonZero", {ctx.in(1)});
  const Tensor kept = add_op("Reshape", {places, ops::ints(ctx.graph(), {-1})});
  const Tensor whole = flat ? add_op("Reshape", {add_op("Size", {x}), ops::ints(ctx.graph(), {1})}) : ops::shape_of(x);
  const Tensor grad = add_op("GatherGrad", {ctx.grad(), kept, whole}, {{"axis", axis_of(ctx, x.rank())}});
  ctx.set(0, flat ? add_op("Reshape", {grad, ops::shape_of(x)}) : grad);
}

std::vector<Sample> samples() {
  const Array six = Array::of<double>({3, 2}, {1, 2, 3, 4, 5, 6});
  return {
      {.name = "rows",
       .inputs = {in_exact(six), in_bools({3}, {false, true, true})},
       .attrs = {{"axis", 0}},
       .expected = {Array::of<double>({2, 2}, {3, 4, 5, 6})}},
      {.name = "columns",
       .inputs = {in_exact(six), in_bools({2}, {false, true})},
       .attrs = {{"axis", -1}},
       .expected = {Array::of<double>({3, 1}, {2, 4, 6})}},
      {.name = "flattened",
       .inputs = {in_exact(six), in_bools({5}, {false, true, false, false, true})},
       .expected = {Array::of<double>({2}, {2, 5})}},
      {.name = "middle_axis", .inputs = {in({2, 3, 4}), in_bools({3}, {true, false, true})}, .attrs = {{"axis", 1}}},
      {.name = "nothing",
       .inputs = {in({2, 3}), in_bools({2}, {false, false})},
       .attrs = {{"axis", 0}},
       .gradient = false},
      {.name = "empty", .inputs = {in({0, 3}), in_bools({0}, {})}, .gradient = false},
  };
}

}  // namespace

OpCard card_compress() {
  return {
      .name = "Compress",
      .category = Category::indexing,
      .inputs =
          {{.name = "x", .dtypes = kAnyType, .words = {"what to choose from", "из чего выбирать"}},
           {.name = "condition",
            .dtypes = kBool,
            .type = "",
            .words = {"whether to keep each slice along the axis; slices for which no condition is left are dropped",
                      "оставлять ли каждый срез вдоль оси; срезы, на которые условий не хватило, отбрасываются"},
            .differentiable = false}},
      .outputs = {{.name = "y", .dtypes = kAnyType, .words = {"the slices that were kept", "оставленные срезы"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = kFlat,
                      .words = {"the axis of the slices; by default x is flattened and single elements are kept",
                                "ось срезов; по умолчанию x вытягивается в вектор и выбираются отдельные элементы"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Compress", .since = 11}},
      .torch = "torch.masked_select",
      .tolerance = ops::kExact,
      .words = {.what = {"Keeps the slices along an axis whose condition is true and drops the others, so that the "
                         "axis gets shorter; how much shorter, only the data decide. Without an axis it keeps single "
                         "elements of the flattened tensor.",
                         "Оставляет вдоль оси срезы, для которых условие истинно, и отбрасывает остальные, так что ось "
                         "становится короче; насколько — решают только данные. Без оси выбирает отдельные элементы "
                         "вытянутого тензора."},
                .formula = R"(y = ( x_i : c_i ))",
                .why = {"Padding is dropped before an expensive step, hard example mining leaves easy examples out of "
                        "the loss, and sentences that have ended leave the batch while the others go on.",
                        "Так перед дорогим шагом убирают заполнение, при отборе трудных примеров лёгкие исключают из "
                        "потери, а законченные предложения покидают пакет, пока остальные продолжаются."}},
      .samples = samples(),
      .bad_samples = {{.name = "condition_matrix",
                       .inputs = {in({2, 3}), in_bools({1, 2}, {true, false})},
                       .code = ErrorCode::bad_shape,
                       .contains = "a vector"},
                      {.name = "too_many",
                       .inputs = {in({2, 3}), in_bools({3}, {true, false, true})},
                       .attrs = {{"axis", 0}},
                       .code = ErrorCode::bad_shape,
                       .contains = "3 conditions for an axis of length 2"}},
  };
}

}  // namespace asg::cards
