#include <algorithm>
#include <string>

#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/indexing.h"

namespace asg::cards {
namespace {

bool is(const Dim& dim, std::int64_t number) { return dim.is_known() && dim.value() == number; }

[[noreturn]] void refuse(const Shape& from, const std::vector<Dim>& wanted, const std::string& needed,
                         const std::string& mend) {
  fail(ErrorCode::bad_shape, "shape " + Shape(wanted).to_string() + " for a tensor of shape " + from.to_string(),
       needed, mend);
}

// The target with 0 and -1 resolved. What a 0 copies is left out of both sides before the division that finds -1, so
// that {0, -1} also works for a batch without elements.
std::optional<Shape> resolve(const Shape& from, const std::vector<Dim>& wanted, bool zero_copies) {
  std::vector<Dim> dims = wanted;
  std::vector<bool> copied(static_cast<std::size_t>(from.rank()), false);
  std::optional<std::size_t> open;
  Dim product = 1;
  for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
    if (is(wanted[axis], -1)) {
      open = axis;
    } else if (is(wanted[axis], 0) && zero_copies) {
      if (axis >= copied.size()) return std::nullopt;
      dims[axis] = from[static_cast<int>(axis)];
      copied[axis] = true;
    } else {
      product = product * wanted[axis];
    }
  }
  Dim rest = 1;
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (!copied[static_cast<std::size_t>(axis)]) rest = rest * from[axis];
  }
  if (open) {
    if (is(product, 0)) return std::nullopt;
    dims[*open] = floor_div(rest, product);
    product = product * dims[*open];
  }
  if (ops::surely_differ(product, rest)) return std::nullopt;
  return Shape(std::move(dims));
}

void check_target(const Shape& from, const std::vector<Dim>& wanted) {
  int open = 0;
  for (const Dim& dim : wanted) {
    open += is(dim, -1) ? 1 : 0;
    if (dim.is_known() && dim.value() < -1) {
      refuse(from, wanted, "lengths of at least 0, or -1 for the one that follows from the others", "");
    }
  }
  if (open > 1) refuse(from, wanted, "at most one -1: only one length can follow from the others", "say the others");
}

// Where 0 means 0, nothing can follow from the other lengths.
void check_zeros(const Shape& from, const std::vector<Dim>& wanted) {
  const bool has_zero = std::any_of(wanted.begin(), wanted.end(), [](const Dim& dim) { return is(dim, 0); });
  const bool has_open = std::any_of(wanted.begin(), wanted.end(), [](const Dim& dim) { return is(dim, -1); });
  if (has_zero && has_open) refuse(from, wanted, "no -1 beside a 0 that means 0", "say all lengths");
}

void infer(InferContext& ctx) {
  const Shape& from = ctx.shape(0);
  const auto wanted = ctx.need_known(1);
  if (ctx.shape(1).rank() != 1) {
    fail(ErrorCode::bad_shape, "a target shape of rank " + std::to_string(ctx.shape(1).rank()), "a vector of lengths");
  }
  const bool zero_copies = !ctx.boolean("allowzero");
  check_target(from, wanted);
  if (!zero_copies) check_zeros(from, wanted);
  auto shape = resolve(from, wanted, zero_copies);
  // A length that is only known at run time may turn out to be 0: then it is meant as 0, not as "copy".
  if (!shape && is(from.element_count(), 0)) shape = resolve(from, wanted, false);
  if (!shape) {
    refuse(from, wanted, "as many elements as the input has: " + from.element_count().to_string(),
           "use -1 for one length, so that it follows from the others");
  }
  ops::output_reshaped(ctx, *std::move(shape));
}

