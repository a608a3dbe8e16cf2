#include "train/models.h"

namespace asg::test {
Graph small_classifier() {
  Graph graph("small");
  const Dim batch = Dim::symbol("batch");
  const Tensor features = graph.input("features", {DType::f32, {batch, 3, 4}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  Tensor x = nn::linear(features, 8, {.name = "embed"});
  x = nn::dropout(x, {.ratio = 0.25, .name = "dropout"});
  x = nn::transformer_block(x, 2, 12, {.name = "block"});
  x = reduce_mean(x, {1}, {.keepdims = false}).named("pooled");
  const Tensor logits = nn::linear(x, 3, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

data::Dataset small_data() { return data::synthetic(12, {3, 4}, 3, 5); }

NamedArrays small_batch() { return small_data().all(); }

Graph quadratic() {
  Graph graph("quadratic");
  const Tensor target = graph.input("target", {DType::f64, {2}});
  const Tensor difference = graph.parameter("w", {DType::f64, {2}}, Initializer::constant(1)) - target;
  graph.set_output("loss", reduce_sum(difference * difference, {}, {.keepdims = false}));
  return graph;
}

train::Trainer small_trainer(std::uint64_t seed) {
  return {
      small_classifier(), std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::adam(1e-2), .seed = seed}};
}

}  // namespace asg::test
