#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/graph/input_values.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/kernels.h"
#include "ops/support/operands.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// The number of classes: a length that is followed, the number itself, or one that only the data decides.
Dim depth_of(InferContext& ctx) {
  if (const auto known = ctx.known(1)) return known->front();
  const Array* number = InputValues::at(1);
  return number != nullptr ? Dim(number->get_i64(0)) : ctx.fresh_symbol();
}

void infer(InferContext& ctx) {
  const Shape& indices = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), indices.rank() + 1);
  ops::check_one_number(ctx, 1);
  if (ctx.shape(2).rank() != 1 || ops::surely_differ(ctx.shape(2)[0], 2)) {
    fail(ErrorCode::bad_shape, "values of shape " + ctx.shape(2).to_string(),
         "two numbers: that of the other places and that of the named one");
  }
  const Dim depth = depth_of(ctx);
  if (depth.is_known() && depth.value() < 1) {
    fail(ErrorCode::bad_shape, "a depth of " + depth.to_string(), "at least 1 class");
  }
  std::vector<Dim> dims = indices.dims();
  dims.insert(dims.begin() + axis, depth);
  ctx.output({ctx.dtype(2), Shape(std::move(dims))});
}

void kernel(KernelContext& ctx) {
  Array& out = ctx.out();
  const auto lanes = ops::lanes_of(out.sizes(), normalize_axis(ctx.integer("axis"), out.rank()));
  const Array numbers = ctx.in(0).cast(DType::i64);
  const std::int64_t* index = numbers.data<std::int64_t>().data();
  ops::dispatch_any(out, [&]<class T>() {
    const auto values = ctx.in(2).data<T>();
    const auto to = out.mutable_data<T>();
    std::fill(to.begin(), to.end(), values[0]);
    ops::for_each_lane(lanes, [&](std::int64_t first) {
      const std::int64_t place = *index < 0 ? *index + lanes.length : *index;
      ++index;
      if (place < 0 || place >= lanes.length) return;
      to[static_cast<std::size_t>(first + place * lanes.after_count)] = values[1];
    });
  });
}

// The second value stands at the named places and the first at all others.
void gradient(GradientContext& ctx) {
  const Tensor& values = ctx.in(2);
  const Tensor zero_one = ctx.graph().constant(ops::reals({0, 1}).cast(values.dtype()));
  const Tensor named = add_op("OneHot", {ctx.in(0), ctx.in(1), zero_one}, ctx.attrs());
  const auto total = [](const Tensor& tensor) {
    return add_op("Reshape", {add_op("ReduceSum", {tensor}), ops::ints(tensor.graph(), {1})});
  };
  const Tensor on = total(ctx.grad() * named);
  const Tensor off = total(ctx.grad()) - on;
  ctx.set(2, add_op("Concat", {off, on}, {{"axis", 0}}));
}

