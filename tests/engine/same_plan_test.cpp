// The same graph gives the same program and the same plan, and every promise of a run by position.
#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/backend/cpu.h"
#include "asg/compile/memory_plan.h"
#include "asg/compile/pass.h"

namespace asg::test {
namespace {

Graph small_step() {
  Graph graph("small");
  const Tensor x = graph.input("x", {DType::f32, {6, 5}});
  const Tensor hidden = nn::transformer_block(reshape(nn::linear(x, 8, {.name = "in"}), {2, 3, 8}), 2, 12);
  graph.set_output("loss", reduce_mean(hidden * hidden, {}, {.keepdims = false}));
  return train::make_step(graph, "loss", optim::Optimizer::adam()).graph;
}

Program planned(const Graph& graph) {
  Program program = make_program(run_passes(graph).graph);
  plan_memory(program);
  return program;
}

TEST(SamePlan, OfTheSameGraph) {
  const Program first = planned(small_step());
  const Program second = planned(small_step());
  ASSERT_EQ(first.steps.size(), second.steps.size());
  for (std::size_t k = 0; k < first.steps.size(); ++k) {
    const Step& a = first.steps[k];
    const Step& b = second.steps[k];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.arguments, b.arguments);
    EXPECT_EQ(a.inputs, b.inputs);
    EXPECT_EQ(a.outputs, b.outputs);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.kernel != nullptr ? to_text(*a.kernel) : "", b.kernel != nullptr ? to_text(*b.kernel) : "");
  }
  ASSERT_EQ(first.buffers.size(), second.buffers.size());
  for (std::size_t k = 0; k < first.buffers.size(); ++k) {
    EXPECT_EQ(first.buffers[k].offset, second.buffers[k].offset);
    EXPECT_EQ(first.buffers[k].bytes(), second.buffers[k].bytes());
  }
}

// y = 2 x, z = x + w, w ← w + 1; the old w is a result too, and so are 3 x and its first element.
Graph counting() {
  Graph graph("counting");
  const Tensor x = graph.input("x", {DType::f32, {3}});
  const Tensor w = graph.parameter("w", {DType::f32, {3}}, Initializer::constant(1));
  graph.set_output("y", x * 2);
  graph.set_output("z", x + w);
  graph.set_output("w", w);
  graph.set_output("part", slice(x * 3, {0}, {1}));
  graph.set_output("whole", x * 3);
  graph.add_update(graph.find_variable("w"), w + 1);
  return graph;
}

class ByPosition : public testing::TestWithParam<std::string> {
 protected:
  ByPosition() {
    if (GetParam() == "cpu") {
      backend_ = std::make_unique<CpuBackend>(2);
    } else {
      backend_ = std::make_unique<Interpreter>();
    }
    executable_ = backend_->compile(counting());
    executable_->write(counting().find_variable("w"), Array::of<float>({3}, {1, 1, 1}));
  }
  static Array row(float a, float b, float c) { return Array::of<float>({3}, {a, b, c}); }

  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Executable> executable_;
};

TEST_P(ByPosition, WritesIntoArraysThatFit) {
  const std::vector<Array> inputs = {row(1, 2, 3)};
  std::vector<Array> outputs = {Array(DType::f32, {3}), Array(DType::f64, {3}), Array(), Array(), Array()};
  const Array kept = outputs[0];
  EXPECT_TRUE(executable_->run_into(inputs, outputs));
  EXPECT_TRUE(bit_equal(kept, row(2, 4, 6)));
  EXPECT_TRUE(bit_equal(outputs[1], row(2, 3, 4)));
  EXPECT_TRUE(bit_equal(outputs[2], row(1, 1, 1))) << "a result shows a variable as the step found it";
  EXPECT_TRUE(bit_equal(outputs[3], Array::of<float>({1}, {3}))) << "a part is no place for the whole";
  EXPECT_TRUE(bit_equal(outputs[4], row(3, 6, 9)));
  EXPECT_TRUE(executable_->run_into(inputs, outputs));
  EXPECT_TRUE(bit_equal(outputs[1], row(3, 4, 5)));
  EXPECT_TRUE(bit_equal(outputs[2], row(2, 2, 2)));
  EXPECT_TRUE(bit_equal(executable_->read(counting().find_variable("w")), row(3, 3, 3)));
}

TEST_P(ByPosition, MayBeGivenItsInputAsAnOutput) {
  Array x = row(1, 2, 3);
  std::vector<Array> outputs = {x, x, x, x, x};
  executable_->run_into({&x, 1}, outputs);
  EXPECT_TRUE(bit_equal(outputs[0], row(2, 4, 6)));
  EXPECT_TRUE(bit_equal(outputs[1], row(2, 3, 4)));
  EXPECT_TRUE(bit_equal(outputs[2], row(1, 1, 1)));
}

TEST_P(ByPosition, TakesInputsWithAnyStrides) {
  const Array x = Array::of<float>({6}, {1, 9, 2, 9, 3, 9}).sliced(0, 0, 3, 2);
  std::vector<Array> outputs(5);
  executable_->run_into({&x, 1}, outputs);
  EXPECT_TRUE(bit_equal(outputs[0], row(2, 4, 6)));
}

TEST_P(ByPosition, NeedsAllInputsAndOutputs) {
  std::vector<Array> outputs(5);
  EXPECT_THROW(executable_->run_into({}, outputs), UserError);
  const Array x = row(1, 2, 3);
  EXPECT_THROW(executable_->run_into({&x, 1}, std::span(outputs).first(4)), UserError);
}

TEST_P(ByPosition, SharesVariables) {
  const std::unique_ptr<Executable> other = backend_->compile(counting());
  EXPECT_TRUE(other->share_variables(*executable_));
  const Array x = row(1, 2, 3);
  std::vector<Array> outputs(5);
  executable_->run_into({&x, 1}, outputs);
  other->run_into({&x, 1}, outputs);
  EXPECT_TRUE(bit_equal(outputs[2], row(2, 2, 2)));
  EXPECT_TRUE(bit_equal(executable_->read(counting().find_variable("w")), row(3, 3, 3)));
}

INSTANTIATE_TEST_SUITE_P(Backends, ByPosition, testing::Values("cpu", "interp"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace asg::test
