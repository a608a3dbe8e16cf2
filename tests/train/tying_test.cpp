#include <gtest/gtest.h>

#include "train/models.h"

namespace asg::train {
namespace {

// A language model of one word: the embedding's table is also the weight of the head.
Graph tied_model() {
  Graph graph("tied");
  const Dim batch = Dim::symbol("batch");
  const Tensor words = graph.input("features", {DType::i64, {batch}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const Tensor x = nn::linear(nn::embedding(words, 7, 4, {.name = "words"}), 4, {.name = "middle"});
  const VarId table = graph.find_variable("words.weight");
  const Tensor logits =
      nn::linear(x, 7, {.bias = false, .transposed = true, .name = "head", .bindings = {{"weight", table}}});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

// One variable serves both slots, in the model and in the step, and training it changes both.
void expect_tied(const Graph& model) {
  int tables = 0;
  for (VarId id : model.variable_ids()) {
    tables += model.variable(id).type.to_string() == "f32[7, 4]" ? 1 : 0;
  }
  EXPECT_EQ(tables, 1);
  Trainer trainer(model, std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::sgd(0.1)});
  EXPECT_EQ(trainer.step_graph().parameters.size(), 3U);
  const NamedArrays batch = {{"features", Array::ints({0, 3, 6})}, {"labels", Array::ints({1, 2, 5})}};
  const double before = trainer.step(batch).loss;
  for (int step = 0; step < 20; ++step) trainer.step(batch);
  EXPECT_LT(trainer.step(batch).loss, before);
}

TEST(Tying, OutlivesSavingGroupingAndUngrouping) {
  Model model(tied_model());
  expect_tied(model.graph());
  const VarId table = model.graph().find_variable("words.weight");

  const Graph loaded = read_json(to_json(model.graph()));
  EXPECT_TRUE(loaded == model.graph());
  expect_tied(loaded);

  model.apply({{edits::Group{.nodes = {"middle", "head"}, .name = "tail"}}, ResizePolicy::fresh});
  expect_tied(model.graph());
  expect_tied(read_json(to_json(model.graph())));

  model.apply({{edits::Ungroup{.node = "tail"}}, ResizePolicy::fresh});
  expect_tied(model.graph());
  EXPECT_TRUE(model.graph().has(table));
}

}  // namespace
}  // namespace asg::train
