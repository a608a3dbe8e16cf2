#include "ops/support/axis_maps.h"

#include <numeric>
#include <string>
#include <utility>

#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/kernels.h"

namespace asg::ops {
namespace {

Array apply(const AxisMap& map, const Array& x, bool transposed) {
  Sizes sizes = x.sizes();
  sizes[static_cast<std::size_t>(map.axis)] = transposed ? map.input : map.output();
  Array y(DType::f64, sizes);
  const Lanes in = lanes_of(x.sizes(), map.axis);
  const Lanes out = lanes_of(sizes, map.axis);
  const double* from = x.data<double>().data();
  double* to = y.mutable_data<double>().data();
  for (std::int64_t before = 0; before < in.before_count; ++before) {
    for (std::int64_t position = 0; position < map.output(); ++position) {
      for (const AxisMap::Tap& tap : map.taps[static_cast<std::size_t>(position)]) {
        const double* row = from + (before * in.length + (transposed ? position : tap.from)) * in.after_count;
        double* sum = to + (before * out.length + (transposed ? tap.from : position)) * out.after_count;
        for (std::int64_t after = 0; after < in.after_count; ++after) sum[after] += tap.weight * row[after];
      }
    }
  }
  return y;
}

void apply_all(KernelContext& ctx, const std::vector<AxisMap>& maps, bool transposed) {
  Array value = ctx.in(0);
  for (const AxisMap& map : maps) value = apply(map, value, transposed);
  ctx.out().assign(value);
}

// [input, output], or transposed: the factor on the right of a product along the last axis.
Array matrix_of(const AxisMap& map, bool transposed) {
  Array matrix(DType::f64, {map.output(), map.input});
  const auto to = matrix.mutable_data<double>();
  for (std::int64_t position = 0; position < map.output(); ++position) {
    for (const AxisMap::Tap& tap : map.taps[static_cast<std::size_t>(position)]) {
      to[static_cast<std::size_t>(position * map.input + tap.from)] += tap.weight;
    }
  }
  return transposed ? matrix : matrix.transposed({1, 0}).copy();
}

Tensor products(const Tensor& x, const std::vector<AxisMap>& maps, bool transposed) {
  Tensor value = x;
  for (const AxisMap& map : maps) {
    std::vector<std::int64_t> perm(static_cast<std::size_t>(x.rank()));
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[static_cast<std::size_t>(map.axis)], perm.back());
    const Tensor last = add_op("Transpose", {value}, {{"perm", perm}});
    const Tensor matrix = x.graph().constant(matrix_of(map, transposed).cast(x.dtype()));
    value = add_op("Transpose", {add_op("MatMul", {last, matrix})}, {{"perm", perm}});
  }
  return value;
}

Shape known_shape(BodyContext& ctx, int index) { return Shape(*ctx.graph().info(ctx.in(index).value()).known); }

}  // namespace

void apply_maps(KernelContext& ctx, const std::vector<AxisMap>& maps) { apply_all(ctx, maps, false); }

void apply_transposed_maps(KernelContext& ctx, const std::vector<AxisMap>& maps) { apply_all(ctx, maps, true); }

Tensor mapped(const Tensor& x, const std::vector<AxisMap>& maps) { return products(x, maps, false); }

Tensor transposed_maps(const Tensor& x, const std::vector<AxisMap>& maps) { return products(x, maps, true); }

void complete_mapped_op(OpCard& card, const MappedOp& op) {
  card.infer = [op](InferContext& ctx) { ctx.output({ctx.dtype(0), op.shape(ctx, ctx.shape(0))}); };
  card.kernel = [op](KernelContext& ctx) { apply_maps(ctx, op.maps(ctx, Shape::of(ctx.in(0).sizes()))); };
  card.gradient_kind = GradientKind::rule;
  card.gradient = [op](GradientContext& ctx) {
    const Tensor shape = shape_of(ctx.in(0));
    ctx.set(0, add_op(op.gradient_name, {ctx.grad(), shape}, ctx.attrs()));
  };
}

void check_gradient_shape(const Shape& grad, const Shape& y, std::string_view op) {
  bool fits = grad.rank() == y.rank();
  for (int axis = 0; fits && axis < y.rank(); ++axis) fits = !surely_differ(grad[axis], y[axis]);
  if (fits) return;
  fail(ErrorCode::bad_shape,
       "a gradient of shape " + grad.to_string() + " for a result of " + std::string(op) + " of shape " + y.to_string(),
       "the shape of that result");
}

std::vector<Port> mapped_gradient_inputs() {
  return {{.name = "grad", .words = {"the gradient of the op's result", "градиент результата операции"}},
          {.name = "shape",
           .dtypes = kInt64,
           .type = "",
           .words = {"the shape of the op's input", "форма входа операции"},
           .differentiable = false}};
}

std::vector<Port> mapped_gradient_outputs() {
  return {{.name = "y", .words = {"the gradient of the op's input", "градиент входа операции"}}};
}

OpCard mapped_gradient(const MappedOp& op, const std::vector<AttrSpec>& attributes) {
  OpCard card;
  card.name = op.gradient_name;
  card.category = Category::pooling;
  card.inputs = mapped_gradient_inputs();
  card.outputs = mapped_gradient_outputs();
  card.attributes = attributes;
  card.traits = {.gradient_only = true};
  card.infer = [op](InferContext& ctx) {
    const Shape x(ctx.need_known(1));
    check_gradient_shape(ctx.shape(0), op.shape(ctx, x), op.name);
    ctx.output({ctx.dtype(0), x});
  };
  card.kernel = [op](KernelContext& ctx) { apply_transposed_maps(ctx, op.maps(ctx, Shape::of(ctx.out().sizes()))); };
  card.body = [op](BodyContext& ctx) { ctx.output(transposed_maps(ctx.in(0), op.maps(ctx, known_shape(ctx, 1)))); };
  card.gradient_kind = GradientKind::rule;
  card.gradient = [op](GradientContext& ctx) { ctx.set(0, add_op(op.name, {ctx.grad()}, ctx.attrs())); };
  card.cost = cost_per_output(2);
  return card;
}

std::vector<Sample> mapped_gradient_samples(const MappedOp& op, const OpCard& forward) {
  std::vector<Sample> samples;
  for (const Sample& sample : forward.samples) {
    const Sizes& x = sample.inputs[0].sizes;
    const Shape y = op.shape(AttrReader(forward, sample.attrs), Shape::of(x));
    samples.push_back({.name = sample.name,
                       .inputs = {in(y.sizes()), in_ints({static_cast<std::int64_t>(x.size())}, x)},
                       .attrs = sample.attrs,
                       .gradient = sample.gradient});
  }
  return samples;
}

}  // namespace asg::ops
