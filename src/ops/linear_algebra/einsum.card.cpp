#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/linear_algebra/einsum_plan.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

using Labels = std::vector<int>;

bool contains(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

ops::EinsumPlan plan_of(const AttrReader& attributes, const std::vector<Shape>& shapes) {
  std::vector<int> ranks;
  for (const Shape& shape : shapes) ranks.push_back(shape.rank());
  return ops::parse_einsum(attributes.text("equation"), ranks);
}

void infer(InferContext& ctx) {
  std::vector<Shape> shapes;
  for (int index = 0; index < ctx.input_count(); ++index) shapes.push_back(ctx.shape(index));
  const auto plan = plan_of(ctx, shapes);
  const auto lengths = ops::label_lengths(plan, shapes);
  std::vector<Dim> dims;
  for (int label : plan.output) dims.push_back(lengths[static_cast<std::size_t>(label)]);
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

// All labels as axes of one walk, those of the result first; along an axis that an operand does not have it stands
// still, along one that it has twice it goes down the diagonal.
struct Walker {
  Sizes sizes;
  std::vector<Sizes> strides;  // by operand
  std::int64_t summed = 1;     // products that make up one element of the result
};

Walker walker_of(const ops::EinsumPlan& plan, const std::vector<Array>& inputs) {
  std::vector<Shape> shapes;
  for (const Array& input : inputs) shapes.push_back(Shape::of(input.sizes()));
  const auto lengths = ops::label_lengths(plan, shapes);
  Labels order = plan.output;
  for (int label = 0; label < plan.labels; ++label) {
    if (!contains(plan.output, label)) order.push_back(label);
  }
  Walker walker;
  for (int label : order) walker.sizes.push_back(lengths[static_cast<std::size_t>(label)].value());
  walker.summed = element_count(std::span(walker.sizes).subspan(plan.output.size()));
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Sizes dense = dense_strides(inputs[k].sizes());
    Sizes steps(order.size(), 0);
    for (std::size_t axis = 0; axis < dense.size(); ++axis) {
      if (inputs[k].sizes()[axis] == 1) continue;
      const auto at = std::find(order.begin(), order.end(), plan.operands[k][axis]) - order.begin();
      steps[static_cast<std::size_t>(at)] += dense[axis];
    }
    walker.strides.push_back(std::move(steps));
  }
  return walker;
}

template <class T>
void contract(const Walker& walker, const std::vector<Array>& inputs, std::span<T> out) {
  std::vector<const T*> at;
  for (const Array& input : inputs) at.push_back(input.data<T>().data());
  Sizes index(walker.sizes.size(), 0);
  const auto advance = [&] {
    for (std::size_t axis = index.size(); axis-- > 0;) {
      const bool wraps = ++index[axis] == walker.sizes[axis];
      const std::int64_t steps = wraps ? 1 - walker.sizes[axis] : 1;
      for (std::size_t k = 0; k < at.size(); ++k) at[k] += steps * walker.strides[k][axis];
      if (!wraps) return;
      index[axis] = 0;
    }
  };
  for (T& element : out) {
    T sum = 0;
    for (std::int64_t term = 0; term < walker.summed; ++term) {
      T product = *at.front();
      for (std::size_t k = 1; k < at.size(); ++k) product = ops::wrapping_mul(product, *at[k]);
      sum = ops::wrapping_add(sum, product);
      advance();
    }
    element = sum;
  }
}

void kernel(KernelContext& ctx) {
  std::vector<Shape> shapes;
  for (const Array& input : ctx.inputs) shapes.push_back(Shape::of(input.sizes()));
  const Walker walker = walker_of(plan_of(ctx, shapes), ctx.inputs);
  ops::dispatch_numeric(ctx.out(), [&]<class T>() { contract<T>(walker, ctx.inputs, ctx.out().mutable_data<T>()); });
}

// ---- Gradient

struct Operand {
  Tensor tensor;
  Labels labels;
};

// Without the axes of length 1 that an ellipsis stretches: they take part in nothing.
Operand unstretched(const ops::EinsumPlan& plan, const std::vector<Dim>& lengths, const Tensor& tensor,
                    const Labels& labels) {
  Operand operand{tensor, {}};
  std::vector<std::int64_t> dropped;
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    const Dim& length = lengths[static_cast<std::size_t>(labels[axis])];
    const bool stretched =
        labels[axis] >= plan.first_of_ellipsis && tensor.shape()[static_cast<int>(axis)] == Dim(1) && length != Dim(1);
    if (stretched) dropped.push_back(static_cast<std::int64_t>(axis));
    if (!stretched) operand.labels.push_back(labels[axis]);
  }
  if (!dropped.empty()) operand.tensor = add_op("Squeeze", {tensor, ops::ints(tensor.graph(), dropped)});
  return operand;
}

// The identity matrix of the size of an axis.
Tensor identity_of(const Tensor& tensor, int axis) {
  Graph& graph = tensor.graph();
  const Tensor length = ops::length_of(tensor, axis);
  const Tensor target = add_op("Concat", {length, length}, {{"axis", 0}});
  return add_op("EyeLike", {add_op("Expand", {graph.scalar(tensor.dtype(), 0), target})});
}

