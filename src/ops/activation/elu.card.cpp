#include "asg/graph/card.h"
#include "ops/activation/elu_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_elu() {
  return ops::bent_activation(
      {
          .name = "Elu",
          .attributes = {{.name = "alpha",
                          .kind = AttrKind::real,
                          .fallback = Attr(1.0),
                          .words = {"the floor: very negative elements tend to -alpha",
                                    "пол: сильно отрицательные элементы стремятся к −alpha"}}},
          .onnx = {{.op = "Elu", .since = 6}},
          .torch = "torch.nn.functional.elu",
          .words = {.what = {"Keeps positive elements; below zero it bends exponentially towards the floor -alpha. "
                             "With alpha = 1 the slope has no jump at zero.",
                             "Оставляет положительные элементы; ниже нуля экспоненциально загибается к полу −alpha. "
                             "При alpha = 1 наклон в нуле не имеет скачка."},
                    .formula = "y = \\begin{cases} x & x > 0 \\\\ \\alpha (e^{x} - 1) & x \\le 0 \\end{cases}",
                    .why = {"Negative outputs pull the mean of the activations towards zero, which speeds up learning, "
                            "and units below zero keep a gradient. Graph attention networks put it between their "
                            "layers, and linear transformers use elu(x) + 1 as a feature map that is always positive.",
                            "Отрицательные выходы тянут среднее активаций к нулю, что ускоряет обучение, а нейроны "
                            "ниже нуля сохраняют градиент. В графовых сетях с вниманием (GAT) она стоит между слоями, "
                            "а линейные трансформеры берут elu(x) + 1 как всюду положительное отображение признаков."}},
          .samples = ops::join({ops::kinked_samples(),
                                {{.name = "lower_floor", .inputs = {ops::both_signs()}, .attrs = {{"alpha", 2.5}}},
                                 ops::exact("kink_and_extremes", {0, -1, -1000, 1000, ops::kNan},
                                            {0, -0.31606027941427883, -0.5, 1000, ops::kNan}, {{"alpha", 0.5}})}}),
      },
      [](const AttrReader& attributes) {
        return ops::Bend{.slope = 1, .floor = attributes.real("alpha"), .width = 1};
      });
}

}  // namespace asg::cards
