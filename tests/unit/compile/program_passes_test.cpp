// The passes over programs, each on a graph that shows what it is for.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/compile/memory_plan.h"
#include "asg/compile/program.h"
#include "asg/compile/verify_program.h"
#include "asg/graph/card.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

constexpr std::int64_t kRows = 96;
constexpr std::int64_t kColumns = 64;

// A device whose products take every epilogue.
CallRules rules() {
  return {.takes_epilogue = [](const Program&, const Step& call, const Kernel&) {
    return call.node->op->name == "MatMul";
  }};
}

Tensor matrix(Graph& graph, const std::string& name, std::int64_t rows = kRows, std::int64_t columns = kColumns) {
  return graph.input(name, {DType::f32, {rows, columns}});
}

const PassReport& report_of(const Program& program, std::string_view pass) {
  for (const PassReport& report : program.reports) {
    if (report.name == pass) return report;
  }
  throw std::out_of_range(std::string(pass));
}

std::string text_of(const Program& program) {
  std::string text;
  for (const Step& step : program.steps) {
    text += step.node != nullptr ? step.node->op->name : "fused";
    for (const View& view : step.inputs) text += ' ' + std::to_string(view.buffer) + '+' + std::to_string(view.offset);
    text += " ->";
    for (const View& view : step.outputs) text += ' ' + std::to_string(view.buffer);
    text += '\n' + (step.kernel != nullptr ? to_text(*step.kernel) : "");
  }
  for (const Buffer& buffer : program.buffers) {
    text += std::to_string(buffer.bytes()) + " at " + std::to_string(buffer.offset) + '\n';
  }
  return text;
}

// relu(a · b + bias) · c
Graph two_products() {
  Graph graph("two_products");
  const Tensor hidden = mat_mul(matrix(graph, "a"), matrix(graph, "b", kColumns, kColumns)) + matrix(graph, "bias", 1);
  const Tensor active = max(hidden, {graph.scalar(DType::f32, 0)});
  graph.set_output("y", mat_mul(active, matrix(graph, "c", kColumns, 8)));
  return graph;
}

TEST(Epilogues, EndTheProductWhoseResultTheyReadFirst) {
  const Graph graph = two_products();
  const Program program = make_program(graph, rules());
  ASSERT_EQ(program.steps.size(), 2U);
  const Step& first = program.steps[0];
  EXPECT_EQ(first.kind, Step::Kind::call);
  ASSERT_NE(first.kernel, nullptr);
  EXPECT_EQ(first.kernel->stores.size(), 1U);
  EXPECT_EQ(first.outputs.size(), 2U);  // of the product and of the epilogue
  EXPECT_EQ(program.steps[1].kernel, nullptr);
  EXPECT_EQ(report_of(program, "epilogues").before, 3U);
  EXPECT_EQ(report_of(program, "epilogues").after, 2U);
}

TEST(Epilogues, AreKernelsOfTheirOwnWhereTheyAreOff) {
  const Program program = make_program(two_products(), rules(), {.off = {"epilogues"}});
  ASSERT_EQ(program.steps.size(), 3U);
  EXPECT_EQ(program.steps[1].kind, Step::Kind::fused);
  EXPECT_FALSE(report_of(program, "epilogues").ran);
}

TEST(Epilogues, ReadTheResultInItsOrderOnly) {
  Graph graph("turned");
  const Tensor product = mat_mul(matrix(graph, "a"), matrix(graph, "b", kColumns, kRows));
  const Tensor turned = transpose(product, {.perm = {1, 0}});
  graph.set_output("y", exp(turned));
  const Program program = make_program(graph, rules());
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(program.steps[0].kernel, nullptr);
}

TEST(Epilogues, StandAfterTheLastOfSeveralProducts) {
  Graph graph("sum");
  const Tensor left = mat_mul(matrix(graph, "a"), matrix(graph, "b", kColumns, kColumns));
  const Tensor right = mat_mul(matrix(graph, "c"), matrix(graph, "d", kColumns, kColumns));
  graph.set_output("y", exp(left + right));
  const Program program = make_program(graph, rules());
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(program.steps[0].kernel, nullptr);
  EXPECT_NE(program.steps[1].kernel, nullptr);
}

TEST(InPlace, ResultsTakeTheMemoryOfWhatDies) {
  const Graph graph = two_products();
  Program shared = make_program(graph, rules());
  Program apart = make_program(graph, rules(), {.off = {"in_place"}});
  // The epilogue writes over the product that it reads.
  constexpr std::int64_t kHidden = kRows * kColumns * 4;
  EXPECT_EQ(plan_memory(shared).arena_bytes, kHidden);
  EXPECT_EQ(plan_memory(apart).arena_bytes, 2 * kHidden);
}

TEST(InPlace, OperandsOfACallAreLeftAlone) {
  Graph graph("residual");
  const Tensor x = exp(matrix(graph, "a", kColumns, kColumns));
  // x dies in the epilogue, but other rows of the product still read it.
  graph.set_output("y", mat_mul(x, x) + x);
  const Program program = make_program(graph, rules());
  const int x_buffer = program.steps[0].outputs[0].buffer;
  for (const Buffer& buffer : program.buffers) EXPECT_NE(buffer.shares, x_buffer);
}

