#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& a = ctx.shape(0);
  const Shape& b = ctx.shape(1);
  const std::string given = "shapes " + a.to_string() + " and " + b.to_string();
  if (a.rank() != 2 || b.rank() != 2) {
    fail(ErrorCode::bad_shape, given, "two matrices", "use MatMul for batches of matrices");
  }
  const int a_rows = ctx.boolean("transA") ? 1 : 0;
  const int b_rows = ctx.boolean("transB") ? 1 : 0;
  const Dim& inner = a[1 - a_rows];
  if (inner != b[b_rows]) {
    fail(ErrorCode::bad_shape, given,
         "as many columns of a as rows of b, not " + inner.to_string() + " and " + b[b_rows].to_string() +
             ", after the transposes",
         "set transA or transB, or change the size of the layer before");
  }
  const Shape product = {a[a_rows], b[1 - b_rows]};
  if (ctx.has(2) && !can_broadcast_to(ctx.shape(2), product)) {
    fail(ErrorCode::broadcast_mismatch, "c of shape " + ctx.shape(2).to_string(),
         "a shape that broadcasts to " + product.to_string());
  }
  ctx.output({ctx.dtype(0), product});
}

void body(BodyContext& ctx) {
  const auto oriented = [&](int index, std::string_view attribute) {
    return ctx.boolean(attribute) ? add_op("Transpose", {ctx.in(index)}) : ctx.in(index);
  };
  const auto scaled = [&](const Tensor& tensor, std::string_view attribute) {
    const double factor = ctx.real(attribute);
    return factor == 1 ? tensor : tensor * ops::scalar_like(tensor, factor);
  };
  const Tensor a = oriented(0, "transA");
  const Tensor b = oriented(1, "transB");
  const Tensor product = scaled(add_op("MatMul", {a, b}), "alpha");
  if (!ctx.has(2)) return ctx.output(product);
  const Tensor c = scaled(ctx.in(2), "beta");
  ctx.output(product + c);
}

Cost cost(const CostContext& ctx) {
  const Shape& a = ctx.inputs().front().shape;
  const double inner = static_cast<double>(a[ctx.boolean("transA") ? 0 : 1].known().value_or(1));
  return {2 * (inner + 1) * ctx.elements(ctx.outputs().front()), ops::bytes_moved(ctx), true};
}

std::vector<Sample> samples() {
  return {
      {.name = "plain", .inputs = {in({2, 3}), in({3, 4}), in({2, 4})}},
      {.name = "without_c", .inputs = {in({2, 3}), in({3, 2})}, .attrs = {{"alpha", 0.5}}},
      {.name = "bias_per_column", .inputs = {in({2, 3}), in({3, 4}), in({4})}, .attrs = {{"beta", 0.25}}},
      {.name = "bias_per_row",
       .inputs = {in({2, 3}), in({3, 4}), in({2, 1})},
       .attrs = {{"alpha", 2.0}, {"beta", -1.5}}},
      {.name = "scalar_c", .inputs = {in({2, 3}), in({3, 2}), in({})}},
      {.name = "turned_left",
       .inputs = {in({3, 2}), in({3, 4}), in({1, 4})},
       .attrs = {{"transA", true}, {"alpha", 0.5}, {"beta", 3.0}}},
      {.name = "turned_right", .inputs = {in({2, 3}), in({4, 3})}, .attrs = {{"transB", true}, {"alpha", -1.0}}},
      {.name = "turned_right_with_c",
       .inputs = {in({2, 3}), in({4, 3}), in({4})},
       .attrs = {{"transB", true}, {"beta", 0.5}}},
      {.name = "turned_both", .inputs = {in({3, 2}), in({4, 3})}, .attrs = {{"transA", true}, {"transB", true}}},
      {.name = "by_hand",
       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 2, 3, 4})), in_exact(Array::of<double>({2, 2}, {5, 6, 7, 8})),
                  in_exact(Array::of<double>({2}, {1, 2}))},
       .attrs = {{"alpha", 2.0}, {"beta", 10.0}},
       .expected = {Array::of<double>({2, 2}, {48, 64, 96, 120})}},
      {.name = "no_inner", .inputs = {in({2, 0}), in({0, 3}), in({3})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "inner_differs",
       .inputs = {in({2, 3}), in({4, 5})},
       .code = ErrorCode::bad_shape,
       .contains = "not 3 and 4"},
      {.name = "batch", .inputs = {in({2, 3, 4}), in({4, 5})}, .code = ErrorCode::bad_shape, .contains = "MatMul"},
      {.name = "wide_c",
       .inputs = {in({2, 3}), in({3, 4}), in({3, 2, 4})},
       .code = ErrorCode::broadcast_mismatch,
       .contains = "broadcasts to [2, 4]"},
  };
}

AttrSpec factor(std::string_view name, Words words) {
  return {.name = name, .kind = AttrKind::real, .fallback = 1.0, .words = words};
}

AttrSpec turned(std::string_view name, Words words) {
  return {.name = name, .kind = AttrKind::boolean, .fallback = false, .words = words};
}

}  // namespace

OpCard card_gemm() {
  const DTypeSet numbers = kFloats | DTypeSet{DType::i32, DType::i64, DType::u32, DType::u64};
  return {
      .name = "Gemm",
      .category = Category::linear_algebra,
      .inputs = {{.name = "a", .dtypes = numbers, .words = {"the left matrix", "левая матрица"}},
                 {.name = "b", .dtypes = numbers, .words = {"the right matrix", "правая матрица"}},
                 {.name = "c",
                  .dtypes = numbers,
                  .kind = PortKind::optional,
                  .words = {"what is added; it broadcasts to the shape of the product",
                            "слагаемое; растягивается до формы произведения"}}},
      .outputs = {{.name = "y", .dtypes = numbers, .words = {"alpha a b + beta c", "alpha a b + beta c"}}},
      .attributes = {factor("alpha", {"the factor of the product", "множитель при произведении"}),
                     factor("beta", {"the factor of c", "множитель при c"}),
                     turned("transA", {"transpose a first", "сначала транспонировать a"}),
                     turned("transB", {"transpose b first", "сначала транспонировать b"})},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = cost,
      .onnx = {{.op = "Gemm", .since = 11}},
      .torch = "torch.addmm",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 2e-2, .bf16 = 1e-1},
      .words =
          {.what = {"The general matrix product of numerical libraries: two matrices are multiplied, each "
                    "transposed first if asked, the product is scaled, and a scaled third matrix is added. The "
                    "third may be a row, a column or one number, which is then spread over all.",
                    "Общее матричное произведение численных библиотек: две матрицы перемножаются, каждая при "
                    "желании сначала транспонируется, произведение умножается на число, и прибавляется третья "
                    "матрица со своим множителем. Третья может быть строкой, столбцом или одним числом: она "
                    "растягивается на всё произведение."},
           .formula = "y = \\alpha A B + \\beta C",
           .why = {"Applied to a matrix, a linear layer with a bias is a single Gemm, and that is how PyTorch exports "
                   "it to ONNX. Adding the bias while the product is still in registers saves a pass over memory.",
                   "Линейный слой со смещением, применённый к матрице, — это один Gemm; так его и записывает в ONNX "
                   "экспорт PyTorch. Если прибавить смещение, пока произведение ещё в регистрах, не нужен лишний "
                   "проход по памяти."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
