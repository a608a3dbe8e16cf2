#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/ports.h"

namespace asg::cards {

OpCard card_external() {
  return {
      .name = "External",
      .category = Category::leaf,
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "",
                   .words = {"the value that the other graph computed", "значение, посчитанное другим графом"}}},
      .attributes = {{.name = "graph",
                      .kind = AttrKind::integer,
                      .least = 1,
                      .words = {"id of the graph that computes it", "номер графа, который его считает"}},
                     {.name = "node",
                      .kind = AttrKind::integer,
                      .least = 1,
                      .words = {"id of the node there", "номер узла в том графе"}},
                     {.name = "port",
                      .kind = AttrKind::integer,
                      .fallback = Attr(0),
                      .least = 0,
                      .words = {"which of the node's outputs", "который из выходов узла"}},
                     {.name = "type",
                      .kind = AttrKind::type,
                      .words = {"its dtype and shape", "его тип элементов и форма"}}},
      .traits = {.leaf = true, .gradient_only = true},
      .infer = [](InferContext& ctx) { ctx.output(ctx.attr("type").as_type()); },
      .gradient_reason = "It stands for a value of another graph; link the two graphs and differentiate the joint one.",
      .cost = ops::cost_nothing,
      .torch = "a tensor saved for backward",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Stands for a value that another graph computed, named by graph, node and output. A run finds it "
                    "in the cache that the other graph filled.",
                    "Обозначает значение, посчитанное другим графом; задано номерами графа, узла и выхода. При запуске "
                    "берётся из кэша, который заполнил тот граф."},
           .formula = "y = v_{\\text{graph}, \\text{node}, \\text{port}}",
           .why = {"It lets the gradient of a model be shown, saved and run as a graph of its own: whatever backward "
                   "needs from forward appears as an External. Linking the two graphs puts the original nodes back.",
                   "Благодаря этому узлу градиент модели можно показать, сохранить и запустить как отдельный граф: "
                   "всё, что обратному проходу нужно от прямого, видно как External. Связывание двух графов возвращает "
                   "на место исходные узлы."}},
  };
}

}  // namespace asg::cards
