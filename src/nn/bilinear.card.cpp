#include "nn/support/layers.h"
#include "ops/support/gradients.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& a = ctx.in(0);
  const Tensor& b = ctx.in(1);
  const std::int64_t a_features = nn::known_length(ctx, a, a.rank() - 1, "features");
  const std::int64_t b_features = nn::known_length(ctx, b, b.rank() - 1, "features");
  if (a.rank() != b.rank()) {
    fail(ErrorCode::bad_shape, "inputs of shapes " + a.shape().to_string() + " and " + b.shape().to_string(),
         "as many axes in both");
  }
  const std::int64_t units = ctx.integer("units");
  Graph& graph = ctx.graph();
  const Tensor weight = ctx.parameter("weight", {units, a_features, b_features}, Initializer::xavier_uniform());
  // a · W as one matrix product with all units side by side, then each unit's row times b.
  const Tensor turned = add_op("Transpose", {weight}, {{"perm", std::vector<std::int64_t>{1, 0, 2}}});
  const Tensor side_by_side = add_op("Reshape", {turned, ops::ints(graph, {a_features, units * b_features})});
  const Tensor product = add_op("MatMul", {a, side_by_side});
  std::vector<std::int64_t> shape(static_cast<std::size_t>(a.rank() - 1), 0);  // 0: the length stays
  shape.push_back(units);
  shape.push_back(b_features);
  const Tensor rows = add_op("Reshape", {product, ops::ints(graph, shape)});
  const Tensor last = ops::ints(graph, {b.rank()});
  const Tensor column = add_op("Unsqueeze", {b, last});
  Tensor y = add_op("Squeeze", {add_op("MatMul", {rows, column}), last});
  if (ctx.boolean("bias")) y = y + ctx.parameter("bias", {units}, Initializer::zeros());
  ctx.output(y);
}

}  // namespace

OpCard card_bilinear() {
  return {
      .name = "nn.Bilinear",
      .category = Category::linear_algebra,
      .inputs = {{.name = "a", .words = {"features on the last axis", "признаки на последней оси"}},
                 {.name = "b",
                  .words = {"other features, the other axes as in a", "другие признаки, остальные оси как у a"}}},
      .outputs = nn::y_port({"`units` features on the last axis", "`units` признаков на последней оси"}),
      .attributes = {{.name = "units", .least = 1, .words = {"number of output features", "число выходных признаков"}},
                     nn::bias_attribute({"whether a bias is added", "прибавлять ли смещение"})},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Bilinear",
      .words =
          {.what =
               {"Every output is a weighted sum of all products of a feature of `a` with a feature of `b`, one matrix "
                "of weights for each output. With either input held still it is a linear layer of the other.",
                "Каждый выход — взвешенная сумма всех произведений признака `a` на признак `b`, со своей матрицей "
                "весов. Если закрепить один вход, по другому это линейный слой."},
           .formula = R"(y_k = a^\top W_k b + \beta_k)",
           .why = {"It lets two things be judged together, such as a question and an answer, or subject and object of "
                   "a relation. Biaffine parsers score with it which word depends on which, and RESCAL scores the "
                   "facts of a knowledge graph.",
                   "Позволяет судить о двух вещах вместе: о вопросе и ответе, о субъекте и объекте отношения. В "
                   "биаффинных синтаксических анализаторах такой слой оценивает, какое слово от какого зависит, а в "
                   "RESCAL — факты графа знаний."}},
      .samples =
          {{.name = "rows", .inputs = {in({3, 2}), in({3, 4})}, .attrs = {{"units", 2}}},
           {.name = "no_bias", .inputs = {in({2, 3}), in({2, 2})}, .attrs = {{"units", 3}, {"bias", false}}},
           {.name = "sequence", .inputs = {in({2, 3, 4}), in({2, 3, 2})}, .attrs = {{"units", 2}}},
           {.name = "vectors", .inputs = {in({3}), in({2})}, .attrs = {{"units", 2}}},
           {.name = "empty_batch", .inputs = {in({0, 3}), in({0, 2})}, .attrs = {{"units", 2}}, .gradient = false}},
      .bad_samples = {{.name = "other_rank",
                       .inputs = {in({2, 3}), in({3})},
                       .attrs = {{"units", 2}},
                       .code = ErrorCode::bad_shape,
                       .contains = "as many axes in both"},
                      {.name = "other_batch",
                       .inputs = {in({2, 3}), in({4, 3})},
                       .attrs = {{"units", 2}},
                       .code = ErrorCode::broadcast_mismatch,
                       .contains = ""}},
  };
}

}  // namespace asg::nn_cards
