#include "nn/support/positions.h"

#include <cmath>

#include "asg/graph/graph.h"
#include "nn/support/layers.h"
#include "ops/support/gradients.h"

namespace asg::nn {

Port offset_port() {
  return {.name = "offset",
          .dtypes = kInt64,
          .type = "",
          .kind = PortKind::optional,
          .words = {"the position at which the input begins; absent: 0", "позиция, с которой начинается вход; нет — 0"},
          .differentiable = false};
}

Tensor positions(const Tensor& x, int axis, const Tensor& offset) {
  Graph& graph = x.graph();
  if (offset.valid() && offset.rank() != 0) {
    fail(ErrorCode::bad_shape, "an offset of shape " + offset.shape().to_string(), "a scalar");
  }
  const Tensor length = add_op("Gather", {ops::shape_of(x), graph.constant(Array::scalar_i64(axis))});
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor counted = add_op("Range", {zero, length, graph.constant(Array::scalar_i64(1))});
  return offset.valid() ? counted + offset : counted;
}

void check_sequence(const Tensor& x) {
  if (x.rank() >= 2) return;
  fail(ErrorCode::bad_shape, "an input of shape " + x.shape().to_string(), "[…, length, width]");
}

Tensor position_angles(const BodyContext& ctx, const Tensor& x, const Tensor& offset, double base) {
  check_sequence(x);
  const std::int64_t width = known_length(ctx, x, x.rank() - 1, "features");
  if (width % 2 != 0) {
    fail(ErrorCode::bad_shape, std::to_string(width) + " features for layer '" + ctx.op().name + "'",
         "an even number: they are taken in pairs");
  }
  // Narrow floats cannot tell large positions apart.
  const DType dtype = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
  Array rates(DType::f64, {width / 2});
  for (std::int64_t pair = 0; pair < width / 2; ++pair) {
    rates.set(pair, std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(width)));
  }
  const Tensor numbers = add_op("Cast", {positions(x, x.rank() - 2, offset)}, {{"to", dtype}});
  const Tensor column = add_op("Unsqueeze", {numbers, ops::ints(x.graph(), {1})});
  return column * x.graph().constant(rates.cast(dtype));
}

Tensor taking_turns(const Tensor& a, const Tensor& b, std::int64_t count) {
  Graph& graph = a.graph();
  const Tensor last = ops::ints(graph, {a.rank()});
  const Tensor left = add_op("Unsqueeze", {a, last});
  const Tensor right = add_op("Unsqueeze", {b, last});
  const Tensor pairs = add_op("Concat", {left, right}, {{"axis", -1}});
  std::vector<std::int64_t> shape(static_cast<std::size_t>(a.rank()), 0);  // 0: the length stays
  shape.back() = 2 * count;
  return add_op("Reshape", {pairs, ops::ints(graph, shape)});
}

AttrSpec base_attribute() {
  return {.name = "base",
          .kind = AttrKind::real,
          .fallback = 10000.0,
          .least = 1,
          .words = {"about how many times slower the last pair of features turns than the first",
                    "во сколько примерно раз последняя пара признаков вращается медленнее первой"}};
}

std::vector<Sample> position_samples(const Attrs& attrs) {
  Attrs other = attrs;
  other.set("base", 50.0);
  return {{.name = "sequence", .inputs = {in({2, 3, 4})}, .attrs = attrs},
          {.name = "one_position", .inputs = {in({2, 1, 4})}, .attrs = attrs},
          {.name = "no_batch", .inputs = {in({5, 2})}, .attrs = attrs},
          {.name = "heads", .inputs = {in({1, 2, 3, 4})}, .attrs = attrs, .gradient = false},
          {.name = "no_positions", .inputs = {in({2, 0, 4})}, .attrs = attrs, .gradient = false},
          {.name = "offset", .inputs = {in({2, 3, 4}), in_ints({}, {7})}, .attrs = attrs},
          {.name = "base", .inputs = {in({2, 3, 4})}, .attrs = other}};
}

std::vector<BadSample> bad_position_samples() {
  return {{.name = "odd_width", .inputs = {in({2, 3, 5})}, .code = ErrorCode::bad_shape, .contains = "an even number"},
          {.name = "no_length", .inputs = {in({4})}, .code = ErrorCode::bad_shape, .contains = "[…, length, width]"},
          {.name = "offset_for_each_example",
           .inputs = {in({2, 3, 4}), in_ints({2}, {0, 1})},
           .code = ErrorCode::bad_shape,
           .contains = "a scalar"}};
}

}  // namespace asg::nn