TEST(Schedule, RunsWhatFreesMemoryFirst) {
  Graph graph("two");
  const Tensor a = exp(matrix(graph, "x"));
  const Tensor b = exp(matrix(graph, "y"));
  const Tensor weight = matrix(graph, "w", kColumns, 1);
  graph.set_output("s", mat_mul(a, weight));
  graph.set_output("t", mat_mul(b, weight));
  const Program given = make_program(graph, {}, {.off = {"schedule"}});
  const Program scheduled = make_program(graph);
  EXPECT_LT(live_bytes(scheduled), live_bytes(given) + 1);
  const PassReport& report = report_of(scheduled, "schedule");
  EXPECT_LE(report.after, report.before);
  // One big value at a time, whatever the order of the graph.
  constexpr std::int64_t kBig = kRows * kColumns * 4;
  EXPECT_LT(live_bytes(scheduled), 2 * kBig);
}

TEST(Recompute, ValuesThatAreOneOperationAway) {
  Graph graph("norm");
  const Tensor x = matrix(graph, "x", 512, kColumns);
  const Tensor weight = matrix(graph, "w", kColumns, kColumns);
  const Tensor centred = x - reduce_mean(x, {1});
  const Tensor size = sqrt(reduce_mean(centred * centred, {1}) + 1e-5);
  const Tensor normed = centred / size;
  const Tensor product = mat_mul(exp(normed), weight);
  graph.set_output("y", product * normed + product * centred * size);
  const Program kept = make_program(graph, {}, {.off = {"recompute"}});
  const Program program = make_program(graph);
  EXPECT_EQ(report_of(program, "recompute").before, report_of(program, "recompute").after + 1);
  EXPECT_LT(live_bytes(program), live_bytes(kept));
}

// It is kept anyway, and its place among the results has to be written.
TEST(Recompute, LeavesWhatIsAnOutputAlone) {
  Graph graph("norm");
  const Tensor x = matrix(graph, "x", 512, kColumns);
  const Tensor doubled = exp(x) * 2.0;
  const Tensor shifted = doubled + 1.0;
  graph.set_output("doubled", doubled);
  graph.set_output("shifted", shifted);
  graph.set_output("y", mat_mul(shifted, matrix(graph, "w", kColumns, kColumns)) * shifted * doubled);
  const Program program = make_program(graph);
  ASSERT_EQ(program.results.size(), 3U);
  for (const View& result : program.results) {
    const bool written = std::any_of(program.steps.begin(), program.steps.end(), [&](const Step& step) {
      return std::any_of(step.outputs.begin(), step.outputs.end(),
                         [&](const View& view) { return view.buffer == result.buffer; });
    });
    EXPECT_TRUE(written) << result.buffer;
  }
}

TEST(Fuse, TakesReadersOfOneValueTogether) {
  Graph graph("readers");
  const Tensor product = mat_mul(matrix(graph, "a"), matrix(graph, "b", kColumns, kColumns));
  graph.set_output("sums", reduce_sum(product, {0}));
  graph.set_output("y", exp(product));
  EXPECT_EQ(make_program(graph).steps.size(), 2U);
  EXPECT_EQ(make_program(graph, {}, {.off = {"fuse"}}).steps.size(), 3U);
}

TEST(Fuse, SaysWhatKeepsKernelsApart) {
  Graph graph("apart");
  const Tensor x = exp(matrix(graph, "x"));
  graph.set_output("y", x * reduce_sum(x, {0}));
  const Program program = make_program(graph);
  ASSERT_EQ(program.unfused.size(), 1U);
  EXPECT_EQ(program.unfused[0].from, 0);
  EXPECT_EQ(program.unfused[0].to, 1);
  EXPECT_EQ(program.unfused[0].reason, "a sum over all rows is known only after the last row");
}

TEST(Program, OfTheSameGraphIsTheSame) {
  const Graph graph = two_products();
  Program first = make_program(graph, rules());
  Program second = make_program(graph, rules());
  plan_memory(first);
  plan_memory(second);
  EXPECT_EQ(text_of(first), text_of(second));
}

// A part of a transposed value for a call that takes dense operands only: the Split becomes a call, and needs one too.
TEST(Layouts, OfASplitThatIsACallAreDense) {
  Graph graph("split");
  const Tensor turned = transpose(matrix(graph, "a", 4, 6), {.perm = {1, 0}});
  const std::vector<Tensor> parts = split(turned, Ints{2, 4}, {.axis = 0});
  graph.set_output("y", cum_sum(parts[1], graph.constant(Array::scalar_i64(0))));
  const Program program = make_program(graph);
  for (const ProgramProblem& problem : problems_of(program)) ADD_FAILURE() << problem.words;
  const auto is_split = [](const Step& step) { return step.node != nullptr && step.node->op->name == "Split"; };
  const auto found = std::find_if(program.steps.begin(), program.steps.end(), is_split);
  ASSERT_NE(found, program.steps.end());
  EXPECT_TRUE(found->inputs.front().is_dense());
}

}  // namespace
}  // namespace asg
