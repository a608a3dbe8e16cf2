#include "ops/control_flow/subgraph_cases.h"
#include "ops/control_flow/subgraphs.h"
#include "ops/support/cost.h"

namespace asg::cards {
namespace {

void body(BodyContext& ctx) { ops::inline_graph(ctx, ops::closed_graph(ctx, "body")); }

}  // namespace

OpCard card_call() {
  return {
      .name = "Call",
      .category = Category::control_flow,
      .inputs = {{.name = "inputs",
                  .dtypes = kAnyType,
                  .type = "",
                  .kind = PortKind::variadic,
                  .words = {"the arguments, in the order of the function's inputs",
                            "аргументы в порядке входов функции"}}},
      .outputs = {{.name = "outputs",
                   .dtypes = kAnyType,
                   .type = "",
                   .kind = PortKind::variadic,
                   .words = {"what the function returns", "то, что возвращает функция"}}},
      .attributes = {{.name = "body",
                      .kind = AttrKind::graph,
                      .words = {"the function: a closed graph, whose name is the name of the function",
                                "функция: замкнутый граф; его имя — имя функции"}}},
      .infer = ops::infer_called,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(0),
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what =
               {"Applies a function that was defined once, as a graph of its own, to arguments. Many calls may share "
                "one definition, and each is typed by its own arguments. Random ops inside draw other numbers in "
                "every call.",
                "Применяет к аргументам функцию, определённую один раз отдельным графом. Одно определение могут "
                "разделять много вызовов, и каждый получает типы от своих аргументов. Случайные операции внутри в "
                "каждом вызове дают другие числа."},
           .formula = R"((y_1, \dots, y_m) = f(x_1, \dots, x_n))",
           .why = {"Models repeat themselves: the same normalisation, the same home-made activation. A function gives "
                   "such a piece a name, keeps the graph short for its readers and is what ONNX calls a model-local "
                   "function.",
                   "Модели повторяются: та же нормализация, та же самодельная активация. Функция даёт такому куску "
                   "имя, сокращает граф для читателя и соответствует локальной функции модели в ONNX."}},
      .samples = ops::called_samples(),
      .bad_samples = ops::bad_called_samples(),
  };
}

}  // namespace asg::cards
