#include "ops/random/random_parts.h"

#include <string>

#include "ops/support/cost.h"
#include "ops/support/kernels.h"

namespace asg::ops {
namespace {

constexpr std::string_view kNoGradient =
    "what is drawn depends on seed, step and place only, not on the value of any tensor of floats";
constexpr double kFlopsPerDraw = 40;  // ten rounds of Philox

using Ints64 = std::vector<std::int64_t>;

void set_common(OpCard& card, const std::vector<Parameter>& parameters) {
  card.category = Category::random;
  card.outputs = {{.name = "y", .words = {"random numbers", "случайные числа"}}};
  for (const Parameter& parameter : parameters) {
    card.attributes.push_back(
        {.name = parameter.name, .kind = AttrKind::real, .fallback = parameter.fallback, .words = parameter.words});
  }
  card.traits = {.random = true};
  card.gradient_kind = GradientKind::zero;
  card.gradient_reason = kNoGradient;
  card.cost = cost_per_output(kFlopsPerDraw);
}

// The attributes of sample `number`, in which all pairs of defaults and others occur within four samples.
Attrs some_of(const std::vector<Parameter>& parameters, std::size_t number) {
  Attrs attrs;
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    if (number >> index & 1u) attrs.set(parameters[index].name, parameters[index].other);
  }
  return attrs;
}

BadSample seed_of_rank_3(std::vector<SampleInput> inputs, Attrs attrs) {
  inputs.push_back(in_exact(Array(DType::u64, {2, 3, 4})));
  inputs.push_back(random_number(0));
  return {.name = "seed_of_rank_3",
          .inputs = std::move(inputs),
          .attrs = std::move(attrs),
          .code = ErrorCode::bad_shape,
          .contains = "a seed of shape [2, 3, 4]"};
}

}  // namespace

std::vector<Port> random_ports() {
  return {{.name = "seed",
           .dtypes = {DType::u64},
           .type = "",
           .words = {"the seed of all random numbers of the model", "зерно всех случайных чисел модели"},
           .differentiable = false},
          {.name = "step",
           .dtypes = {DType::u64},
           .type = "",
           .words = {"the number of the training step; each step draws others",
                     "номер шага обучения; на каждом шаге числа другие"},
           .differentiable = false}};
}

void check_random_inputs(const InferContext& ctx, int first) {
  for (int index = first; index < first + 2; ++index) {
    if (ctx.shape(index).rank() == 0) continue;
    fail(ErrorCode::bad_shape,
         std::string(index == first ? "a seed" : "a step") + " of shape " + ctx.shape(index).to_string(), "a scalar");
  }
}

RandomStream random_stream(const KernelContext& ctx, int first) {
  const auto seed = ctx.in(first).data<std::uint64_t>().front();
  const auto step = ctx.in(first + 1).data<std::uint64_t>().front();
  return {seed, ctx.stream, step};
}

std::function<void(KernelContext&)> random_kernel(int first, Draw draw) {
  return [first, draw = std::move(draw)](KernelContext& ctx) {
    const RandomStream random = random_stream(ctx, first);
    const auto y = ctx.out().mutable_data<double>();
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = draw(ctx, random, k);
  };
}

void fill_by_shape(OpCard& card, const std::vector<Parameter>& parameters, const Draw& draw) {
  set_common(card, parameters);
  card.inputs = random_ports();
  card.attributes.push_back({.name = "shape",
                             .kind = AttrKind::integers,
                             .least = 0,
                             .words = {"the lengths of the axes of the result", "длины осей результата"}});
  card.attributes.push_back({.name = "dtype",
                             .kind = AttrKind::dtype,
                             .fallback = DType::f32,
                             .words = {"the type of the numbers, one of floats", "тип чисел, один из вещественных"}});
  card.infer = [](InferContext& ctx) {
    check_random_inputs(ctx, 0);
    const DType dtype = ctx.dtype_attr("dtype");
    if (!is_float(dtype)) {
      fail(ErrorCode::bad_dtype, "random numbers of type " + std::string(name_of(dtype)), "a type of floats",
           "draw floats and cast them");
    }
    ctx.output({dtype, Shape::of(ctx.integers("shape"))});
  };
  card.kernel = random_kernel(0, draw);
  const std::vector<SampleInput> inputs = {random_number(7), random_number(3)};
  for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    for (std::size_t number = 0; number < 4; ++number) {
      Attrs attrs = some_of(parameters, number);
      attrs.set("dtype", dtype);
      attrs.set("shape", number == 0 ? Ints64{} : number == 1 ? Ints64{0, 3} : Ints64{2, 3, 4});
      card.samples.push_back({.name = std::string(name_of(dtype)) + "_" + std::to_string(number),
                              .inputs = inputs,
                              .attrs = std::move(attrs),
                              .gradient = false});
    }
  }
  card.bad_samples = {seed_of_rank_3({}, {{"shape", Ints64{2}}}),
                      {.name = "integers",
                       .inputs = inputs,
                       .attrs = {{"shape", Ints64{2}}, {"dtype", DType::i32}},
                       .code = ErrorCode::bad_dtype,
                       .contains = "a type of floats"},
                      {.name = "negative_length",
                       .inputs = inputs,
                       .attrs = {{"shape", Ints64{2, -1}}},
                       .code = ErrorCode::bad_attribute}};
}

void fill_like(OpCard& card, const std::vector<Parameter>& parameters, const Draw& draw) {
  set_common(card, parameters);
  card.inputs = {{.name = "x",
                  .words = {"gives shape and type, not values", "задаёт форму и тип, но не значения"},
                  .differentiable = false}};
  for (Port& port : random_ports()) card.inputs.push_back(port);
  card.infer = [](InferContext& ctx) {
    check_random_inputs(ctx, 1);
    ctx.output(ctx.type(0));
  };
  card.kernel = random_kernel(1, draw);
  const Sizes shapes[] = {{}, {0, 3}, {2, 3, 4}, {5}};
  for (std::size_t number = 0; number < 4; ++number) {
    card.samples.push_back({.name = "like_" + std::to_string(number),
                            .inputs = {in(shapes[number]), random_number(7), random_number(number)},
                            .attrs = some_of(parameters, number),
                            .gradient = false});
  }
  card.bad_samples = {seed_of_rank_3({in({2, 3})}, {})};
}

SampleInput random_number(std::uint64_t value) { return in_exact(Array::of<std::uint64_t>({}, {value})); }

}  // namespace asg::ops
