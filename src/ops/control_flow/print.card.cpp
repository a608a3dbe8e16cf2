#include <string>

#include "asg/core/log.h"
#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

// Goes to the log sink, which belongs to the user; nothing else is written.
void kernel(KernelContext& ctx) {
  const Array shown = ctx.in(0).cast(ctx.input_dtypes.front());
  const std::string& message = ctx.text("message");
  log(LogLevel::info,
      (message.empty() ? "" : message + ": ") + shown.type_string() + " " + shown.to_string(ctx.integer("summarize")));
  ctx.out().assign(ctx.in(0));
}

void gradient(GradientContext& ctx) { ctx.set(0, ctx.grad()); }

void body(BodyContext& ctx) { ctx.output(add_op("Identity", {ctx.in(0)})); }

std::vector<Sample> samples() {
  return {
      {.name = "matrix", .inputs = {in({2, 3, 4})}, .attrs = {{"message", "x"}}},
      {.name = "shortened", .inputs = {in({5})}, .attrs = {{"summarize", 2}}},
      {.name = "named_and_shortened", .inputs = {in({4, 3})}, .attrs = {{"message", "x"}, {"summarize", 4}}},
      {.name = "scalar",
       .inputs = {in_exact(Array::scalar(DType::f64, 2.5))},
       .gradient = false,
       .expected = {Array::scalar(DType::f64, 2.5)}},
      {.name = "nothing", .inputs = {in({0, 2})}, .gradient = false},
      {.name = "bools", .inputs = {in_bools({2}, {true, false})}, .gradient = false},
  };
}

}  // namespace

OpCard card_print() {
  return {
      .name = "Print",
      .category = Category::control_flow,
      .inputs = ops::x_port(kAnyType),
      .outputs = ops::y_port(kAnyType),
      .attributes =
          {{.name = "message",
            .kind = AttrKind::text,
            .fallback = "",
            .words = {"what stands before the value", "что стоит перед значением"}},
           {.name = "summarize",
            .kind = AttrKind::integer,
            .fallback = 64,
            .least = 1,
            .words = {"the most elements that are shown; of longer tensors the middle is left out",
                      "сколько элементов показывать самое большее; у более длинных тензоров опускается середина"}}},
      .infer = ops::infer_identity,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .tolerance = ops::kExact,
      .words =
          {.what = {"Passes its input through unchanged and hands type and value to the log of the program on the way. "
                    "Long tensors are shortened in the middle. Only the reference kernel shows anything; an exported "
                    "model holds an Identity instead.",
                    "Пропускает вход без изменений и по пути передаёт его тип и значение в журнал программы. Длинные "
                    "тензоры сокращаются в середине. Показывает что-либо только эталонное ядро; в экспортированной "
                    "модели вместо этого узла стоит Identity."},
           .formula = R"(y = x)",
           .why = {"A graph runs out of sight. A Print in the right place shows where a value first turns into NaN, or "
                   "that a mask is the wrong way round, without any change of the result or of its gradient.",
                   "Граф работает незримо. Такой узел в нужном месте покажет, где значение впервые стало NaN или что "
                   "маска перевёрнута, не меняя ни результата, ни его градиента."}},
      .samples = samples(),
      .bad_samples = {{.name = "show_nothing",
                       .inputs = {in({2})},
                       .attrs = {{"summarize", 0}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "at least 1"}},
  };
}

}  // namespace asg::cards
