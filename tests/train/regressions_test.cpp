// Mistakes that others made in training. The name of a test says the mistake.
#include <gtest/gtest.h>

#include "support/compare.h"
#include "train/models.h"

namespace asg::train {
namespace {

struct Convolution {
  const char* op;
  Sizes sizes;  // of the input, without the batch
  Sizes kernel;
};

const Convolution kConvolutions[] = {
    {"nn.Conv1d", {2, 6}, {3}},
    {"nn.Conv2d", {2, 5, 4}, {3, 2}},
    {"nn.Conv3d", {2, 3, 4, 3}, {2, 2, 2}},
    {"nn.ConvTranspose1d", {2, 4}, {3}},
    {"nn.ConvTranspose2d", {2, 3, 4}, {2, 3}},
};

// Two convolutions and a loss that has nothing else to learn.
Graph two_convolutions(const Convolution& row) {
  Graph graph("convolutions");
  Sizes sizes = row.sizes;
  sizes.insert(sizes.begin(), 3);
  const Tensor x = graph.input("x", {DType::f64, Shape::of(sizes)});
  const auto layer = [&](const Tensor& input, const char* name) {
    return add_op(row.op, {input}, {{"channels", 3}, {"kernel", row.kernel}, {"pads", Sizes(2 * row.kernel.size(), 1)}})
        .named(name);
  };
  const Tensor y = layer(tanh(layer(x, "first")), "second");
  const Tensor target = graph.constant(sample_value(in(y.shape().sizes()), "convolutions", row.op, 1));
  graph.set_output("loss", loss::mean_squared_error(y, target));
  return graph;
}

// Every weight and every bias of both convolutions changes in the first step, and the loss falls step by step.
TEST(Regressions, ConvolutionsThatNeverTrain) {
  for (const Convolution& row : kConvolutions) {
    SCOPED_TRACE(row.op);
    Graph graph = two_convolutions(row);
    const Sizes sizes = graph.type({graph.inputs()[0], 0}).shape.sizes();
    const NamedArrays batch = {{"x", sample_value(in(sizes), "convolutions", row.op, 0)}};
    Trainer trainer(std::move(graph), std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::sgd(0.05)});
    const TrainingState before = trainer.state();
    double loss = trainer.step(batch).loss;
    for (const char* name : {"first.weight", "first.bias", "second.weight", "second.bias"}) {
      SCOPED_TRACE(name);
      const Array& old = before.variables.at(trainer.model().graph().find_variable(name));
      const Array now = trainer.read(name);
      ASSERT_EQ(now.sizes(), old.sizes());
      for (std::int64_t at = 0; at < now.count(); ++at) EXPECT_NE(now.get(at), old.get(at)) << "element " << at;
    }
    for (int step = 0; step < 5; ++step) {
      const double next = trainer.step(batch).loss;
      EXPECT_LT(next, loss);
      loss = next;
    }
  }
}

// A step commits the running statistics; inference takes them and leaves them.
TEST(Regressions, BatchNormThatForgetsItsStatistics) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {Dim::symbol("batch"), 1}});
  const Tensor y = nn::batch_norm(x, {.momentum = 0.5, .name = "norm"});
  graph.set_output("y", y);
  graph.set_output("loss", reduce_sum(y * y, {}, {.keepdims = false}));
  Trainer trainer(graph, std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::sgd(0)});
  const NamedArrays batch = {{"x", Array::of<double>({2, 1}, {7, 9})}};
  trainer.step(batch);
  EXPECT_EQ(trainer.read("norm.running_mean").get(0), 4);
  trainer.step(batch);
  EXPECT_EQ(trainer.read("norm.running_mean").get(0), 6);
  const NamedArrays at_mean = {{"x", Array::of<double>({1, 1}, {6})}};
  EXPECT_EQ(trainer.infer(at_mean).at("y").get(0), 0);
  EXPECT_EQ(trainer.read("norm.running_mean").get(0), 6);
}

std::vector<double> losses(Trainer& trainer, int steps) {
  std::vector<double> result;
  for (int step = 0; step < steps; ++step) result.push_back(trainer.step(test::small_data()).loss);
  return result;
}

// Another trainer that is given the state goes on as if nothing had happened; without the optimiser's part it does not.
TEST(Regressions, OptimiserStateThatCannotBeRestored) {
  for (const optim::Optimizer& optimizer : {optim::Optimizer::sgd(0.05, 0.9), optim::Optimizer::adam(1e-2)}) {
    SCOPED_TRACE(optimizer.kind);
    Trainer first(test::small_classifier(), std::make_shared<Interpreter>(), {.optimizer = optimizer, .seed = 1});
    losses(first, 3);
    first.set_learning_rate(0.02);
    const TrainingState saved = first.state();
    ASSERT_FALSE(saved.optimizer.empty());
    const std::vector<double> expected = losses(first, 3);

    Trainer second(test::small_classifier(), std::make_shared<Interpreter>(), {.optimizer = optimizer, .seed = 2});
    losses(second, 1);
    second.set_state(saved);
    EXPECT_EQ(second.steps(), 3);
    EXPECT_EQ(losses(second, 3), expected);
    for (const auto& [key, value] : first.state().optimizer) {
      EXPECT_TRUE(test::identical(second.state().optimizer.at(key), value)) << key.slot;
    }

    TrainingState half = saved;
    for (auto& [key, value] : half.optimizer) value = Array(value.dtype(), value.sizes());
    second.set_state(half);
    EXPECT_NE(losses(second, 3), expected);
  }
}

}  // namespace
}  // namespace asg::train
