#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/gemm.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

// A vector stands for a matrix of one row on the left, of one column on the right; that axis is dropped again.
struct Dims {
  std::vector<Dim> batch;
  Dim rows;
  Dim columns;
};

Dims left_dims(const Shape& shape) {
  if (shape.rank() == 1) return {{}, 1, shape[0]};
  return {{shape.begin(), shape.end() - 2}, shape[shape.rank() - 2], shape[shape.rank() - 1]};
}

Dims right_dims(const Shape& shape) {
  if (shape.rank() == 1) return {{}, shape[0], 1};
  return left_dims(shape);
}

void infer(InferContext& ctx) {
  const Shape& a = ctx.shape(0);
  const Shape& b = ctx.shape(1);
  const std::string given = "shapes " + a.to_string() + " and " + b.to_string();
  if (a.rank() == 0 || b.rank() == 0) {
    fail(ErrorCode::bad_shape, given, "tensors with at least one axis", "multiply by a scalar with Mul");
  }
  const Dims left = left_dims(a);
  const Dims right = right_dims(b);
  if (left.columns != right.rows) {
    fail(ErrorCode::bad_shape, given,
         "as many columns on the left as rows on the right, not " + left.columns.to_string() + " and " +
             right.rows.to_string(),
         "transpose one of them, or change the size of the layer before");
  }
  std::vector<Dim> dims = broadcast(Shape(left.batch), Shape(right.batch)).dims();
  if (a.rank() > 1) dims.push_back(left.rows);
  if (b.rank() > 1) dims.push_back(right.columns);
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

struct Problem {
  Sizes a_batch;
  Sizes b_batch;
  std::int64_t rows = 1;
  std::int64_t inner = 1;
  std::int64_t columns = 1;
};

Problem problem_of(const Sizes& a, const Sizes& b) {
  Problem problem;
  problem.inner = a.back();
  if (a.size() > 1) {
    problem.a_batch.assign(a.begin(), a.end() - 2);
    problem.rows = a[a.size() - 2];
  }
  if (b.size() > 1) {
    problem.b_batch.assign(b.begin(), b.end() - 2);
    problem.columns = b.back();
  }
  return problem;
}

template <class T>
void multiply(const Problem& problem, const T* a, const T* b, T* out) {
  const std::int64_t rows = problem.rows;
  const std::int64_t inner = problem.inner;
  const std::int64_t columns = problem.columns;
  if (element_count(problem.b_batch) == 1) {
    // One right factor for all: the batch is only more rows.
    const std::int64_t all_rows = element_count(problem.a_batch) * rows;
    return ops::gemm<T>(all_rows, columns, inner, {a, inner, 1}, b, columns, out, columns);
  }
  const Sizes batch = broadcast(Shape::of(problem.a_batch), Shape::of(problem.b_batch)).sizes();
  const auto walk = ops::make_walk<2>(
      batch, {ops::broadcast_strides(problem.a_batch, batch), ops::broadcast_strides(problem.b_batch, batch)});
  ops::for_each_run(walk, [&](const auto& offsets, const auto& steps, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      const T* left = a + (offsets[0] + k * steps[0]) * rows * inner;
      const T* right = b + (offsets[1] + k * steps[1]) * inner * columns;
      ops::gemm<T>(rows, columns, inner, {left, inner, 1}, right, columns, out, columns);
      out += rows * columns;
    }
  });
}

void kernel(KernelContext& ctx) {
  const Array& a = ctx.in(0);
  const Array& b = ctx.in(1);
  Array& out = ctx.out();
  const Problem problem = problem_of(a.sizes(), b.sizes());
  if (a.dtype() == DType::f64) {
    return multiply(problem, a.data<double>().data(), b.data<double>().data(), out.mutable_data<double>().data());
  }
  // Signed integers have the bits of unsigned ones modulo 2^64, and unsigned arithmetic may wrap.
  const auto bits = [](const Array& array) { return reinterpret_cast<const std::uint64_t*>(array.raw()); };
  multiply(problem, bits(a), bits(b), reinterpret_cast<std::uint64_t*>(out.raw()));
}

Tensor transposed(const Tensor& matrix) {
  std::vector<std::int64_t> perm;
  for (int axis = 0; axis < matrix.rank(); ++axis) perm.push_back(axis);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return add_op("Transpose", {matrix}, {{"perm", perm}});
}

// The gradient of a right factor [inner, columns] that all matrices of a batch share. Summing over the batch is the
// same as one product over all their rows, which needs no memory for a matrix per batch element.
Tensor shared_factor_gradient(const Tensor& a, const Tensor& grad) {
  const auto as_rows = [](const Tensor& tensor) {
    const std::int64_t columns = tensor.shape()[tensor.rank() - 1].value();
    return add_op("Reshape", {tensor, ops::ints(tensor.graph(), {-1, columns})});
  };
  return add_op("MatMul", {transposed(as_rows(a)), as_rows(grad)});
}

bool at_least_one(const Dim& dim) { return dim.is_known() && dim.value() > 0; }

