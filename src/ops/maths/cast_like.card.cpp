#include <cstdint>
#include <string>
#include <utility>

#include "asg/graph/card.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) { ctx.output({ctx.dtype(1), ctx.shape(0)}); }

void body(BodyContext& ctx) { ctx.output(add_op("Cast", {ctx.in(0)}, {{"to", ctx.in(1).dtype()}})); }

Sample like(std::string name, Array x, Array target, Array expected) {
  return {.name = std::move(name),
          .inputs = {in_exact(std::move(x)), in_exact(std::move(target))},
          .gradient = false,
          .expected = {std::move(expected)}};
}

}  // namespace

OpCard card_cast_like() {
  return {
      .name = "CastLike",
      .category = Category::maths,
      .inputs = {{.name = "x", .dtypes = kAnyType, .words = {"What is converted.", "То, что переводится."}},
                 {.name = "target",
                  .dtypes = kAnyType,
                  .type = "U",
                  .words = {"A tensor of the wanted dtype; its shape and its values do not matter.",
                            "Тензор нужного типа; его форма и значения не важны."},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "U",
                   .words = {"The elements of x in the dtype of target.", "Элементы x в типе тензора target."}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .onnx = {{.op = "CastLike", .since = 15}},
      .torch = "torch.Tensor.type_as",
      .tolerance = ops::kExact,
      .words = {.what = {"Converts the first tensor to the dtype of the second, by the rules of Cast: floats lose "
                         "their fraction on the way to integers, anything but zero becomes true. Of the second tensor "
                         "only the dtype is looked at.",
                         "Переводит первый тензор в тип второго по правилам Cast: на пути к целым отбрасывается "
                         "дробная часть, всё ненулевое становится истиной. От второго тензора нужен только тип."},
                .formula = "y = \\text{cast}(x)",
                .why = {"Lets a block be written once for all precisions: a constant takes the dtype of whatever flows "
                        "past it, be it f32 or bf16, and no attribute must be changed. ONNX uses it inside the "
                        "definitions of its own functions.",
                        "Позволяет написать блок один раз для всех точностей: константа принимает тип того тензора, "
                        "рядом с которым стоит, будь то f32 или bf16, и менять атрибуты не нужно. ONNX пользуется ею в "
                        "определениях своих функций."}},
      .samples = {{.name = "floats", .inputs = {in({2, 3, 4}), in({2})}},
                  {.name = "scalar", .inputs = {in({}), in({3, 1})}, .gradient = false},
                  {.name = "no_elements", .inputs = {in({2, 0}), in({})}, .gradient = false},
                  like("float_to_integer", ops::reals({0.2, 1.9, 100.5, ops::kNan}), Array(DType::i8, {}),
                       Array::of<std::int8_t>({4}, {0, 1, 100, 0})),
                  like("bool_to_float", ops::bools({true, false}), Array(DType::f32, {1}),
                       Array::of<float>({2}, {1, 0})),
                  like("integer_to_bool", Array::ints({2, 0}), Array(DType::boolean, {2, 0}),
                       ops::bools({true, false}))},
      .bad_samples = {{.name = "without_a_target",
                       .inputs = {in({2})},
                       .code = ErrorCode::wrong_input_count,
                       .contains = "CastLike"}},
  };
}

}  // namespace asg::cards
