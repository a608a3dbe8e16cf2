#include "asg/graph/card.h"
#include "ops/reduction/reduction_parts.h"
#include "ops/support/samples.h"

namespace asg::cards {

OpCard card_reduce_sum_square() {
  OpCard card = ops::reduction_card("ReduceSumSquare", kNumbers);
  card.body = [](BodyContext& ctx) { ctx.output(ops::reduce_same(ctx, "ReduceSum", ctx.in(0) * ctx.in(0))); };
  card.gradient_kind = GradientKind::body;
  card.onnx = {{.op = "ReduceSumSquare", .since = 18}};
  card.torch = "torch.linalg.vector_norm";
  card.words = {
      .what = {"Squares every element and adds the squares up along the given axes. It is the Euclidean norm before "
               "the root is taken, so it has no kink at 0: its gradient is simply twice the element. Unlike ReduceL2 "
               "it does not scale first, and in f16 the square of 256 is already infinite.",
               "Возводит каждый элемент в квадрат и складывает квадраты вдоль данных осей. Это евклидова норма до "
               "извлечения корня, поэтому в нуле нет излома: градиент — просто удвоенный элемент. В отличие от "
               "ReduceL2, элементы заранее не масштабируются, и в f16 уже квадрат 256 — бесконечность."},
      .formula = R"(y = \sum_{i} x_i^2)",
      .why = {"L2 regularisation adds such a sum over all parameters to the loss, and the norm of all gradients, by "
              "which they are clipped, is its root. Large elements weigh far more in it than small ones.",
              "L2-регуляризация добавляет к потере такую сумму по всем параметрам, а норма всех градиентов, по которой "
              "их отсекают, — корень из неё. Большие элементы весят в ней намного больше малых."}};
  card.samples = ops::join({ops::reduction_samples(),
                            {ops::exact_rows("by_hand", {{1, -2, 3}, {0.5, 0, ops::kInfinity}}, {14, ops::kInfinity}),
                             {.name = "integers",
                              .inputs = {in_ints({3}, {-4, 3, 0})},
                              .attrs = {{"keepdims", false}},
                              .gradient = false,
                              .expected = {Array::scalar_i64(25)}}}});
  return card;
}

}  // namespace asg::cards
