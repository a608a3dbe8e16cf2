#include "allocation/models.h"

namespace asg::test {
namespace {

Array numbers(const Sizes& sizes) {
  Array result(DType::f32, sizes);
  for (std::int64_t k = 0; k < result.count(); ++k) result.set(k, static_cast<double>(k * 37 % 101) / 50 - 1);
  return result;
}

Array labels(const Sizes& sizes, std::int64_t classes) {
  Array result(DType::i64, sizes);
  for (std::int64_t k = 0; k < result.count(); ++k) result.set_i64(k, k * 7 % classes);
  return result;
}

void finish(Graph& graph, const Tensor& logits, const Tensor& wanted) {
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, wanted));
}

}  // namespace

TrainingCase mlp_case() {
  Graph graph("mlp");
  const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 20}});
  const Tensor wanted = graph.input("labels", {DType::i64, {Dim::symbol("batch")}});
  Tensor hidden = relu(nn::linear(x, 32, {.name = "first"}));
  hidden = nn::dropout(hidden, {.ratio = 0.1, .name = "dropout"});
  finish(graph, nn::linear(hidden, 5, {.name = "last"}), wanted);
  return {"mlp", std::move(graph), {numbers({8, 20}), labels({8}, 5)}};
}

TrainingCase cnn_case() {
  Graph graph("cnn");
  const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 1, 12, 12}});
  const Tensor wanted = graph.input("labels", {DType::i64, {Dim::symbol("batch")}});
  Tensor hidden = relu(nn::conv2d(x, 16, {3, 3}, {.name = "first"}));
  hidden = relu(nn::conv2d(hidden, 16, {3, 3}, {.name = "second"}));
  hidden = flatten(max_pool(hidden, {2, 2}, {.strides = {2, 2}}).y);
  finish(graph, nn::linear(hidden, 5, {.name = "last"}), wanted);
  return {"cnn", std::move(graph), {numbers({4, 1, 12, 12}), labels({4}, 5)}};
}

TrainingCase gpt_case() {
  Graph graph("gpt");
  const Tensor tokens = graph.input("features", {DType::i64, {Dim::symbol("batch"), 16}});
  const Tensor wanted = graph.input("labels", {DType::i64, {Dim::symbol("batch"), 16}});
  Tensor x = nn::learned_position(nn::embedding(tokens, 11, 32, {.name = "tokens"}), 16, {.name = "positions"});
  for (int layer = 0; layer < 2; ++layer) {
    x = nn::transformer_block(x, 2, 64, {.causal = true, .name = "block_" + std::to_string(layer)});
  }
  const Tensor logits = nn::linear(nn::layer_norm(x, {.name = "norm"}), 11, {.name = "head"});
  finish(graph, reshape(logits, {-1, 11}), reshape(wanted, {-1}));
  return {"gpt", std::move(graph), {labels({2, 16}, 11), labels({2, 16}, 11)}};
}

}  // namespace asg::test
