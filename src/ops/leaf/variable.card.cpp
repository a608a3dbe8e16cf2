#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/ports.h"

namespace asg::cards {

// It has no type rule: its type is that of the variable to which it is bound.
OpCard card_variable() {
  return {
      .name = "Variable",
      .category = Category::leaf,
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "",
                   .words = {"the value at the start of the step", "значение на начало шага"}}},
      .traits = {.leaf = true},
      .gradient_reason = "A variable has no inputs to pass a gradient to; its own gradient is the sum that arrives.",
      .cost = ops::cost_nothing,
      .torch = "torch.nn.Parameter",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Reads a variable of the graph: a weight, a running mean, a counter. Every read in a step sees the "
                    "value from the start of that step; updates are committed together at its end.",
                    "Читает переменную графа: вес, скользящее среднее, счётчик. Все чтения в одном шаге видят значение "
                    "на его начало; обновления записываются вместе в конце."},
           .formula = "y = \\theta",
           .why = {"This is what learning changes. Two layers that read the same variable share it, as the tied "
                   "embeddings of input and output do, and its gradient is then the sum over all places that read it.",
                   "Именно переменные меняет обучение. Два слоя, читающие одну переменную, делят её, как связанные "
                   "эмбеддинги входа и выхода, и её градиент тогда — сумма по всем местам чтения."}},
  };
}

}  // namespace asg::cards
