#include "digits_model.h"

#include "asg/asg.h"

namespace asg::app {

Graph digits_model() {
  constexpr std::int64_t kRows = 8;
  constexpr std::int64_t kPixels = 8;
  constexpr std::int64_t kWidth = 32;
  constexpr std::int64_t kClasses = 10;
  Graph graph("digits");
  const Dim batch = Dim::symbol("batch");
  const Tensor features = graph.input("features", {DType::f32, {batch, kRows, kPixels}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});

  Tensor x = nn::linear(features, kWidth, {.name = "embed"});
  x = x + graph.parameter("positions", {DType::f32, {kRows, kWidth}}, Initializer::normal(0, 0.1));
  x = nn::transformer_block(x.named("tokens"), 4, 64, {.name = "block"});
  x = nn::layer_norm(x, {.name = "norm"});
  x = reduce_mean(x, {1}, {.keepdims = false}).named("pooled");
  const Tensor logits = nn::linear(x, kClasses, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels, {}, {.name = "loss"}));
  return graph;
}

}  // namespace asg::app
