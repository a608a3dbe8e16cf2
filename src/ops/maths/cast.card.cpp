#include "asg/graph/card.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const TensorType type{ctx.dtype_attr("to"), ctx.shape(0)};
  ctx.output(type);
  // Numbers that do not fit are left out by set_known, so what is left is not changed by the conversion.
  if (auto known = ctx.known(0)) ops::set_known(ctx, type, *std::move(known));
}

// Goes through the storage dtype, whose limits decide where floats saturate and integers wrap.
void kernel(KernelContext& ctx) { ctx.out().assign(ctx.in(0).cast(ctx.output_dtypes.front()).cast(ctx.out().dtype())); }

void gradient(GradientContext& ctx) {
  const DType from = ctx.in(0).dtype();
  if (is_float(from) && is_float(ctx.out().dtype())) ctx.set(0, add_op("Cast", {ctx.grad()}, {{"to", from}}));
}

Sample to(DType dtype) {
  // Rounding to a narrower dtype hides small differences, so only the widest float shows a gradient.
  return {.name = "to_" + std::string(name_of(dtype)),
          .inputs = {in({2, 3, 4}, 0, 3)},
          .attrs = {{"to", dtype}},
          .gradient = dtype == DType::f64};
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (DType dtype : all_dtypes()) all.push_back(to(dtype));
  const Array special = ops::reals({-1.9, 1.9, 300, -300, ops::kNan});
  const auto exactly = [&](std::string name, const Array& from, Array expected) {
    const DType dtype = expected.dtype();
    all.push_back({.name = std::move(name),
                   .inputs = {in_exact(from)},
                   .attrs = {{"to", dtype}},
                   .gradient = false,
                   .expected = {std::move(expected)}});
  };
  exactly("float_to_i8_truncates_and_saturates", special, Array::of<std::int8_t>({5}, {-1, 1, 127, -128, 0}));
  exactly("float_to_u8_saturates", special, Array::of<std::uint8_t>({5}, {0, 1, 255, 0, 0}));
  exactly("float_to_bool", ops::reals({0, -0.0, 0.5, ops::kNan}), ops::bools({false, false, true, true}));
  exactly("integer_to_i8_wraps", Array::ints({300, -1, 127}), Array::of<std::int8_t>({3}, {44, -1, 127}));
  exactly("integer_to_u8_wraps", Array::ints({300, -1, 127}), Array::of<std::uint8_t>({3}, {44, 255, 127}));
  exactly("bool_to_float", ops::bools({true, false}), Array::of<float>({2}, {1, 0}));
  exactly("rounds_to_nearest_even", Array::ints({16777217, 16777219}), Array::of<float>({2}, {16777216, 16777220}));
  return all;
}

}  // namespace

OpCard card_cast() {
  return {
      .name = "Cast",
      .category = Category::maths,
      .inputs = {{.name = "x", .dtypes = kAnyType, .words = {"A tensor of any dtype.", "Тензор любого типа."}}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "",
                   .words = {"The same elements in the new dtype.", "Те же элементы в новом типе."}}},
      .attributes = {{.name = "to",
                      .kind = AttrKind::dtype,
                      .words = {"The new dtype, such as f32 or i64.", "Новый тип, например f32 или i64."}}},
      .traits = {.elementwise = true},
      .scalar = ScalarOp::cast,
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .gradient_reason = "Between floats the gradient is cast back; an integer or bool on either side has none.",
      .onnx = {{.op = "Cast", .since = 13}},
      .torch = "torch.Tensor.to",
      .peer_differences = {{{"float_to_i8_truncates_and_saturates", "float_to_u8_saturates"},
                            "a float beyond the limits of an integer saturates; PyTorch leaves it to the processor"}},
      .tolerance = ops::kExact,
      .words =
          {.what = {"Converts every element to another dtype. A float becomes the nearest number of a narrower float, "
                    "ties going to the even one; it becomes an integer by dropping its fraction and stopping at the "
                    "limits (NaN gives 0). Integers wrap around when they do not fit, and as a bool anything but zero "
                    "is true, NaN too.",
                    "Переводит каждый элемент в другой тип. При переводе в более узкий вещественный тип берётся "
                    "ближайшее число, а из двух равноудалённых — чётное; при переводе в целый дробная часть "
                    "отбрасывается, а то, что не помещается, заменяется пределом типа (NaN даёт 0). Не помещающиеся "
                    "целые берутся по модулю, а в логическом типе истинно всё, кроме нуля, даже NaN."},
           .formula = "y = \\text{cast}(x)",
           .why = {"Ops want operands of one dtype, and mixed-precision training keeps weights in f32 while it "
                   "multiplies in bf16. Casting a comparison to floats gives a mask of zeros and ones to multiply by.",
                   "Операциям нужны операнды одного типа, а обучение со смешанной точностью хранит веса в f32 и "
                   "умножает в bf16. Сравнение, переведённое в вещественные числа, даёт маску из нулей и единиц, на "
                   "которую можно умножать."}},
      .samples = samples(),
      .bad_samples = {{.name = "without_a_target",
                       .inputs = {in({2})},
                       .code = ErrorCode::missing_attribute,
                       .contains = "no attribute 'to'"},
                      {.name = "target_that_is_no_dtype",
                       .inputs = {in({2})},
                       .attrs = {{"to", "f32"}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "attribute 'to'"}},
  };
}

}  // namespace asg::cards
