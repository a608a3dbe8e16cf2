#include "asg/graph/card.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  ops::binary<bool>(ctx, [](bool a, bool b) { return a && b; });
}

void body(BodyContext& ctx) { ctx.output(ops::choose(ctx.in(0), ctx.in(1), ctx.in(0))); }

}  // namespace

OpCard card_and() {
  return {
      .name = "And",
      .category = Category::logic,
      .inputs = ops::operand_ports(kBool),
      .outputs = ops::bool_port(),
      .traits = {.elementwise = true, .commutative = true},
      .infer = ops::infer_broadcast_to_bool,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "True and false have no slope.",
      .onnx = {{.op = "And", .since = 7}},
      .torch = "torch.logical_and",
      .tolerance = ops::kExact,
      .words = {.what = {"True where both elements are true, with broadcasting.",
                         "Истина там, где истинны оба элемента, с растягиванием форм."},
                .formula = "y = a \\land b",
                .why = {"Combines conditions: an attention mask allows a place that is both earlier in the text "
                        "and no padding.",
                        "Соединяет условия: маска внимания разрешает место, которое и раньше в тексте, и не "
                        "является заполнением."}},
      .samples = {{.name = "truth_table",
                   .inputs = {in_bools({4}, {false, false, true, true}), in_bools({4}, {false, true, false, true})},
                   .gradient = false,
                   .expected = {ops::bools({false, false, false, true})}},
                  {.name = "broadcast_rank_3",
                   .inputs = {in_bools({2, 1, 3}, {true, false, true, false, true, true}),
                              in_bools({4, 1}, {true, false, true, false})},
                   .gradient = false},
                  {.name = "broadcast_left",
                   .inputs = {in_bools({2}, {true, false}), in_bools({3, 2}, {true, true, false, true, false, false})},
                   .gradient = false},
                  {.name = "scalars", .inputs = {in_bools({}, {true}), in_bools({}, {false})}, .gradient = false},
                  {.name = "no_elements",
                   .inputs = {in_bools({0, 2}, {}), in_bools({2}, {true, false})},
                   .gradient = false},
                  {.name = "rank_3",
                   .inputs = {in_exact(Array(DType::boolean, {2, 3, 4})), in_exact(Array::scalar(DType::boolean, 1))},
                   .gradient = false}},
      .bad_samples = {{.name = "numbers",
                       .inputs = {in({2}), in({2})},
                       .code = ErrorCode::bad_dtype,
                       .contains = "f64 for input 'a'"},
                      {.name = "shapes_that_do_not_broadcast",
                       .inputs = {in_bools({2}, {true, true}), in_bools({3}, {true, true, true})},
                       .code = ErrorCode::broadcast_mismatch,
                       .contains = "shapes [2] and [3]"}},
  };
}

}  // namespace asg::cards