std::vector<Sample> samples() {
  const auto depth = [](std::int64_t number) { return in_ints({}, {number}); };
  const Array zero_one = ops::reals({0, 1});
  return {
      {.name = "labels",
       .inputs = {in_ints({3}, {2, 0, 1}), depth(3), in_exact(zero_one)},
       .expected = {Array::of<double>({3, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0})}},
      {.name = "negative_and_outside",
       .inputs = {in_ints({4}, {-1, -3, 2, 5}), in_ints({1}, {2}), in_ints({2}, {7, 9})},
       .gradient = false,
       .expected = {Array::of<std::int64_t>({4, 2}, {7, 9, 7, 7, 7, 7, 7, 7})}},
      {.name = "first_axis",
       .inputs = {in_ints({2, 3}, {0, 1, 2, 3, 3, 0}), depth(4), in({2})},
       .attrs = {{"axis", 0}}},
      {.name = "middle_axis",
       .inputs = {in_ints({2, 3}, {0, 1, 2, 3, 3, 0}), depth(4), in({2})},
       .attrs = {{"axis", 1}}},
      {.name = "default_axis", .inputs = {in_ints({2, 4}, {0, 1, 2, 2, 1, 0, 1, 0}), depth(3), in({2})}},
      {.name = "scalar", .inputs = {in_ints({}, {1}), depth(3), in({2})}},
      {.name = "bools",
       .inputs = {in_ints({2}, {1, 0}), depth(2), in_bools({2}, {false, true})},
       .gradient = false,
       .expected = {ops::bools({false, true, true, false}).reshaped({2, 2})}},
      {.name = "real_numbers",
       .inputs = {in_exact(ops::reals({1, 0})), in_exact(Array::scalar(DType::f64, 2)), in_exact(zero_one)},
       .gradient = false,
       .expected = {Array::of<double>({2, 2}, {0, 1, 1, 0})}},
      {.name = "empty", .inputs = {in_ints({0, 2}, {}), depth(3), in({2})}, .gradient = false},
      {.name = "rank_3",
       .inputs = {in_ints({2, 3, 4}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3}),
                  depth(5), in({2})},
       .attrs = {{"axis", -2}}},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "one_value",
       .inputs = {in_ints({2}, {0, 1}), in_ints({}, {2}), in({1})},
       .code = ErrorCode::bad_shape,
       .contains = "two numbers"},
      {.name = "depth_zero",
       .inputs = {in_ints({2}, {0, 1}), in_ints({}, {0}), in({2})},
       .code = ErrorCode::bad_shape,
       .contains = "at least 1"},
      {.name = "no_such_axis",
       .inputs = {in_ints({2}, {0, 1}), in_ints({}, {2}), in({2})},
       .attrs = {{"axis", 2}},
       .code = ErrorCode::bad_index},
  };
}

}  // namespace

OpCard card_one_hot() {
  return {
      .name = "OneHot",
      .category = Category::indexing,
      .inputs = {{.name = "indices",
                  .dtypes = kNumbers,
                  .type = "I",
                  .words = {"class numbers of any shape; negative ones count from the end",
                            "номера классов, тензор любой формы; отрицательные считаются с конца"},
                  .differentiable = false},
                 {.name = "depth",
                  .dtypes = kNumbers,
                  .type = "D",
                  .words = {"the number of classes, one number", "число классов, одно число"},
                  .differentiable = false},
                 {.name = "values",
                  .dtypes = kAnyType,
                  .words = {"two numbers: what stands at all other places, and what at the named one",
                            "два числа: что стоит на остальных местах и что на названном"}}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"the second value at the place of the index, else the first",
                             "второе значение на месте индекса, иначе первое"}}},
      .attributes = {{.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = -1,
                      .words = {"where the new axis stands in the result; -1 is the last place",
                                "место новой оси в результате; −1 — последнее"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "OneHot", .since = 11}},
      .torch = "torch.nn.functional.one_hot",
      .tolerance = ops::kExact,
      .words = {.what = {"Turns each class number into a vector of `depth` numbers: with the values 0 and 1 it is 1 at "
                         "the place of the class and 0 elsewhere. A number outside -depth to depth - 1 marks no place, "
                         "which serves as an \"ignore this\" label.",
                         "Превращает каждый номер класса в вектор из `depth` чисел: при значениях 0 и 1 это 1 на месте "
                         "класса и 0 на остальных. Номер вне промежутка от −depth до depth − 1 не отмечает ничего и "
                         "годится как метка «не учитывать»."},
                .formula = R"(y_{j c} = \begin{cases} v_1 & c = I_j \\ v_0 & \text{otherwise} \end{cases})",
                .why = {"Class numbers have no order that means anything: class 7 is not more than class 3. As one-hot "
                        "vectors all classes are equally far apart, and cross-entropy can compare them with predicted "
                        "probabilities place by place; other values than 0 and 1 smooth the labels.",
                        "Порядок номеров классов ничего не значит: класс 7 не больше класса 3. В виде one-hot-векторов "
                        "все классы равноудалены, и перекрёстная энтропия может сравнивать их с предсказанными "
                        "вероятностями место за местом; значения, отличные от 0 и 1, сглаживают метки."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
