#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/infer.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const auto wanted = ctx.need_known(1);
  for (const Dim& dim : wanted) {
    if (dim.is_known() && dim.value() < 0) {
      fail(ErrorCode::bad_shape, "a target shape " + Shape(wanted).to_string(), "lengths of at least 0",
           "use 1 for an axis whose length shall stay");
    }
  }
  const TensorType type{ctx.dtype(0), broadcast(ctx.shape(0), Shape(wanted))};
  ctx.output(type);
  const auto known = ctx.known(0);
  if (!known || type.shape.rank() > 1) return;
  const auto count = type.shape.element_count().known();
  if (!count || *count > ops::kMostKnown) return;
  const bool repeated = known->size() == 1;
  ops::set_known(ctx, type, repeated ? std::vector<Dim>(static_cast<std::size_t>(*count), known->front()) : *known);
}

void kernel(KernelContext& ctx) { ctx.out().assign(ctx.in(0).broadcast_to(ctx.out().sizes())); }

void gradient(GradientContext& ctx) { ctx.set_summed(0, ctx.grad()); }

std::vector<Sample> samples() {
  return {
      {.name = "new_axes", .inputs = {in({3}), in_ints({3}, {4, 2, 3})}},
      {.name = "stretch_middle", .inputs = {in({2, 1, 4}), in_ints({3}, {2, 3, 4})}},
      {.name = "both_stretch", .inputs = {in({3, 1}), in_ints({3}, {2, 1, 4})}},
      {.name = "shorter_target", .inputs = {in({2, 3, 1}), in_ints({1}, {4})}},
      {.name = "scalar", .inputs = {in({}), in_ints({2}, {2, 3})}},
      {.name = "same", .inputs = {in({2, 3, 4}), in_ints({3}, {2, 3, 4})}},
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({2, 1}, {1, 2})), in_ints({2}, {2, 3})},
       .expected = {Array::of<double>({2, 3}, {1, 1, 1, 2, 2, 2})}},
      {.name = "to_nothing", .inputs = {in({1, 3}), in_ints({2}, {0, 3})}, .gradient = false},
      {.name = "empty", .inputs = {in({0, 1}), in_ints({2}, {1, 4})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "other_length", .inputs = {in({2, 3}), in_ints({2}, {2, 4})}, .code = ErrorCode::broadcast_mismatch},
      {.name = "negative",
       .inputs = {in({1, 3}), in_ints({2}, {-1, 3})},
       .code = ErrorCode::bad_shape,
       .contains = "lengths of at least 0"},
  };
}

}  // namespace

OpCard card_expand() {
  OpCard card = ops::view_card("Expand");
  card.inputs = {ops::any_tensor(),
                 {.name = "shape",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the shape to which x is broadcast; where it says 1 the length of x stays",
                            "форма, до которой растягивается x; там, где в ней 1, длина x сохраняется"},
                  .differentiable = false}};
  card.outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"x repeated along the stretched axes", "x, повторённый вдоль растянутых осей"}}};
  card.infer = infer;
  card.kernel = kernel;
  card.gradient = gradient;
  card.onnx = {{.op = "Expand", .since = 8}};
  card.torch = "torch.broadcast_to";
  card.words = {
      .what = {"Repeats a tensor until it has the given shape: axes of length 1 are stretched and missing axes are "
               "added in front, as when broadcasting against a tensor of that shape. A 1 in the shape keeps the length "
               "that x has, so the result may be larger than asked.",
               "Повторяет тензор, пока он не примет заданную форму: оси длины 1 растягиваются, недостающие оси "
               "добавляются спереди, как при растягивании рядом с тензором такой формы. Единица в заданной форме "
               "сохраняет длину, которая есть у x, поэтому результат может оказаться больше заданного."},
      .formula = R"(y_{i j} = x_{0 j})",
      .why = {
          "Sums and means forget an axis; their gradients must spread one number over all elements it came from, and "
          "that is Expand. It also makes constants of a size that is only known at run time.",
          "Сумма и среднее теряют ось; их градиент должен распределить одно число по всем элементам, из которых оно "
          "получено, — это и делает Expand. Ею же создают константы, размер которых известен лишь при выполнении."}};
  card.samples = samples();
  card.bad_samples = bad_samples();
  return card;
}

}  // namespace asg::cards