// The gradient of operand k is a product again: of the gradient of the result with all other operands, summed over
// what operand k does not have. A diagonal is laid back by an identity matrix, and along axes that were only summed
// the gradient is the same everywhere.
Tensor gradient_of(std::size_t k, const std::vector<Operand>& operands, const Operand& grad, int next_label) {
  const Operand& mine = operands[k];
  std::vector<Tensor> tensors = {grad.tensor};
  std::vector<Labels> terms = {grad.labels};
  for (std::size_t other = 0; other < operands.size(); ++other) {
    if (other == k) continue;
    tensors.push_back(operands[other].tensor);
    terms.push_back(operands[other].labels);
  }
  Labels wanted = mine.labels;
  for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
    const Labels earlier(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(axis));
    if (!contains(earlier, wanted[axis])) continue;
    tensors.push_back(identity_of(mine.tensor, static_cast<int>(axis)));
    terms.push_back({wanted[axis], next_label});
    wanted[axis] = next_label++;
  }
  Labels found;
  std::vector<std::int64_t> missing;
  for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
    const bool there =
        std::any_of(terms.begin(), terms.end(), [&](const Labels& t) { return contains(t, wanted[axis]); });
    if (there) found.push_back(wanted[axis]);
    if (!there) missing.push_back(static_cast<std::int64_t>(axis));
  }
  const Tensor product = add_op("Einsum", tensors, {{"equation", ops::write_einsum(terms, found)}});
  if (missing.empty()) return product;
  const Tensor spread = add_op("Unsqueeze", {product, ops::ints(product.graph(), missing)});
  return ops::expand_like(spread, mine.tensor);
}

void gradient(GradientContext& ctx) {
  std::vector<Shape> shapes;
  for (const Tensor& input : ctx.inputs) shapes.push_back(input.shape());
  const auto plan = plan_of(ctx, shapes);
  const auto lengths = ops::label_lengths(plan, shapes);
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < ctx.inputs.size(); ++k) {
    operands.push_back(unstretched(plan, lengths, ctx.inputs[k], plan.operands[k]));
  }
  const Operand grad{ctx.grad(), plan.output};
  for (int k = 0; k < ctx.input_count(); ++k) {
    if (!ctx.needs(k)) continue;
    const Tensor found = gradient_of(static_cast<std::size_t>(k), operands, grad, plan.labels);
    const bool same = found.shape() == ctx.in(k).shape();
    ctx.set(k, same ? found : add_op("Reshape", {found, ops::shape_of(ctx.in(k))}));
  }
}

Cost cost(const CostContext& ctx) {
  std::vector<Shape> shapes;
  for (const TensorType& input : ctx.inputs()) shapes.push_back(input.shape);
  const auto plan = plan_of(ctx, shapes);
  double terms = 1;
  for (const Dim& length : ops::label_lengths(plan, shapes)) terms *= static_cast<double>(length.known().value_or(1));
  return {terms * static_cast<double>(shapes.size()), ops::bytes_moved(ctx), true};
}

std::vector<Sample> samples() {
  const auto of = [](std::string name, const char* equation, std::vector<SampleInput> inputs,
                     bool with_gradient = true) {
    return Sample{.name = std::move(name),
                  .inputs = std::move(inputs),
                  .attrs = {{"equation", equation}},
                  .gradient = with_gradient};
  };
  const Array four = Array::of<double>({2, 2}, {1, 2, 3, 4});
  const Array more = Array::of<double>({2, 2}, {5, 6, 7, 8});
  std::vector<Sample> samples = {
      of("product", "ij,jk->ik", {in({2, 3}), in({3, 4})}),
      of("implied_product", "ij,jk", {in({2, 3}), in({3, 4})}),
      of("implied_in_alphabetic_order", "ba", {in({2, 3})}),
      of("spaces", " i j , jk -> ki ", {in({2, 3}), in({3, 2})}),
      of("batch", "bij,bjk->bik", {in({2, 3, 4}), in({2, 4, 2})}),
      of("dot", "i,i", {in({4}), in({4})}),
      of("outer", "i,j->ij", {in({2}), in({3})}),
      of("row_sums", "ij->i", {in({2, 3})}),
      of("total", "ijk->", {in({2, 3, 4})}),
      of("diagonal", "ii->i", {in({3, 3})}),
      of("trace_of_rank_3", "iji->j", {in({2, 3, 2})}),
      of("three_times_the_same", "iii->i", {in({2, 2, 2})}),
      of("diagonal_times_vector", "ii,i->i", {in({3, 3}), in({3})}),
      of("three_operands", "ij,jk,kl->il", {in({2, 3}), in({3, 2}), in({2, 2})}),
      of("summed_alone", "ij,k->k", {in({2, 3}), in({2})}),
      of("scalar_factor", ",ij->ji", {in({}), in({2, 3})}),
      of("ellipsis", "...ij,...jk->...ik", {in({2, 2, 3}), in({2, 3, 2})}),
      of("ellipsis_broadcast", "...ij,jk...->...ik", {in({2, 1, 2, 3}), in({3, 2, 3})}),
      of("ellipsis_implied", "...ij,...j", {in({3, 2, 2}), in({1, 2})}),
      of("batch_diagonal", "...ii->...i", {in({2, 3, 3})}),
      of("ellipsis_of_nothing", "...i->i...", {in({3})}),
      of("no_terms", "ij,jk->ik", {in({2, 0}), in({0, 3})}, false),
      of("no_elements", "ij->ji", {in({0, 3})}, false),
  };
  const auto exact = [&](std::string name, const char* equation, std::vector<SampleInput> inputs, Array expected) {
    samples.push_back(of(std::move(name), equation, std::move(inputs)));
    samples.back().expected = {std::move(expected)};
  };
  exact("product_by_hand", "ij,jk->ik", {in_exact(four), in_exact(more)}, Array::of<double>({2, 2}, {19, 22, 43, 50}));
  exact("trace_by_hand", "ii", {in_exact(four)}, Array::scalar(DType::f64, 5));
  exact("transposed_by_hand", "ij->ji", {in_exact(four)}, Array::of<double>({2, 2}, {1, 3, 2, 4}));
  exact("elements_by_hand", "ij,ij->", {in_exact(four), in_exact(more)}, Array::scalar(DType::f64, 70));
  return samples;
}

