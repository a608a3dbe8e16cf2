// Training on the CPU has the same bits by name and by position, before and after a resume, compiled cold or after
// edits, and each block of a model is prepared once.
#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "backend/cpu/kernel_cache.h"
#include "train/models.h"

namespace asg::test {
namespace {

train::Trainer cpu_trainer(Graph model, int threads = 2) {
  return {std::move(model), std::make_shared<CpuBackend>(threads), {.optimizer = optim::Optimizer::adam(1e-2)}};
}

std::vector<Array> small_batch() {
  const data::Dataset data = small_data();
  return {data.column("features"), data.column("labels")};
}

void run(train::Trainer& trainer, int steps) {
  const std::vector<Array> batch = small_batch();
  for (int step = 0; step < steps; ++step) trainer.step(std::span<const Array>(batch));
}

void expect_same(const train::Trainer& a, const train::Trainer& b) {
  const train::TrainingState left = a.state();
  const train::TrainingState right = b.state();
  for (const auto& [id, value] : left.variables) EXPECT_TRUE(bit_equal(value, right.variables.at(id)));
  for (const auto& [key, value] : left.optimizer) EXPECT_TRUE(bit_equal(value, right.optimizer.at(key)));
}

Edit one(Command command) {
  Edit edit;
  edit.commands.push_back(std::move(command));
  return edit;
}

Edit swap_activation() { return one(edits::ReplaceOp{.at = {"block/feed_forward/activation"}, .op = "Silu"}); }

TEST(SameBits, ByNameAndByPosition) {
  train::Trainer by_name = cpu_trainer(small_classifier());
  train::Trainer by_position = cpu_trainer(small_classifier(), 1);
  for (int step = 0; step < 3; ++step) by_name.step(small_data());
  run(by_position, 3);
  expect_same(by_name, by_position);
}

TEST(SameBits, AfterAResume) {
  train::Trainer whole = cpu_trainer(small_classifier());
  run(whole, 6);
  train::Trainer first = cpu_trainer(small_classifier());
  run(first, 3);
  train::Trainer second = cpu_trainer(small_classifier());
  run(second, 1);  // anything: the state replaces it
  second.set_state(first.state());
  run(second, 3);
  expect_same(whole, second);
}

TEST(SameBits, CompiledColdOrAfterAnEdit) {
  train::Trainer edited = cpu_trainer(small_classifier());
  run(edited, 2);
  edited.apply(swap_activation());
  const train::TrainingState between = edited.state();
  train::Trainer cold = cpu_trainer(edited.model().graph());
  cold.set_state(between);
  run(edited, 3);
  run(cold, 3);
  expect_same(edited, cold);
}

TEST(SameBits, OfAnEditAndItsUndo) {
  train::Trainer edited = cpu_trainer(small_classifier());
  run(edited, 2);
  const train::TrainingState before = edited.state();
  edited.apply(swap_activation());
  edited.undo();
  const train::TrainingState after = edited.state();
  for (const auto& [id, value] : before.variables) EXPECT_TRUE(bit_equal(value, after.variables.at(id)));
}

// A snapshot keeps its values while training goes on in the memory that the edit took over.
TEST(SameBits, OfASnapshotAfterMoreSteps) {
  train::Trainer trainer = cpu_trainer(small_classifier());
  run(trainer, 2);
  const train::TrainingState before = trainer.state();
  trainer.apply(swap_activation());
  run(trainer, 2);
  trainer.return_to(trainer.snapshots().front().id);
  const train::TrainingState back = trainer.state();
  for (const auto& [id, value] : before.variables) EXPECT_TRUE(bit_equal(value, back.variables.at(id)));
}

Graph stack_of_blocks(int blocks) {
  Graph graph("stack");
  const Tensor x = graph.input("features", {DType::f32, {2, 4, 8}});
  Tensor y = x;
  for (int k = 0; k < blocks; ++k) y = nn::transformer_block(y, 2, 16, {.name = "block_" + std::to_string(k)});
  graph.set_output("loss", reduce_mean(y * y, {}, {.keepdims = false}));
  return graph;
}

std::int64_t kernels_for(int blocks) {
  const std::int64_t before = cpu::kernels_prepared();
  train::Trainer trainer = cpu_trainer(stack_of_blocks(blocks));
  const std::vector<Array> batch = {Array(DType::f32, {2, 4, 8})};
  trainer.step(std::span<const Array>(batch));
  return cpu::kernels_prepared() - before;
}

// Two more blocks bring no kernels of their own; only the check of all gradients becomes longer.
TEST(RepeatedBlocks, ArePreparedOnce) {
  EXPECT_GT(kernels_for(4), 4);
  EXPECT_LE(kernels_for(6), 1);
}

TEST(RepeatedBlocks, AreNotPreparedAgainAfterAnEdit) {
  train::Trainer trainer = cpu_trainer(small_classifier());
  run(trainer, 1);
  const std::int64_t before = cpu::kernels_prepared();
  trainer.apply(one(edits::SetConfig{.at = {"dropout"}, .attrs = {{"ratio", 0.5}}}));
  run(trainer, 1);
  EXPECT_LE(cpu::kernels_prepared() - before, 3);
}

}  // namespace
}  // namespace asg::test
