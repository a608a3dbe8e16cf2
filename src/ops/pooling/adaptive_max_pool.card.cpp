#include <algorithm>

#include "asg/graph/graph.h"
#include "ops/pooling/adaptive_parts.h"
#include "ops/pooling/pool_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape y = ops::adaptive_shape(ctx, ctx.shape(0));
  ctx.output({ctx.dtype(0), y});
  ctx.output({DType::i64, y});
}

// For each output position, in order, the pixels of its window in row-major order.
std::vector<std::vector<std::int64_t>> windows_of(const AttrReader& attributes, const Shape& x) {
  std::vector<std::vector<std::int64_t>> windows = {{0}};
  for (const ops::AdaptiveAxis& axis : ops::adaptive_axes(attributes, x)) {
    std::vector<std::vector<std::int64_t>> finer;
    for (const auto& outer : windows) {
      for (std::int64_t position = 0; position < axis.output; ++position) {
        finer.emplace_back();
        for (std::int64_t pixel : outer) {
          for (std::int64_t read = axis.begin(position); read < axis.end(position); ++read) {
            finer.back().push_back(pixel * axis.input + read);
          }
        }
      }
    }
    windows = std::move(finer);
  }
  return windows;
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto windows = windows_of(ctx, Shape::of(x.sizes()));
  const auto places = ctx.out(1).mutable_data<std::int64_t>();
  ops::dispatch_numeric(x, [&]<class T>() {
    const auto from = x.data<T>();
    const auto to = ctx.out().mutable_data<T>();
    const std::size_t planes = to.size() / windows.size();
    const std::size_t pixels = planes == 0 ? 0 : from.size() / planes;
    for (std::size_t k = 0; k < to.size(); ++k) {
      const std::size_t first = k / windows.size() * pixels;
      places[k] = -1;
      for (std::int64_t pixel : windows[k % windows.size()]) {
        const std::size_t at = first + static_cast<std::size_t>(pixel);
        ops::choose_larger(from[at], static_cast<std::int64_t>(at), to[k], places[k]);
      }
    }
  });
}

// [positions, longest window]: the pixels of each window; a shorter one repeats its first, which changes no maximum.
Array table_of(const std::vector<std::vector<std::int64_t>>& windows) {
  std::size_t longest = 0;
  for (const auto& window : windows) longest = std::max(longest, window.size());
  std::vector<std::int64_t> table;
  for (const auto& window : windows) {
    table.insert(table.end(), window.begin(), window.end());
    table.insert(table.end(), longest - window.size(), window.front());
  }
  return Array::of<std::int64_t>({static_cast<std::int64_t>(windows.size()), static_cast<std::int64_t>(longest)},
                                 table);
}

// All windows side by side, [batch, channels, positions, pixels of a window]; then the maximum along the last axis.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& x = ctx.in(0);
  const Tensor table = graph.constant(table_of(windows_of(ctx, x.shape())));
  const Tensor pictures = add_op("Reshape", {x, ops::ints(graph, {0, 0, -1})});
  const Tensor seen = add_op("Gather", {pictures, table}, {{"axis", 2}});
  const Tensor best = ops::reduce_keeping("ReduceMax", seen, {3});
  const Tensor choice = add_op("ArgMax", {seen}, {{"axis", 3}, {"keepdims", true}});
  const Tensor pixels = add_op("Expand", {table, ops::shape_of(seen)});
  const Tensor pixel = add_op("GatherElements", {pixels, choice}, {{"axis", 3}});
  // Each plane of a channel begins where the one before it ends.
  const Tensor shape = add_op("Shape", {pictures});
  const auto length = [&](std::int64_t axis) {
    return add_op("Gather", {shape, graph.constant(Array::scalar_i64(axis))});
  };
  const Tensor batch = length(0);
  const Tensor channels = length(1);
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor one = graph.constant(Array::scalar_i64(1));
  const Tensor planes = add_op("Range", {zero, add_op("Mul", {batch, channels}), one});
  const Tensor outer = add_op("Slice", {shape, ops::ints(graph, {0}), ops::ints(graph, {2})});
  const Tensor spread = add_op("Concat", {outer, ops::ints(graph, {1, 1})}, {{"axis", 0}});
  const Tensor plane = add_op("Reshape", {planes, spread});
  const Tensor first = add_op("Mul", {plane, length(2)});
  Sizes result = {0, 0};
  for (std::int64_t size : ctx.integers("output_size")) result.push_back(size);
  const Tensor target = ops::ints(graph, result);
  ctx.output(add_op("Reshape", {best, target}));
  ctx.output(add_op("Reshape", {add_op("Add", {first, pixel}), target}));
}

void gradient(GradientContext& ctx) {
  if (!ctx.has_grad(0)) return;
  const Tensor grad = ctx.grad();
  ctx.set(0, ops::back_to_places(grad, ctx.out(1), ctx.in(0)));
}

}  // namespace

OpCard card_adaptive_max_pool() {
  auto outputs = ops::pool_outputs(kNumbers);
  outputs.push_back(ops::indices_port({"the place of each maximum among all elements of x; the first of equal ones",
                                       "номер каждого максимума среди всех элементов x; первый из равных"}));
  OpCard card{
      .name = "AdaptiveMaxPool",
      .category = Category::pooling,
      .inputs = ops::pool_inputs(kNumbers),
      .outputs = outputs,
      .attributes = ops::adaptive_attributes(),
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_input(1),
      .torch = "torch.nn.functional.adaptive_max_pool2d",
      .tolerance = ops::kExact,
      .words = {.what = {"Cuts every spatial axis into `output_size` windows that cover it, and keeps the largest "
                         "number of each window together with its place. The window lengths follow from the input and "
                         "differ by at most one; a NaN in a window is its maximum.",
                         "Делит каждую пространственную ось на `output_size` покрывающих её окон и оставляет "
                         "наибольшее число каждого окна вместе с его местом. Длины окон следуют из входа и отличаются "
                         "не больше чем на единицу; NaN внутри окна считается максимумом."},
                .formula =
                    R"(y_{n c p} = \max_{\lfloor p L / S \rfloor \le i < \lceil (p + 1) L / S \rceil} x_{n c i})",
                .why = {"Regions of interest and sentences have all lengths, the layers after them one. Fast R-CNN "
                        "cuts each region into a fixed grid of cells in this way and keeps the strongest response of "
                        "every cell, whatever the size of the region was.",
                        "Области интереса и предложения бывают любого размера, а слои после них рассчитаны на один. "
                        "Fast R-CNN именно так режет каждую область на постоянную сетку ячеек и сохраняет самый "
                        "сильный отклик в каждой, каким бы ни был размер области."}},
      .samples = ops::adaptive_samples(),
      .bad_samples = ops::bad_adaptive_pools(),
  };
  card.samples.push_back(
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 5}, {1, 3, 7, 5, 6}))},
       .attrs = {{"output_size", Sizes{2}}},
       .expected = {Array::of<double>({1, 1, 2}, {7, 7}), Array::of<std::int64_t>({1, 1, 2}, {2, 2})}});
  return card;
}

}  // namespace asg::cards
