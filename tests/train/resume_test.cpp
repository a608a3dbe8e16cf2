// A training that is saved, ended and loaded goes on with the same bits as one that was never interrupted.
#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/core/platform.h"
#include "asg/io/load_weights.h"
#include "support/compare.h"
#include "support/temporary_folder.h"
#include "train/models.h"

namespace asg::train {
namespace {

constexpr std::uint64_t kSeed = 11;

// With running statistics, dropout, and a layer that edits can widen.
Graph model() {
  Graph graph("resumed");
  const Dim batch = Dim::symbol("batch");
  const Tensor features = graph.input("features", {DType::f32, {batch, 12}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  Tensor x = nn::linear(features, 16, {.name = "hidden"});
  x = nn::batch_norm(x, {.name = "norm"});
  x = relu(x).named("activation");
  x = nn::dropout(x, {.ratio = 0.25, .name = "dropout"});
  const Tensor logits = nn::linear(x, 3, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

// Two micro-batches make an update; biases learn at half the rate; a mean of the weights is kept.
optim::Optimizer optimizer() {
  optim::Optimizer result = optim::Optimizer::adamw(1e-2);
  result.groups = {{.match = "*.bias", .learning_rate_factor = 0.5}};
  result.clip_norm = 1;
  result.accumulate = 2;
  result.ema = {.decay = 0.9, .warmup = true};
  return result;
}

Trainer new_trainer(Graph graph, std::uint64_t seed = kSeed) {
  return {std::move(graph), std::make_shared<CpuBackend>(2), {.optimizer = optimizer(), .seed = seed}};
}

// A batch of its own for each step.
NamedArrays batch_of(const Trainer& trainer) {
  const data::Dataset data = data::synthetic(8, {12}, 3, static_cast<std::uint64_t>(trainer.steps()) + 100);
  return trainer.inputs_of(data);
}

std::vector<double> run(Trainer& trainer, int steps) {
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) losses.push_back(trainer.step(batch_of(trainer)).loss);
  return losses;
}

Edit widen(std::int64_t units) {
  return {{edits::SetConfig{.at = {"hidden"}, .attrs = {{"units", units}}}}, ResizePolicy::overlap};
}

Edit swap_to_gelu() { return {{edits::ReplaceOp{.at = {"activation"}, .op = "Silu"}}}; }

void expect_same_state(const TrainingState& a, const TrainingState& b) {
  ASSERT_EQ(a.variables.size(), b.variables.size());
  ASSERT_EQ(a.optimizer.size(), b.optimizer.size());
  for (const auto& [id, value] : a.variables) EXPECT_TRUE(test::identical(b.variables.at(id), value)) << id.number;
  for (const auto& [key, value] : a.optimizer) EXPECT_TRUE(test::identical(b.optimizer.at(key), value)) << key.slot;
  EXPECT_EQ(a.learning_rate, b.learning_rate);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.committed, b.committed);
}

TEST(Resume, GoesOnBitForBitAfterALiveEdit) {
  Trainer whole = new_trainer(model());
  run(whole, 50);
  whole.apply(widen(24));
  run(whole, 11);  // one micro-batch of an update has been gathered
  const std::vector<double> expected = run(whole, 40);

  const test::TemporaryFolder folder;
  {
    Trainer first = new_trainer(model());
    run(first, 50);
    first.apply(widen(24));
    run(first, 11);
    CheckpointData data = first.checkpoint();
    data.extras = R"({"data": {"epoch": 3, "position": 61}, "schedule": [0.1, 1e-300]})";
    CheckpointStore(folder.path()).save(data);
  }
  const auto loaded = CheckpointStore(folder.path()).load_latest();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->data.extras, R"({"data":{"epoch":3,"position":61},"schedule":[0.1,1e-300]})");
  Trainer second = new_trainer(loaded->data.model.graph(), 1);  // the checkpoint brings its own seed
  second.restore(loaded->data);
  EXPECT_EQ(second.steps(), 61);
  EXPECT_EQ(run(second, 40), expected);
  expect_same_state(whole.state(), second.state());

  // What comes later needs the journal, the seed and what edits put away.
  for (Trainer* each : {&whole, &second}) {
    each->apply(swap_to_gelu());
    run(*each, 2);
    each->undo();
    each->undo();
    run(*each, 2);
    each->redo();
    each->apply(widen(30));
    run(*each, 2);
  }
  expect_same_state(whole.state(), second.state());
  EXPECT_EQ(whole.model().to_json(), second.model().to_json());
}

TEST(Resume, IntoATrainerOfAnotherVersionOfTheModel) {
  Trainer trainer = new_trainer(model());
  run(trainer, 3);
  trainer.apply(widen(20));
  const test::TemporaryFolder folder;
  CheckpointStore store(folder.path());
  store.save(trainer.checkpoint());
  run(trainer, 3);
  const TrainingState expected = trainer.state();
  Trainer other = new_trainer(model());
  run(other, 1);
  other.restore(store.load_latest()->data);
  run(other, 3);
  expect_same_state(expected, other.state());
  // Back to it once more, now with the same graph, which compiles nothing.
  other.restore(store.load_latest()->data);
  run(other, 3);
  expect_same_state(expected, other.state());
}

TEST(Resume, AStateOfAnotherOptimizerIsRefused) {
  const test::TemporaryFolder folder;
  CheckpointStore store(folder.path());
  Trainer sgd(model(), std::make_shared<CpuBackend>(1), {.optimizer = optim::Optimizer::sgd(0.1)});
  store.save(sgd.checkpoint());
  Trainer adam = new_trainer(model());
  run(adam, 2);
  const TrainingState before = adam.state();
  EXPECT_THROW(adam.restore(store.load_latest()->data), UserError);
  expect_same_state(before, adam.state());
}

TEST(Resume, FilesAreTheSameForTheSameState) {
  const test::TemporaryFolder folder;
  Trainer trainer = new_trainer(model());
  run(trainer, 2);
  CheckpointStore(folder.path("a")).save(trainer.checkpoint());
  CheckpointStore(folder.path("b")).save(trainer.checkpoint());
  for (const char* file : {"manifest.json", "model.json", "variables.safetensors", "optimizer.safetensors"}) {
    EXPECT_EQ(platform::read_file(folder.path("a/step-00000002/") + file),
              platform::read_file(folder.path("b/step-00000002/") + file));
  }
}

// The variables of a checkpoint are a safetensors file like any other.
TEST(Resume, VariablesAloneGoIntoAnotherModel) {
  const test::TemporaryFolder folder;
  Trainer trainer = new_trainer(model());
  run(trainer, 2);
  const std::string path = CheckpointStore(folder.path()).save(trainer.checkpoint()).path;
  Trainer other = new_trainer(model(), 99);
  const auto weights = io::load_weights(other.model().graph(), io::Safetensors::open(path + "/variables.safetensors"),
                                        {.ignore = [](std::string_view name) { return name.starts_with("random."); }});
  TrainingState state = other.state();
  for (const auto& [id, value] : weights.values) state.variables.insert_or_assign(id, value);
  other.set_state(state);
  const NamedArrays batch = batch_of(trainer);
  EXPECT_TRUE(test::identical(other.infer(batch).at("logits"), trainer.infer(batch).at("logits")));
}

}  // namespace
}  // namespace asg::train
