#include "asg/graph/card.h"
#include "ops/shape/view_parts.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ctx.output({DType::i64, {}});
  ctx.output_known(0, {ctx.shape(0).element_count()});
}

void kernel(KernelContext& ctx) { ctx.out().set_i64(0, ctx.in(0).count()); }

void body(BodyContext& ctx) { ctx.output(add_op("ReduceProd", {add_op("Shape", {ctx.in(0)})}, {{"keepdims", false}})); }

}  // namespace

OpCard card_size() {
  Port x = ops::any_tensor();
  x.differentiable = false;
  return {
      .name = "Size",
      .category = Category::shape,
      .inputs = {x},
      .outputs = {{.name = "size",
                   .dtypes = kInt64,
                   .type = "",
                   .words = {"the number of elements, a scalar", "число элементов, скаляр"},
                   .differentiable = false}},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "how many elements there are does not depend on what they are",
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Size", .since = 1}},
      .torch = "torch.numel",
      .words = {.what = {"Counts the elements of a tensor: the product of the lengths of its axes. A tensor of shape "
                         "[2, 3] has 6, a scalar has 1, and one with an axis of length 0 has none.",
                         "Считает элементы тензора: произведение длин его осей. У тензора формы [2, 3] их 6, у скаляра "
                         "1, а если длина какой-то оси 0, то ни одного."},
                .formula = R"(y = \prod_{k} d_k)",
                .why = {"Dividing a sum by it gives a mean over everything, whatever the batch size will be. Exported "
                        "graphs compute the sizes of buffers and ranges from it.",
                        "Деление суммы на него даёт среднее по всему, каким бы ни оказался размер пакета. В "
                        "экспортированных графах по нему вычисляют размеры буферов и диапазонов."}},
      .samples = {{.name = "rank_3", .inputs = {in({2, 3, 4})}, .expected = {Array::scalar_i64(24)}},
                  {.name = "scalar", .inputs = {in({})}, .expected = {Array::scalar_i64(1)}},
                  {.name = "empty", .inputs = {in({2, 0})}, .expected = {Array::scalar_i64(0)}}},
      .bad_samples = {{.name = "two_inputs",
                       .inputs = {in({2}), in({3})},
                       .code = ErrorCode::wrong_input_count,
                       .contains = "2 inputs"}},
  };
}

}  // namespace asg::cards
