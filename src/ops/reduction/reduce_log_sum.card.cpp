#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/cost.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_reduce_log_sum() {
  OpCard card = ops::reduction_card("ReduceLogSum", kFloats);
  card.body = [](BodyContext& ctx) { ctx.output(add_op("Log", {ops::reduce_same(ctx, "ReduceSum", ctx.in(0))})); };
  card.gradient_kind = GradientKind::body;
  card.onnx = {{.op = "ReduceLogSum", .since = 18}};
  card.torch = "torch.log";
  card.words = {.what = {"Adds up the elements along the given axes and takes the natural logarithm of the sum. A sum "
                         "of 0, or of nothing, gives minus infinity, a negative one NaN.",
                         "Складывает элементы вдоль данных осей и берёт натуральный логарифм суммы. Нулевая или пустая "
                         "сумма даёт минус бесконечность, отрицательная — NaN."},
                .formula = R"(y = \log \sum_{i} x_i)",
                .why = {"It stands where weights that are already positive, such as counts or probabilities, become "
                        "one log-probability: the likelihood of a mixture is a sum over its components, and training "
                        "maximises its logarithm. For weights kept as logarithms use ReduceLogSumExp.",
                        "Стоит там, где уже положительные веса — счётчики или вероятности — становятся одним "
                        "логарифмом вероятности: правдоподобие смеси — это сумма по её компонентам, а обучение "
                        "повышает его логарифм. Для весов, записанных логарифмами, берите ReduceLogSumExp."}};
  card.samples = ops::join({ops::reduction_samples(0.2, 1.5),
                            {ops::exact_rows("by_hand", {{1, 0.5, 0.5}, {0, 0, 0}, {-1, 0, 0}},
                                             {0.69314718055994530942, -ops::kInfinity, ops::kNan})}});
  return card;
}

}  // namespace asg::cards
