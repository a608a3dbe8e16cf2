#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_reduce_l1() {
  OpCard card = ops::reduction_card("ReduceL1", kSigned);
  card.body = [](BodyContext& ctx) { ctx.output(ops::reduce_same(ctx, "ReduceSum", add_op("Abs", {ctx.in(0)}))); };
  card.gradient_kind = GradientKind::body;
  card.onnx = {{.op = "ReduceL1", .since = 18}};
  card.torch = "torch.linalg.vector_norm";
  card.words = {.what = {"Adds up the magnitudes of all elements along the given axes: the length of a path that may "
                         "only follow the axes, as between two corners of a town laid out in blocks. The gradient is "
                         "the sign of each element, and 0 where an element is 0.",
                         "Складывает модули всех элементов вдоль данных осей: это длина пути, который идёт только "
                         "вдоль осей, как между двумя перекрёстками города из кварталов. Градиент — знак каждого "
                         "элемента, а там, где элемент равен 0, — нуль."},
                .formula = R"(y = \sum_{i} |x_i|)",
                .why = {"As a penalty on weights (Lasso) it pulls each of them towards 0 with the same force however "
                        "small it is, so many become exactly 0 and the model gets sparse. As a measure of error it is "
                        "less moved by outliers than squares are.",
                        "Как штраф на веса (Lasso) тянет каждый из них к нулю с одной и той же силой, каким бы малым "
                        "он ни был, поэтому многие становятся ровно нулём и модель разреживается. Как мера ошибки она "
                        "слабее, чем квадраты, откликается на выбросы."}};
  card.samples = ops::join({ops::reduction_samples(0.2, 1.5),
                            {{.name = "both_signs", .inputs = {ops::both_signs(), in_ints({2}, {0, 2})}},
                             ops::exact_rows("by_hand", {{1, -2, 0}, {ops::kNan, 1, -ops::kInfinity}}, {3, ops::kNan}),
                             {.name = "integers",
                              .inputs = {in_ints({3}, {-4, 3, 0})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {Array::scalar_i64(7)}}}});
  return card;
}

}  // namespace asg::cards
