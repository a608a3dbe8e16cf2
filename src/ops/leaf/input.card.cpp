#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/ports.h"

namespace asg::cards {

OpCard card_input() {
  return {
      .name = "Input",
      .category = Category::leaf,
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "",
                   .words = {"the value that the caller gives", "значение, которое передаёт вызывающая программа"}}},
      .attributes = {{.name = "type",
                      .kind = AttrKind::type,
                      .words = {"dtype and shape; lengths may be symbols such as batch",
                                "тип элементов и форма; длины могут быть символами, например batch"}}},
      .traits = {.leaf = true},
      .infer = [](InferContext& ctx) { ctx.output(ctx.attr("type").as_type()); },
      .gradient_reason = "An input has no inputs of its own to pass a gradient to.",
      .cost = ops::cost_nothing,
      .torch = "an argument of forward",
      .tolerance = ops::kExact,
      .words =
          {.what = {"A place where data enters the graph: images, tokens, targets. The name of the node is the name "
                    "under which the caller gives the value, whose dtype and known lengths must be those of `type`.",
                    "Место, где в граф входят данные: изображения, токены, ответы. Имя узла — это имя, под которым "
                    "вызывающая программа передаёт значение; тип элементов и известные длины должны быть такими, как в "
                    "`type`."},
           .formula = "y = x",
           .why = {"The graph is a function, and these are its arguments. Since lengths may be symbols, a graph that "
                   "was built once trains on batches of 64 images and then answers for a single one.",
                   "Граф — это функция, а входы — её аргументы. Длины могут быть символами, поэтому один раз "
                   "построенный граф обучается на пакетах по 64 изображения, а потом отвечает и на одно."}},
  };
}

}  // namespace asg::cards