void gradient(GradientContext& ctx) {
  Tensor a = ctx.in(0);
  Tensor b = ctx.in(1);
  Tensor grad = ctx.grad();
  const bool a_is_vector = a.rank() == 1;
  const bool b_is_vector = b.rank() == 1;
  std::vector<std::int64_t> dropped;
  if (a_is_vector) dropped.push_back(-2);
  if (b_is_vector) dropped.push_back(-1);
  if (!dropped.empty()) grad = add_op("Unsqueeze", {grad, ops::ints(ctx.graph(), dropped)});
  if (a_is_vector) a = add_op("Unsqueeze", {a, ops::ints(ctx.graph(), {0})});
  if (b_is_vector) b = add_op("Unsqueeze", {b, ops::ints(ctx.graph(), {1})});

  if (ctx.needs(0)) ctx.set_summed(0, add_op("MatMul", {grad, transposed(b)}));
  if (ctx.needs(1)) {
    const bool shared = b.rank() == 2 && a.rank() > 2 && at_least_one(b.shape()[0]) && at_least_one(b.shape()[1]);
    Tensor result = shared ? shared_factor_gradient(a, grad) : add_op("MatMul", {transposed(a), grad});
    if (b_is_vector) result = add_op("Squeeze", {result, ops::ints(ctx.graph(), {-1})});
    ctx.set_summed(1, result);
  }
}

Cost cost(const CostContext& ctx) {
  const Shape& a = ctx.inputs().front().shape;
  const double inner = a.rank() == 0 ? 1 : static_cast<double>(a[a.rank() - 1].known().value_or(1));
  return {2 * inner * ctx.elements(ctx.outputs().front()), ops::bytes_moved(ctx), true};
}

std::vector<Sample> samples() {
  return {
      {.name = "matrices", .inputs = {in({2, 3}), in({3, 4})}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 2}, {1, 2, 3, 4})), in_exact(Array::of<double>({2, 2}, {5, 6, 7, 8}))},
       .expected = {Array::of<double>({2, 2}, {19, 22, 43, 50})}},
      {.name = "blocks", .inputs = {in({6, 5}), in({5, 7})}},
      {.name = "vectors", .inputs = {in({4}), in({4})}},
      {.name = "vector_left", .inputs = {in({3}), in({3, 4})}},
      {.name = "vector_right", .inputs = {in({2, 3}), in({3})}},
      {.name = "vector_left_of_batch", .inputs = {in({3}), in({2, 3, 4})}},
      {.name = "vector_right_of_batch", .inputs = {in({2, 4, 3}), in({3})}},
      {.name = "batch", .inputs = {in({2, 3, 4}), in({2, 4, 5})}},
      {.name = "shared_right", .inputs = {in({2, 3, 4}), in({4, 5})}},
      {.name = "shared_left", .inputs = {in({3, 4}), in({2, 4, 5})}},
      {.name = "broadcast_batch", .inputs = {in({2, 1, 3, 4}), in({5, 4, 2})}},
      {.name = "broadcast_right_one", .inputs = {in({3, 2, 4}), in({1, 4, 5})}},
      {.name = "no_inner", .inputs = {in({2, 0}), in({0, 3})}, .gradient = false},
      {.name = "no_rows", .inputs = {in({0, 3}), in({3, 2})}, .gradient = false},
      {.name = "no_batch", .inputs = {in({0, 2, 3}), in({1, 3, 2})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "inner_differs",
       .inputs = {in({2, 3}), in({4, 5})},
       .code = ErrorCode::bad_shape,
       .contains = "not 3 and 4"},
      {.name = "scalar", .inputs = {in({}), in({3, 2})}, .code = ErrorCode::bad_shape, .contains = "Mul"},
      {.name = "batch_differs", .inputs = {in({2, 3, 4}), in({3, 4, 5})}, .code = ErrorCode::broadcast_mismatch},
  };
}

}  // namespace

OpCard card_mat_mul() {
  const DTypeSet numbers = kFloats | DTypeSet{DType::i32, DType::i64, DType::u32, DType::u64};
  return {
      .name = "MatMul",
      .category = Category::linear_algebra,
      .inputs = {{.name = "a",
                  .dtypes = numbers,
                  .words = {"a vector, a matrix, or a batch of matrices", "вектор, матрица или пакет матриц"}},
                 {.name = "b",
                  .dtypes = numbers,
                  .words = {"the same; as many rows as a has columns",
                            "то же; строк столько же, сколько столбцов у a"}}},
      .outputs = {{.name = "y", .dtypes = numbers, .words = {"the product a b", "произведение a b"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .onnx = {{.op = "MatMul", .since = 9}},
      .torch = "torch.matmul",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what = {"Multiplies matrices: each element of the result is a row of a times a column of b, summed. Axes "
                    "before the last two are a batch and are broadcast, so one matrix can meet many. A vector counts "
                    "as a row on the left and as a column on the right, and that axis is gone from the result.",
                    "Умножает матрицы: каждый элемент результата — сумма произведений строки a на столбец b. Оси перед "
                    "последними двумя образуют пакет и растягиваются, так что одна матрица может умножаться на многие. "
                    "Вектор слева считается строкой, справа — столбцом, и эта ось из результата исчезает."},
           .formula = R"(y_{i j} = \sum_{k} a_{i k} b_{k j})",
           .why = {"Nearly all arithmetic of neural networks happens here: a linear layer is one product, attention is "
                   "two. Every output mixes all inputs with learned weights, and processors run this regular pattern "
                   "close to their peak.",
                   "Здесь происходит почти вся арифметика нейронных сетей: линейный слой — одно произведение, внимание "
                   "— два. Каждый выход смешивает все входы с обученными весами, а процессоры выполняют такой "
                   "регулярный счёт почти на пределе своих возможностей."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
