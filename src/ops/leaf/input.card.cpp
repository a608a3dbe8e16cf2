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
                   .words = {"The value that the caller gives.", "Значение, которое даёт вызывающий."}}},
      .attributes = {{.name = "type",
                      .kind = AttrKind::type,
                      .words = {"Dtype and shape; lengths may be symbols such as batch.",
                                "Тип элементов и форма; длины могут быть символами, например batch."}}},
      .traits = {.leaf = true},
      .infer = [](InferContext& ctx) { ctx.output(ctx.attr("type").as_type()); },
      .gradient_reason = "An input has no inputs of its own to pass a gradient to.",
      .cost = ops::cost_nothing,
      .torch = "an argument of forward",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"A place where data enters the graph: images, tokens, targets. The name of the node is the name under "
                "which the caller gives the value.",
                "Место, где в граф входят данные: картинки, токены, ответы. Имя узла — это имя, под которым "
                "вызывающий даёт значение."},
           .formula = "y = \\text{the value given}",
           .why =
               {"The graph is a function, and these are its arguments. Since lengths may be symbols, one graph serves "
                "every batch size.",
                "Граф — это функция, а входы — её аргументы. Длины могут быть символами, поэтому один граф годится "
                "для пакета любого размера."}},
  };
}

}  // namespace asg::cards
