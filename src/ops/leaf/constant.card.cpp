#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Array& value = ctx.attr("value").as_tensor();
  ctx.output({value.dtype(), Shape::of(value.sizes())});
  if (auto contents = ops::known_contents(value)) ctx.output_known(0, *std::move(contents));
}

void kernel(KernelContext& ctx) { ctx.out().assign(ctx.attr("value").as_tensor().cast(ctx.out().dtype())); }

}  // namespace

OpCard card_constant() {
  return {
      .name = "Constant",
      .category = Category::leaf,
      .outputs = {{.name = "y", .dtypes = kAnyType, .type = "", .words = {"the value", "само значение"}}},
      .attributes = {{.name = "value",
                      .kind = AttrKind::tensor,
                      .words = {"the tensor that the node holds", "тензор, который хранит узел"}}},
      .traits = {.leaf = true},
      .infer = infer,
      .kernel = kernel,
      .gradient_reason = "A constant has no inputs to pass a gradient to.",
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Constant", .since = 13}},
      .torch = "torch.tensor",
      .tolerance = ops::kExact,
      .words = {.what = {"A tensor that is written into the graph and never changes. Numbers in formulas, lists of "
                         "axes and target shapes are constants.",
                         "Тензор, записанный в сам граф и неизменный. Числа в формулах, списки осей и нужные формы — "
                         "всё это константы."},
                .formula = "y = c",
                .why = {"Training leaves constants alone, in contrast to variables, so a compiler may compute with "
                        "them ahead of time. The contents of small integer constants are known while building, which "
                        "lets Reshape and the reductions find their result's shape at once.",
                        "Обучение не трогает константы, в отличие от переменных, и компилятор может посчитать с ними "
                        "заранее. Содержимое малых целых констант известно уже при построении, поэтому Reshape и "
                        "свёртки по осям сразу знают форму результата."}},
      .samples = {{.name = "floats",
                   .inputs = {},
                   .attrs = {{"value", Array::of<double>({2, 1, 3}, {1, 2, 3, 4, 5, 6})}},
                   .gradient = false,
                   .expected = {Array::of<double>({2, 1, 3}, {1, 2, 3, 4, 5, 6})}},
                  {.name = "integers",
                   .inputs = {},
                   .attrs = {{"value", Array::ints({3, -1})}},
                   .gradient = false,
                   .expected = {Array::ints({3, -1})}},
                  {.name = "rank_3_of_bytes",
                   .inputs = {},
                   .attrs = {{"value", Array(DType::u8, {2, 3, 4})}},
                   .gradient = false,
                   .expected = {Array(DType::u8, {2, 3, 4})}},
                  {.name = "bool_scalar",
                   .inputs = {},
                   .attrs = {{"value", Array::scalar(DType::boolean, 1)}},
                   .gradient = false,
                   .expected = {Array::scalar(DType::boolean, 1)}}},
  };
}

}  // namespace asg::cards
