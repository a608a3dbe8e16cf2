#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/operands.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const auto axes = ops::kernel_axes(ctx, 1);
  ops::dispatch_numeric(ctx.in(0),
                        [&]<class T>() { ops::fold_axes<T>(ctx.in(0), axes, ctx.out(), 1, ops::wrapping_mul<T>); });
}

Tensor part(const Tensor& x, int axis, std::int64_t first, std::int64_t past) {
  Graph& graph = x.graph();
  const Tensor start = ops::ints(graph, {first});
  const Tensor end = ops::ints(graph, {past});
  return add_op("Slice", {x, start, end, ops::ints(graph, {axis})});
}

// Each element's factor is the product of all others, found without a division, so that zeros do no harm to
// derivatives of any order: the axis is halved by multiplying its parts until one element is left, and on the way
// back each part is multiplied by its partner.
Tensor gradient_by_halving(const Tensor& x, const Tensor& grad, int axis) {
  std::vector<Tensor> levels = {x};
  std::vector<std::int64_t> lengths = {x.shape()[axis].value()};
  while (lengths.back() > 1) {
    const std::int64_t half = lengths.back() / 2;
    const Tensor low = part(levels.back(), axis, 0, half);
    const Tensor high = part(levels.back(), axis, half, 2 * half);
    const Tensor product = low * high;
    const bool odd = lengths.back() % 2 == 1;
    const Tensor rest = odd ? part(levels.back(), axis, 2 * half, lengths.back()) : Tensor();
    levels.push_back(odd ? add_op("Concat", {product, rest}, {{"axis", axis}}) : product);
    lengths.push_back(half + (odd ? 1 : 0));
  }
  Tensor result = grad;
  for (std::size_t level = levels.size() - 1; level-- > 0;) {
    const std::int64_t half = lengths[level] / 2;
    const Tensor shared = part(result, axis, 0, half);
    const Tensor low = shared * part(levels[level], axis, half, 2 * half);
    const Tensor high = shared * part(levels[level], axis, 0, half);
    std::vector<Tensor> parts = {low, high};
    if (lengths[level] % 2 == 1) parts.push_back(part(result, axis, half, half + 1));
    result = add_op("Concat", parts, {{"axis", axis}});
  }
  return result;
}

// The same for a length that is only known in a run: a row for each element in which a 1 stands in its place.
Tensor gradient_by_rows(const Tensor& x, const Tensor& grad, int axis) {
  Graph& graph = x.graph();
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor one = graph.constant(Array::scalar_i64(1));
  const Tensor length = add_op("Squeeze", {ops::length_of(x, axis), ops::ints(graph, {0})});
  const Tensor places = add_op("Range", {zero, length, one});
  std::vector<std::int64_t> across(static_cast<std::size_t>(x.rank() - axis), 1);
  across.front() = -1;
  const Tensor columns = add_op("Reshape", {places, ops::ints(graph, across)});
  const Tensor rows = add_op("Unsqueeze", {columns, ops::ints(graph, {1})});
  const Tensor diagonal = add_op("Equal", {rows, columns});
  const Tensor lanes = add_op("Unsqueeze", {x, ops::ints(graph, {axis})});
  const Tensor others = ops::choose(diagonal, ops::scalar_like(x, 1), lanes);
  return grad * add_op("ReduceProd", {others, ops::ints(graph, {axis + 1})}, {{"keepdims", false}});
}

// Axis by axis, from the last one reduced to the first.
void gradient(GradientContext& ctx) {
  const auto axes = ops::axes_or_all(ctx, 1);
  std::vector<Tensor> partial = {ctx.in(0)};
  for (std::size_t k = 0; k + 1 < axes.size(); ++k) {
    partial.push_back(ops::reduce_keeping("ReduceProd", partial.back(), {axes[k]}));
  }
  Tensor result = ops::with_reduced_axes(ctx, ctx.grad());
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto axis = static_cast<int>(axes[k]);
    const Dim& length = partial[k].shape()[axis];
    if (length == Dim(0)) {
      result = ops::zeros_like(partial[k]);
    } else {
      result = length.is_known() ? gradient_by_halving(partial[k], result, axis)
                                 : gradient_by_rows(partial[k], result, axis);
    }
  }
  ctx.set(0, result);
}

Sample with_zeros(std::string name, std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size()) / 2;
  return {.name = std::move(name), .inputs = {in_exact(Array::of<double>({2, count}, values)), in_ints({1}, {1})}};
}

}  // namespace

OpCard card_reduce_prod() {
  OpCard card = ops::reduction_card("ReduceProd", kNumbers);
  card.infer = ops::infer_known_reduction([](const Dim& a, const Dim& b) { return std::optional(a * b); });
  card.kernel = kernel;
  card.gradient = gradient;
  card.onnx = {{.op = "ReduceProd", .since = 18}};
  card.torch = "torch.prod";
  card.words = {.what = {"Multiplies all elements along the given axes, or along all of them. The product of nothing "
                         "is 1, NaN spreads, integers wrap around. The gradient of an element is the product of all "
                         "the others, which is right also where some of them are 0.",
                         "Перемножает все элементы вдоль данных осей или вдоль всех сразу. Произведение пустого набора "
                         "равно 1, NaN распространяется, целые при переполнении заворачиваются по модулю. Градиент "
                         "элемента — произведение всех остальных; это верно и там, где среди них есть нули."},
                .formula = R"(y = \prod_{i} x_{i})",
                .why = {"The probability that independent events all happen is the product of their probabilities; "
                        "NeRF multiplies the transparencies along a ray like this. Products of many numbers overflow "
                        "or vanish, so models usually add logarithms instead.",
                        "Вероятность того, что произойдут все независимые события, — произведение их вероятностей; так "
                        "NeRF перемножает прозрачности вдоль луча. Произведение многих чисел переполняется или "
                        "исчезает, поэтому модели обычно складывают логарифмы."}};
  card.samples = ops::join({ops::reduction_samples(0.5, 1.5),
                            {with_zeros("one_zero", {0.5, 0, -2, 1, 3, 0.7}),
                             with_zeros("two_zeros", {0, 2, 0, 1.5, 0.5, 3, 0, 0.5, 2, 1}),
                             ops::exact_rows("by_hand", {{2, -3, 4}, {0, 5, ops::kInfinity}}, {-24, ops::kNan}),
                             {.name = "integers",
                              .inputs = {in_ints({4}, {2, -3, 5, 1})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {Array::scalar_i64(-30)}},
                             {.name = "of_nothing",
                              .inputs = {in({2, 0}), in_ints({1}, {1})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {ops::reals({1, 1})}}}});
  return card;
}

}  // namespace asg::cards
