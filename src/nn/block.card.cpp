#include "asg/graph/card.h"

namespace asg::nn_cards {

// A block has no body of its own: each node brings one, made by the edit `group`.
OpCard card_block() {
  return {
      .name = "Block",
      .category = Category::container,
      .inputs = {{.name = "inputs",
                  .dtypes = kAnyType,
                  .type = "",
                  .kind = PortKind::variadic,
                  .words = {"what the nodes inside take from outside", "что узлы внутри берут снаружи"}}},
      .outputs = {{.name = "outputs",
                   .dtypes = kAnyType,
                   .type = "",
                   .kind = PortKind::variadic,
                   .words = {"what nodes outside use of it", "что из него используют узлы снаружи"}}},
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Module",
      .words =
          {.what = {"A part of the model that was put into one box and given a name. It computes exactly what the "
                    "nodes inside compute; ungrouping gives them back.",
                    "Часть модели, собранная в одну коробку и получившая имя. Вычисляет ровно то же, что узлы внутри; "
                    "разгруппировка возвращает их."},
           .formula = R"((y_1, \ldots, y_n) = f(x_1, \ldots, x_m))",
           .why = {"Large models are readable only in parts: a ResNet-50 is sixteen variations of one box. A block is "
                   "folded, named, copied and moved as one, while its parameters stay those of the model.",
                   "Большую модель можно читать только по частям: ResNet-50 — это шестнадцать вариаций одной коробки. "
                   "Блок сворачивают, называют, копируют и двигают целиком, а его параметры остаются параметрами "
                   "модели."}},
  };
}

}  // namespace asg::nn_cards
