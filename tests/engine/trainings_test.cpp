// Whole trainings: what the interpreter computes, with all passes on and with each one off; the same bits on any number
// of threads.
#include <functional>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/compile/pass.h"
#include "asg/graph/variable.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/train/step_graph.h"
#include "backend/cpu/library/onednn_bf16.h"
#include "support/compare.h"

namespace asg::test {
namespace {

struct Training {
  std::string name;
  std::function<Graph()> model;
  NamedArrays inputs;
  optim::Optimizer optimizer;

  friend void PrintTo(const Training& training, std::ostream* out) { *out << training.name; }
};

Array reals(const Sizes& sizes) {
  Array values(DType::f32, sizes);
  for (std::int64_t k = 0; k < values.count(); ++k) values.set(k, static_cast<double>(k * 7919 % 1009) / 1009 - 0.4);
  return values;
}

Array classes(const Sizes& sizes, std::int64_t count) {
  Array values(DType::i64, sizes);
  for (std::int64_t k = 0; k < values.count(); ++k) values.set_i64(k, k * 31 % count);
  return values;
}

Graph perceptron() {
  Graph graph("perceptron");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 20}});
  const Tensor labels = graph.input("labels", {DType::i64, {Dim::symbol("batch")}});
  const Tensor hidden = gelu(nn::linear(x, 72, {.name = "first"}));
  const Tensor normed = nn::layer_norm(nn::linear(hidden, 72, {.name = "second"}) + hidden, {.name = "norm"});
  graph.set_output("loss", loss::cross_entropy(nn::linear(normed, 5, {.name = "last"}), labels));
  return graph;
}

Graph picture_model() {
  Graph graph("pictures");
  const Tensor x = graph.input("x", {DType::f32, {6, 2, 9, 9}});
  const Tensor labels = graph.input("labels", {DType::i64, {6}});
  Tensor y = relu(nn::conv2d(x, 5, {3, 3}, {.name = "first"}));
  y = relu(nn::conv2d(y, 4, {2, 2}, {.name = "second"}) + 0.125);
  y = flatten(max_pool(y, {2, 2}, {.strides = {2, 2}}).y);
  graph.set_output("loss", loss::cross_entropy(nn::linear(y, 3, {.name = "last"}), labels));
  return graph;
}

Graph language_model() {
  Graph graph("language");
  const Tensor tokens = graph.input("tokens", {DType::i64, {5, 16}});
  const Tensor labels = graph.input("labels", {DType::i64, {5, 16}});
  Tensor x = nn::embedding(tokens, 11, 24, {.name = "token"});
  x = nn::learned_position(x, 16, {.name = "position"});
  for (const char* name : {"block_0", "block_1"}) {
    x = nn::transformer_block(x, 3, 48, {.causal = true, .dropout = 0.1, .name = name});
  }
  const Tensor logits = nn::linear(nn::layer_norm(x, {.name = "norm"}), 11,
                                   {.bias = false,
                                    .transposed = true,
                                    .name = "head",
                                    .bindings = {{"weight", graph.find_variable("token.weight")}}});
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

std::vector<Training> trainings() {
  // Adam would make whole steps of the rounding errors in gradients that are 0, as those of a bias of keys are.
  const optim::Optimizer adam = optim::Optimizer::adam(0.01);
  const optim::Optimizer sgd = optim::Optimizer::sgd(0.1);
  return {{"perceptron", perceptron, {{"x", reals({70, 20})}, {"labels", classes({70}, 5)}}, adam},
          {"pictures", picture_model, {{"x", reals({6, 2, 9, 9})}, {"labels", classes({6}, 3)}}, adam},
          {"language", language_model, {{"tokens", classes({5, 16}, 11)}, {"labels", classes({5, 16}, 7)}}, sgd}};
}

// What is known after some steps: the loss and all variables by name.
NamedArrays after_steps(Backend& backend, const Training& training, const PassOptions& passes = {}, bool bf16 = false) {
  const train::StepGraph step = train::make_step(training.model(), "loss", training.optimizer);
  const std::unique_ptr<Executable> executable = backend.compile(step.graph, {.passes = passes, .bf16 = bf16});
  for (const VarId id : step.graph.variable_ids()) {
    executable->write(id, initial_value(step.graph.variable(id), 5));
  }
  NamedArrays state;
  for (int count = 0; count < 3; ++count) state["loss"] = executable->run(training.inputs).outputs.at("loss");
  for (const VarId id : step.graph.variable_ids()) state[step.graph.variable(id).name] = executable->read(id);
  return state;
}

class Trainings : public testing::TestWithParam<Training> {};

TEST_P(Trainings, AreWhatTheInterpreterComputes) {
  Interpreter interpreter;
  const NamedArrays expected = after_steps(interpreter, GetParam());
  CpuBackend cpu(2);
  std::vector<std::string> passes = {""};
  for (const Pass& pass : graph_passes()) passes.emplace_back(pass.name);
  for (const ProgramPass& pass : program_passes()) passes.emplace_back(pass.name);
  for (const std::string& off : passes) {
    PassOptions options{.verify = true};
    if (!off.empty()) options.off = {off};
    const NamedArrays state = after_steps(cpu, GetParam(), options);
    for (const auto& [name, value] : expected) {
      EXPECT_TRUE(near(state.at(name), value, 2e-4)) << name << ", " << (off.empty() ? "all passes" : "without " + off);
    }
  }
}

TEST_P(Trainings, HaveTheSameBitsOnAnyNumberOfThreads) {
  for (const bool onednn : {true, false}) {
    CpuBackend one({.threads = 1, .onednn = onednn});
    const NamedArrays expected = after_steps(one, GetParam());
    for (const int threads : {2, 3, 5}) {
      CpuBackend several({.threads = threads, .onednn = onednn});
      const NamedArrays state = after_steps(several, GetParam());
      for (const auto& [name, value] : expected) {
        EXPECT_TRUE(identical(state.at(name), value)) << name << ", " << threads;
      }
    }
  }
}

TEST_P(Trainings, DoNotNeedOneDnn) {
  Interpreter interpreter;
  const NamedArrays expected = after_steps(interpreter, GetParam());
  CpuBackend cpu({.threads = 2, .onednn = false});
  const NamedArrays state = after_steps(cpu, GetParam());
  for (const auto& [name, value] : expected) EXPECT_TRUE(near(state.at(name), value, 2e-4)) << name;
}

// Eight bits of a number are left: the loss is nearly the same, and where the processor has no bf16 exactly.
TEST_P(Trainings, MayMultiplyInBf16) {
  CpuBackend cpu(2);
  const double expected = after_steps(cpu, GetParam()).at("loss").get(0);
  const double loss = after_steps(cpu, GetParam(), {}, true).at("loss").get(0);
  EXPECT_NEAR(loss, expected, 0.02 * expected);
  if (cpu::has_bf16()) {
    EXPECT_NE(loss, expected);
  } else {
    EXPECT_EQ(loss, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Trainings, testing::ValuesIn(trainings()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace asg::test
