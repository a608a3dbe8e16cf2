#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_identity() {
  return {
      .name = "Identity",
      .category = Category::shape,
      .inputs = ops::x_port(kAnyType),
      .outputs = ops::y_port(kAnyType),
      .traits = {.elementwise = true, .view = true},
      .infer = ops::infer_identity,
      .kernel = [](KernelContext& ctx) { ctx.out().assign(ctx.in(0)); },
      .gradient_kind = GradientKind::rule,
      .gradient = [](GradientContext& ctx) { ctx.set(0, ctx.grad()); },
      .cost = ops::cost_nothing,
      .onnx = {{.op = "Identity", .since = 13}},
      .torch = "torch.nn.Identity",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Passes its input on unchanged, whatever its dtype, and the gradient back unchanged. It costs "
                    "nothing: a compiler removes it.",
                    "Передаёт вход любого типа дальше без изменений, а градиент — так же обратно. Она ничего не стоит: "
                    "компилятор её убирает."},
           .formula = "y = x",
           .why = {"A place that can carry a name, be watched, or be swapped for something else while a model trains. "
                   "Blocks whose dropout or shortcut is switched off hold one in its stead.",
                   "Место, которому можно дать имя, за которым можно следить или которое можно заменить чем-то другим, "
                   "пока модель обучается. Стоит в блоках вместо отключённого dropout или обходного пути."}},
      .samples = ops::join({ops::unary_samples(),
                            {{.name = "integers",
                              .inputs = {in_ints({3}, {1, -2, 3})},
                              .gradient = false,
                              .expected = {Array::ints({1, -2, 3})}},
                             {.name = "bools", .inputs = {in_bools({2}, {true, false})}, .gradient = false},
                             ops::exact("extremes", {ops::kInfinity, ops::kNan}, {ops::kInfinity, ops::kNan})}}),
      .bad_samples = {{.name = "two_inputs",
                       .inputs = {in({2}), in({2})},
                       .code = ErrorCode::wrong_input_count,
                       .contains = "2 inputs for op 'Identity'"}},
  };
}

}  // namespace asg::cards
