#include <string>

#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"

namespace asg::cards {
namespace {

// Axis k of the result is axis perm[k] of the input; no `perm` reverses them.
std::vector<int> permutation(const AttrReader& reader, int rank) {
  const auto& perm = reader.integers("perm");
  std::vector<int> axes;
  if (perm.empty()) {
    for (int axis = rank; axis-- > 0;) axes.push_back(axis);
    return axes;
  }
  if (static_cast<int>(perm.size()) != rank) {
    fail(ErrorCode::bad_attribute,
         "a 'perm' of " + std::to_string(perm.size()) + " axes for a tensor of rank " + std::to_string(rank),
         "each of its axes once", "leave 'perm' out to reverse the axes");
  }
  return ops::distinct_axes(perm, rank);
}

void infer(InferContext& ctx) {
  const Shape& shape = ctx.shape(0);
  std::vector<Dim> dims;
  for (int axis : permutation(ctx, shape.rank())) dims.push_back(shape[axis]);
  const TensorType type{ctx.dtype(0), Shape(std::move(dims))};
  ctx.output(type);
  if (auto known = ctx.known(0)) ops::set_known(ctx, type, *std::move(known));
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  ctx.out().assign(x.transposed(permutation(ctx, x.rank())));
}

void gradient(GradientContext& ctx) {
  if (ctx.integers("perm").empty()) return ctx.set(0, add_op("Transpose", {ctx.grad()}));
  const auto perm = permutation(ctx, ctx.in(0).rank());
  std::vector<std::int64_t> inverse(perm.size());
  for (std::size_t axis = 0; axis < perm.size(); ++axis) {
    inverse[static_cast<std::size_t>(perm[axis])] = static_cast<std::int64_t>(axis);
  }
  ctx.set(0, add_op("Transpose", {ctx.grad()}, {{"perm", inverse}}));
}

std::vector<Sample> samples() {
  return {
      {.name = "reverse", .inputs = {in({2, 3, 4})}},
      {.name = "cycle", .inputs = {in({2, 3, 4})}, .attrs = {{"perm", Sizes{1, 2, 0}}}},
      {.name = "heads", .inputs = {in({2, 3, 4, 5})}, .attrs = {{"perm", Sizes{0, 2, 1, 3}}}},
      {.name = "negative_axes", .inputs = {in({3, 1, 2})}, .attrs = {{"perm", Sizes{0, -1, -2}}}},
      {.name = "matrix",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 2, 3, 4, 5, 6}))},
       .expected = {Array::of<double>({3, 2}, {1, 4, 2, 5, 3, 6})}},
      {.name = "vector", .inputs = {in({4})}},
      {.name = "scalar", .inputs = {in({})}, .gradient = false},
      {.name = "empty", .inputs = {in({2, 0, 3})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_few_axes",
       .inputs = {in({2, 3, 4})},
       .attrs = {{"perm", Sizes{1, 0}}},
       .code = ErrorCode::bad_attribute,
       .contains = "each of its axes once"},
      {.name = "axis_twice",
       .inputs = {in({2, 3})},
       .attrs = {{"perm", Sizes{0, 0}}},
       .code = ErrorCode::bad_index,
       .contains = "each axis at most once"},
      {.name = "no_such_axis", .inputs = {in({2, 3})}, .attrs = {{"perm", Sizes{0, 2}}}, .code = ErrorCode::bad_index},
  };
}

}  // namespace

OpCard card_transpose() {
  OpCard card = ops::view_card("Transpose");
  card.outputs = {
      {.name = "y",
       .dtypes = kAnyType,
       .words = {"the same elements with the axes in the new order", "те же элементы с новым порядком осей"}}};
  card.attributes = {{.name = "perm",
                      .kind = AttrKind::integers,
                      .fallback = Sizes{},
                      .words = {"axis k of the result is axis perm[k] of the input; empty reverses all axes",
                                "ось k результата — это ось perm[k] входа; пусто — обратный порядок всех осей"}}};
  card.infer = infer;
  card.kernel = kernel;
  card.gradient = gradient;
  card.onnx = {{.op = "Transpose", .since = 1}};
  card.torch = "torch.permute";
  card.words = {
      .what = {"Puts the axes into another order; without `perm` they are reversed, which turns the rows of a matrix "
               "into columns. The elements stay the same, only which index belongs to which axis changes.",
               "Меняет порядок осей; без `perm` он обращается, и строки матрицы становятся столбцами. Элементы "
               "остаются теми же, меняется лишь то, какой индекс к какой оси относится."},
      .formula = R"(y_{i_{p(0)} i_{p(1)} \ldots} = x_{i_0 i_1 \ldots})",
      .why = {"Matrix products want the summed axis in a certain place: attention scores are queries times transposed "
              "keys, and the gradient of a product contains both factors transposed. Moving the head axis before the "
              "position axis lets one batched product serve all heads.",
              "Произведению матриц нужна ось суммирования на определённом месте: оценки внимания — это запросы, "
              "умноженные на транспонированные ключи, а в градиенте произведения оба множителя транспонированы. Если "
              "поставить ось голов перед осью позиций, одно пакетное произведение обслужит все головы."}};
  card.samples = samples();
  card.bad_samples = bad_samples();
  return card;
}

}  // namespace asg::cards