std::vector<Sample> samples() {
  return {
      {.name = "flatten", .inputs = {in({2, 3, 4}), in_ints({1}, {-1})}},
      {.name = "keep_first", .inputs = {in({2, 3, 4}), in_ints({2}, {0, -1})}},
      {.name = "to_rank_4", .inputs = {in({4, 6}), in_ints({4}, {2, 2, -1, 3})}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 2, 3, 4, 5, 6})), in_ints({2}, {3, 2})},
       .expected = {Array::of<double>({3, 2}, {1, 2, 3, 4, 5, 6})}},
      {.name = "to_scalar", .inputs = {in({1, 1}), in_ints({0}, {})}, .gradient = false},
      {.name = "from_scalar", .inputs = {in({}), in_ints({2}, {1, 1})}, .gradient = false},
      {.name = "empty_batch", .inputs = {in({0, 3, 4}), in_ints({2}, {0, -1})}, .gradient = false},
      {.name = "empty_moved", .inputs = {in({4, 0}), in_ints({2}, {0, 4})}, .gradient = false},
      {.name = "zero_means_zero",
       .inputs = {in({0, 3, 4}), in_ints({3}, {3, 4, 0})},
       .attrs = {{"allowzero", true}},
       .gradient = false,
       .expected = {Array(DType::f64, {3, 4, 0})}},
      {.name = "no_zero_to_mean", .inputs = {in({2, 6}), in_ints({2}, {3, -1})}, .attrs = {{"allowzero", true}}},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_count",
       .inputs = {in({2, 3}), in_ints({2}, {4, 2})},
       .code = ErrorCode::bad_shape,
       .contains = "as many elements as the input has: 6"},
      {.name = "not_divisible",
       .inputs = {in({2, 3}), in_ints({2}, {4, -1})},
       .code = ErrorCode::bad_shape,
       .contains = "as many elements"},
      {.name = "two_open",
       .inputs = {in({2, 3}), in_ints({2}, {-1, -1})},
       .code = ErrorCode::bad_shape,
       .contains = "at most one -1"},
      {.name = "zero_and_open",
       .inputs = {in({0, 3}), in_ints({2}, {0, -1})},
       .attrs = {{"allowzero", true}},
       .code = ErrorCode::bad_shape,
       .contains = "no -1 beside a 0"},
      {.name = "negative",
       .inputs = {in({2, 3}), in_ints({2}, {-2, 3})},
       .code = ErrorCode::bad_shape,
       .contains = "lengths of at least 0"},
  };
}

}  // namespace

OpCard card_reshape() {
  OpCard card = ops::view_card("Reshape");
  card.inputs = {ops::any_tensor(),
                 {.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the new lengths; 0 copies the length of the same axis, one -1 follows from the others",
                            "новые длины; 0 копирует длину той же оси, одна -1 вычисляется по остальным"},
                  .differentiable = false}};
  card.outputs = ops::same_elements({"the same elements in the new shape", "те же элементы в новой форме"});
  card.attributes = {{.name = "allowzero",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"a 0 in the target means a length of 0, and copies nothing",
                                "0 в целевой форме означает длину 0 и ничего не копирует"}}};
  card.infer = infer;
  card.onnx = {{.op = "Reshape", .since = 14}};
  card.torch = "torch.reshape";
  card.words = {
      .what = {"Reads the same elements, in the same row-major order, as a tensor of another shape. No element moves "
               "or changes, so the number of elements must stay the same. In the target a 0 keeps the length of that "
               "axis and a single -1 stands for whatever is left.",
               "Читает те же элементы в том же построчном порядке как тензор другой формы. Элементы не переставляются "
               "и не меняются, поэтому их число должно сохраниться. В целевой форме 0 сохраняет длину этой оси, а "
               "единственная -1 означает всё, что осталось."},
      .formula = R"(y_j = x_i, \quad \operatorname{flat}(j) = \operatorname{flat}(i))",
      .why = {
          "Between a convolution and a linear layer the picture must become a vector: [batch, 8, 8] turns into [batch, "
          "64]. Attention uses it to split the features into heads. It costs nothing, because only the bookkeeping of "
          "lengths changes.",
          "Между свёрткой и линейным слоем изображение должно стать вектором: [пакет, 8, 8] превращается в [пакет, "
          "64]. Внимание с её помощью делит признаки на головы. Она ничего не стоит: меняется только учёт длин осей."}};
  card.samples = samples();
  card.bad_samples = bad_samples();
  return card;
}

}  // namespace asg::cards
