// What the compiler makes of a GPT of four layers: how many steps, what is left apart and why, how much memory.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/compile/explain.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/train/step_graph.h"

namespace asg::test {
namespace {

constexpr std::int64_t kLayers = 4;
constexpr std::int64_t kWidth = 128;
constexpr std::int64_t kModelHeads = 4;
constexpr std::int64_t kModelLength = 64;
constexpr std::int64_t kVocabulary = 65;
constexpr std::int64_t kModelBatch = 12;

Graph gpt() {
  Graph graph("gpt");
  const Tensor tokens = graph.input("tokens", {DType::i64, {kModelBatch, kModelLength}});
  const Tensor labels = graph.input("labels", {DType::i64, {kModelBatch, kModelLength}});
  Tensor x = nn::embedding(tokens, kVocabulary, kWidth, {.name = "token"});
  x = nn::learned_position(x, kModelLength, {.name = "position"});
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    x = nn::transformer_block(x, kModelHeads, 4 * kWidth, {.causal = true, .name = "block_" + std::to_string(layer)});
  }
  const Tensor logits = nn::linear(nn::layer_norm(x, {.name = "norm"}), kVocabulary,
                                   {.bias = false,
                                    .transposed = true,
                                    .name = "head",
                                    .bindings = {{"weight", graph.find_variable("token.weight")}}});
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

class GptStep : public testing::Test {
 protected:
  GptStep() {
    const Graph step = train::make_step(gpt(), "loss", optim::Optimizer::adamw(1e-3, 0.01)).graph;
    explanation_ = backend_.compile(step)->explain({});
  }

  const Program& program() const { return explanation_->program; }
  const Step& step(int number) const { return program().steps[static_cast<std::size_t>(number)]; }

  // "block_2" of a step that belongs to that block, forwards or backwards; else nothing.
  std::string block_of(const Step& step) const {
    for (const NodeId id : step.nodes) {
      const std::string path = program().graph.node(id).path();
      const std::size_t at = path.find("block_");
      if (at != std::string::npos) return path.substr(at, path.find('/', at) - at);
    }
    return {};
  }

  CpuBackend backend_{1};
  std::shared_ptr<const Explanation> explanation_;
};

TEST_F(GptStep, HasThisManySteps) {
  std::map<std::string, int> counts;
  for (const Step& each : program().steps) {
    const std::string kind = each.kind == Step::Kind::fused  ? (each.commits ? "update" : "kernel")
                             : each.kind == Step::Kind::copy ? "copy"
                                                             : each.node->op->name;
    ++counts[kind + (each.kind == Step::Kind::call && each.kernel != nullptr ? " with an epilogue" : "")];
  }
  const std::map<std::string, int> expected = {
      {"Attention", 4},  {"AttentionGrad", 4},
      {"GatherGrad", 2},  // of tokens and positions
      {"MatMul", 13},    {"MatMul with an epilogue", 62},
      {"kernel", 62},    {"update", 137},  // mostly two for each parameter: its counter, and all the rest
  };
  EXPECT_EQ(counts, expected);
}

TEST_F(GptStep, SaysOfEveryPairOfKernelsWhyTheyAreTwo) {
  std::set<std::pair<int, int>> listed;
  std::map<std::string, int> by_block;
  for (const UnfusedPair& pair : program().unfused) {
    EXPECT_FALSE(pair.reason.empty());
    EXPECT_NE(pair.reason, "nothing");
    listed.insert({pair.from, pair.to});
    const std::string block = block_of(step(pair.from));
    if (!block.empty() && block == block_of(step(pair.to))) ++by_block[block];
  }
  for (const auto& [block, count] : by_block) EXPECT_LE(count, 3) << block;
  // Every kernel that reads what another kernel wrote is in the list.
  std::map<int, int> writer;
  for (std::size_t number = 0; number < program().steps.size(); ++number) {
    const Step& each = step(static_cast<int>(number));
    if (each.kind != Step::Kind::fused) continue;
    for (const View& view : each.inputs) {
      const auto from = writer.find(view.buffer);
      if (from == writer.end()) continue;
      EXPECT_TRUE(listed.contains({from->second, static_cast<int>(number)})) << from->second << " and " << number;
    }
    for (const View& view : each.outputs) {
      const Buffer& buffer = program().buffers[static_cast<std::size_t>(view.buffer)];
      if (buffer.kind != Buffer::Kind::variable) writer[view.buffer] = static_cast<int>(number);
    }
  }
}

TEST_F(GptStep, KeepsNoScores) {
  for (const Buffer& buffer : program().buffers)
    EXPECT_NE(buffer.count, kModelBatch * kModelHeads * kModelLength * kModelLength);
}

TEST_F(GptStep, FitsIntoLittleMoreThanIsAliveAtOnce) {
  const MemoryPlan& plan = explanation_->plan;
  EXPECT_GE(plan.arena_bytes, plan.live_bytes);
  EXPECT_LE(static_cast<double>(plan.arena_bytes), 1.1 * static_cast<double>(plan.live_bytes));
}

}  // namespace
}  // namespace asg::test
