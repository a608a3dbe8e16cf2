// What an evaluation says of data whose examples have several labels.
#include <gtest/gtest.h>

#include "train/models.h"

namespace asg::train {
namespace {

// Logits that choose the token itself, whatever the parameter is.
Graph repeating_model(std::int64_t vocabulary) {
  Graph graph("repeats");
  const Tensor tokens = graph.input("features", {DType::i64, {Dim::symbol("batch"), 4}});
  const Tensor targets = graph.input("labels", {DType::i64, {Dim::symbol("batch"), 4}});
  Array table(DType::f32, {vocabulary, vocabulary});
  for (std::int64_t token = 0; token < vocabulary; ++token) table.set(token * vocabulary + token, 1);
  const Tensor rows = graph.parameter("table", {DType::f32, {vocabulary, vocabulary}}, Initializer::given(table));
  const Tensor logits = gather(rows, tokens);
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, targets));
  return graph;
}

// Of texts the accuracy is the share of tokens, so that it is never above 1.
TEST(Evaluate, AccuracyOfTextsIsAShareOfTheirTokens) {
  const Array tokens = Array::ints({0, 0, 1, 2, 2, 2, 0, 1, 1});
  const data::Dataset texts = data::token_windows("texts", tokens, {.length = 4, .vocabulary = 3});
  ASSERT_EQ(texts.count(), 2);
  Trainer trainer(repeating_model(3), std::make_shared<Interpreter>());
  const Evaluation evaluation = trainer.evaluate(texts);
  ASSERT_TRUE(evaluation.accuracy.has_value());
  // Followed by themselves: 0 and 2 in the first text, 2 and 1 in the second.
  EXPECT_DOUBLE_EQ(*evaluation.accuracy, 4.0 / 8);
}

}  // namespace
}  // namespace asg::train
