#include "asg/compile/explain.h"

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/compile/lower.h"

namespace asg {
namespace {

// As a device sees it that has instructions and matrix products, and no more.
Program program_of(const Graph& graph) {
  Capabilities device;
  device.supports_op = [](const OpCard& op) { return op.scalar != ScalarOp::none || !op.body || op.name == "MatMul"; };
  return make_program(run_passes(lower(graph, device, Mode::eval).graph).graph);
}

TEST(Explain, ByteCountsReadWell) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(640), "640 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(std::int64_t{200} << 20), "200 MiB");
  EXPECT_EQ(bytes_text(std::int64_t{3} << 30), "3.0 GiB");
}

TEST(Explain, AnElementwiseKernelReadsWhatItBroadcastsOnce) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {4, 8}});
  const Tensor b = graph.input("b", {DType::f32, {8}});
  graph.set_output("y", (x + b) * b);
  const Program program = program_of(graph);
  ASSERT_EQ(program.steps.size(), 1U);
  const Step& step = program.steps.front();
  EXPECT_EQ(kind_of(step), StepKind::elementwise);
  EXPECT_EQ(title_of(program, step), "Add, Mul");
  EXPECT_EQ(role_of(program, step), Role::forward);
  const StepCost cost = cost_of(program, step);
  EXPECT_EQ(cost.flops, 2 * 4 * 8);
  EXPECT_EQ(cost.bytes_read, (4 * 8 + 8) * 4);
  EXPECT_EQ(cost.bytes_written, 4 * 8 * 4);
}

TEST(Explain, KindsOfSteps) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {4, 8}});
  graph.set_output("rows", softmax(x));
  graph.set_output("product", mat_mul(x, transpose(x)));
  std::map<StepKind, int> kinds;
  const Program program = program_of(graph);
  for (const Step& step : program.steps) ++kinds[kind_of(step)];
  EXPECT_EQ(kinds[StepKind::rows], 1);
  EXPECT_EQ(kinds[StepKind::product], 1);
  for (const StepKind kind : kAllStepKinds) EXPECT_FALSE(name_of(kind).empty());
}

TEST(Explain, AProductCountsTwoFlopsForEachTerm) {
  Graph graph;
  const Tensor a = graph.input("a", {DType::f32, {3, 5}});
  const Tensor b = graph.input("b", {DType::f32, {5, 7}});
  graph.set_output("c", mat_mul(a, b));
  const Program program = program_of(graph);
  ASSERT_EQ(program.steps.size(), 1U);
  const StepCost cost = cost_of(program, program.steps.front());
  EXPECT_EQ(cost.flops, 2 * 3 * 5 * 7);
  EXPECT_EQ(cost.bytes(), (3 * 5 + 5 * 7 + 3 * 7) * 4);
}

Explanation chain_of_products() {
  Graph graph("chain");
  const Tensor w = graph.input("w", {DType::f32, {16, 16}});
  Tensor x = w;
  for (int layer = 0; layer < 4; ++layer) x = mat_mul(x, w);
  graph.set_output("y", x);
  Explanation explanation{.program = program_of(graph)};
  explanation.plan = plan_memory(explanation.program);
  return explanation;
}

TEST(Explain, MemoryOverTime) {
  const Explanation explanation = chain_of_products();
  const std::int64_t one = 16 * 16 * 4;
  // The last result goes to the caller.
  EXPECT_EQ(explanation.alive_by_step(), (std::vector<std::int64_t>{one, 2 * one, 2 * one, one}));
  EXPECT_EQ(explanation.plan.live_bytes, 2 * one);
  EXPECT_EQ(explanation.waste(), 0);
}

TEST(Explain, ThePictureShowsEveryBuffer) {
  const Explanation explanation = chain_of_products();
  const std::string svg = lifetimes_svg(explanation);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  std::size_t buffers = 0;
  for (std::size_t at = svg.find("<title>"); at != std::string::npos; at = svg.find("<title>", at + 1)) ++buffers;
  EXPECT_EQ(buffers, explanation.plan.lifetimes.size());
  EXPECT_NE(svg.find("Memory of chain"), std::string::npos);
  EXPECT_NE(lifetimes_svg({.program = {.graph = Graph("empty")}}).find("</svg>"), std::string::npos)
      << "a program without steps";
}

}  // namespace
}  // namespace asg
