// Attention inside programs: its scores are nowhere in memory, and its heads are read and written where they lie.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/cpu.h"
#include "asg/compile/lower.h"
#include "asg/compile/pass.h"
#include "asg/compile/program.h"
#include "asg/graph/card.h"
#include "asg/graph/samples.h"
#include "backend/cpu/library_steps.h"
#include "support/compare.h"

namespace asg::test {
namespace {

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kLength = 96;
constexpr std::int64_t kFeatures = 32;

// The gradients of two blocks of a GPT by all its parameters.
Graph training_step(const Attrs& more) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {kBatch, kLength, kFeatures}});
  Attrs attrs = {{"layers", 2}, {"heads", kHeads}, {"hidden", 2 * kFeatures}, {"causal", true}};
  for (const auto& [name, value] : more) attrs.set(name, value);
  const Tensor y = add_op("nn.TransformerEncoder", {x}, attrs);
  const Tensor loss = add_op("ReduceSum", {y * y}, {{"keepdims", false}});
  graph.set_output("loss", loss);
  std::vector<VarId> parameters;
  for (const VarId id : graph.variable_ids()) {
    if (graph.variable(id).type.dtype == DType::f32) parameters.push_back(id);
  }
  return differentiate(graph, loss.value(), parameters, Mode::train).graph;
}

Program program_of(const Graph& graph) {
  Capabilities device;
  device.supports_op = [](const OpCard& op) {
    return op.scalar != ScalarOp::none || !op.body || cpu::is_library_op(op);
  };
  device.declines = cpu::lacks_types_of;
  const Lowered lowered = lower(graph, device, Mode::train);
  return make_program(
      run_passes(lowered.graph, {}).graph,
      {.takes_strides = cpu::takes_strides, .output_order = cpu::output_order, .takes_epilogue = cpu::takes_epilogue});
}

long calls_of(const Program& program, std::string_view op) {
  return std::count_if(program.steps.begin(), program.steps.end(),
                       [&](const Step& step) { return step.kind == Step::Kind::call && step.node->op->name == op; });
}

// Kernels that neither compute nor sum anything.
long copies_in(const Program& program) {
  return std::count_if(program.steps.begin(), program.steps.end(), [](const Step& step) {
    if (step.kind != Step::Kind::fused) return false;
    const auto& instructions = step.kernel->instructions;
    const auto& stores = step.kernel->stores;
    return std::all_of(instructions.begin(), instructions.end(),
                       [](const KernelInstruction& each) { return each.kind == KernelInstruction::Kind::load; }) &&
           std::none_of(stores.begin(), stores.end(), [](const KernelStore& each) { return each.sum_over_leading; });
  });
}

struct Row {
  const char* name;
  Attrs attrs;
};
const Row kRows[] = {
    {"plain", {}},
    {"shared_heads", {{"key_value_heads", 2}}},
    {"dropout", {{"dropout", 0.1}}},
};

TEST(EngineAttention, ScoresAreNowhereInMemory) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const Program program = program_of(training_step(row.attrs));
    EXPECT_EQ(calls_of(program, "Attention"), 2);
    EXPECT_EQ(calls_of(program, "AttentionGrad"), 2);
    for (const Buffer& buffer : program.buffers) EXPECT_LT(buffer.count, kBatch * kHeads * kLength * kLength);
  }
}

TEST(EngineAttention, HeadsAreNotCopied) {
  for (const Row& row : kRows) EXPECT_EQ(copies_in(program_of(training_step(row.attrs))), 0) << row.name;
}

// Types that the kernel does not know go through the body.
TEST(EngineAttention, OtherTypesAreComputedFromParts) {
  for (const DType dtype : {DType::f64, DType::f16, DType::bf16}) {
    Graph graph;
    const Tensor x = graph.input("x", {dtype, {1, 2, 3, 4}});
    graph.set_output("y", add_op("Attention", {x, x, x}));
    const NamedArrays values = {{"x", sample_value(in({1, 2, 3, 4}), "Attention", "types", 0).cast(dtype)}};
    Interpreter interpreter;
    CpuBackend cpu(1);
    const Array expected = interpreter.compile(graph)->run(values).outputs.at("y");
    EXPECT_TRUE(near(cpu.compile(graph)->run(values).outputs.at("y"), expected, dtype == DType::f64 ? 1e-12 : 0.05));
  }
}

// Of another type than the operands.
TEST(EngineAttention, TakesMasksOfOtherFloats) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {1, 2, 3, 4}});
  const Tensor mask = graph.input("mask", {DType::f64, {3, 3}});
  graph.set_output("y", add_op("Attention", {x, x, x, mask}));
  const NamedArrays values = {{"x", sample_value(in({1, 2, 3, 4}), "Attention", "types", 0).cast(DType::f32)},
                              {"mask", sample_value(in({3, 3}), "Attention", "types", 1)}};
  Interpreter interpreter;
  CpuBackend cpu(1);
  const Array expected = interpreter.compile(graph)->run(values).outputs.at("y");
  EXPECT_TRUE(near(cpu.compile(graph)->run(values).outputs.at("y"), expected, 1e-6));
}

}  // namespace
}  // namespace asg::test