BadSample bad(std::string name, const char* equation, std::vector<SampleInput> inputs, ErrorCode code,
              std::string contains) {
  return {.name = std::move(name),
          .inputs = std::move(inputs),
          .attrs = {{"equation", equation}},
          .code = code,
          .contains = std::move(contains)};
}

std::vector<BadSample> bad_samples() {
  return {
      bad("other_lengths", "ij,jk->ik", {in({2, 3}), in({4, 5})}, ErrorCode::bad_shape, "lengths 3 and 4"),
      bad("too_few_operands", "ij->ij", {in({2, 3}), in({2, 3})}, ErrorCode::bad_attribute, "2 operands"),
      bad("other_rank", "ijk->i", {in({2, 3})}, ErrorCode::bad_shape, "rank 2 for 'ijk'"),
      bad("unknown_letter", "ij->k", {in({2, 3})}, ErrorCode::bad_attribute, "not 'k'"),
      bad("letter_twice", "ij->ii", {in({2, 3})}, ErrorCode::bad_attribute, "at most once"),
      bad("no_letter", "i1->i", {in({2, 3})}, ErrorCode::bad_attribute, "letters"),
      bad("two_ellipses", "...i...->i", {in({2, 3})}, ErrorCode::bad_attribute, "one '...'"),
  };
}

}  // namespace

OpCard card_einsum() {
  const DTypeSet numbers = kFloats | DTypeSet{DType::i32, DType::i64, DType::u32, DType::u64};
  return {
      .name = "Einsum",
      .category = Category::linear_algebra,
      .inputs = {{.name = "operands",
                  .dtypes = numbers,
                  .kind = PortKind::variadic,
                  .words = {"the factors, with a letter for each of their axes",
                            "множители, каждой оси которых дана буква"}}},
      .outputs = {{.name = "y",
                   .dtypes = numbers,
                   .words = {"the sum of products that the equation asks for",
                             "сумма произведений по данной формуле"}}},
      .attributes = {{.name = "equation",
                      .kind = AttrKind::text,
                      .words = {"letters for the axes of each operand and, after an arrow, for those of the result: "
                                "\"ij,jk->ik\"; '...' stands for all axes that have no letter",
                                "буквы для осей каждого операнда и, после стрелки, для осей результата: \"ij,jk->ik\"; "
                                "'...' стоит вместо всех осей без букв"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .onnx = {{.op = "Einsum", .since = 12}},
      .torch = "torch.einsum",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what = {"Writes a product of tensors as physicists do, with a letter for every axis: axes with the same "
                    "letter move together, and over a letter that does not appear in the result the products are "
                    "summed. \"ij,jk->ik\" is the matrix product, \"ij->ji\" the transpose, \"ii->i\" the diagonal.",
                    "Записывает произведение тензоров, как принято в физике, с буквой на каждую ось: оси с одной "
                    "буквой идут вместе, а по буквам, которых нет в результате, берётся сумма. \"ij,jk->ik\" — "
                    "произведение матриц, \"ij->ji\" — транспонирование, \"ii->i\" — диагональ."},
           .formula = R"(y_{i k} = \sum_{j} a_{i j} b_{j k})",
           .why = {"Attention, bilinear layers and tensor factorisations become one readable line instead of a chain "
                   "of transposes, reshapes and products. The gradient of such a product is one again, with the "
                   "letters exchanged.",
                   "Внимание, билинейные слои и тензорные разложения становятся одной понятной строкой вместо цепочки "
                   "транспонирований, изменений формы и произведений. Градиент такого произведения — снова такое же "
                   "произведение с переставленными буквами."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
