#include <cmath>

#include <gtest/gtest.h>

#include "train/models.h"

namespace asg::train {
namespace {

Edit one(Command command, ResizePolicy policy = ResizePolicy::fresh) { return {{std::move(command)}, policy}; }

Edit widen(std::int64_t hidden, ResizePolicy policy) {
  return one(edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", hidden}}}, policy);
}

Edit swap_activation() { return one(edits::ReplaceOp{.at = {"block/feed_forward/activation"}, .op = "Silu"}); }

Edit insert_dropout() {
  return one(edits::InsertBetween{
      .value = {"pooled"}, .user = "head", .op = "nn.Dropout", .attrs = {{"ratio", 0.5}}, .name = "late_dropout"});
}

void train(Trainer& trainer, int steps) {
  for (int step = 0; step < steps; ++step) trainer.step(test::small_data());
}

double eval_loss(Trainer& trainer) { return trainer.infer(trainer.inputs_of(test::small_data())).at("loss").get(0); }

// All of `before` that is still there is bit-equal in `after`, but for the variables in `changed`.
void expect_kept(const TrainingState& before, const TrainingState& after, const std::vector<VarId>& changed = {}) {
  auto is_changed = [&](VarId id) { return std::find(changed.begin(), changed.end(), id) != changed.end(); };
  for (const auto& [id, value] : before.variables) {
    EXPECT_TRUE(is_changed(id) || bit_equal(value, after.variables.at(id))) << "variable " << id.number;
  }
  for (const auto& [key, value] : before.optimizer) {
    EXPECT_TRUE(is_changed(key.parameter) || bit_equal(value, after.optimizer.at(key))) << key.slot;
  }
}

std::vector<VarId> fate(const EditReport& report, VarFate fate) {
  std::vector<VarId> result;
  for (const VarChange& change : report.variables) {
    if (change.fate == fate) result.push_back(change.variable);
  }
  return result;
}

TEST(Apply, KeepsEveryVariableThatFits) {
  Trainer trainer = test::small_trainer();
  train(trainer, 3);
  const TrainingState before = trainer.state();
  trainer.apply(swap_activation());
  expect_kept(before, trainer.state());
  trainer.apply(insert_dropout());
  expect_kept(before, trainer.state());
  EXPECT_EQ(trainer.steps(), 3);
  train(trainer, 2);
  EXPECT_EQ(trainer.steps(), 5);
}

TEST(Apply, PreserveKeepsTheLoss) {
  Trainer trainer = test::small_trainer();
  train(trainer, 5);
  const double before = eval_loss(trainer);
  const TrainingState state = trainer.state();
  const EditReport report = trainer.apply(widen(20, ResizePolicy::preserve));
  const std::vector<VarId> resized = fate(report, VarFate::resized);
  EXPECT_EQ(resized.size(), 3U);  // expand.weight, expand.bias, and the weight that contracts
  expect_kept(state, trainer.state(), resized);
  EXPECT_LE(std::abs(eval_loss(trainer) - before), 1e-5 * std::abs(before));
  train(trainer, 5);
  EXPECT_LT(eval_loss(trainer), before);
}

TEST(Apply, OptimizerStateFollowsTheSlices) {
  Trainer trainer = test::small_trainer();
  train(trainer, 3);
  const VarId weight = trainer.model().graph().find_variable("block.feed_forward.expand.weight");
  ASSERT_TRUE(weight);
  const TrainingState before = trainer.state();
  trainer.apply(widen(20, ResizePolicy::preserve));
  const TrainingState after = trainer.state();
  for (const char* slot : {"mean", "square"}) {
    const Array& old = before.optimizer.at({weight, slot});
    const Array& now = after.optimizer.at({weight, slot});
    ASSERT_EQ(now.sizes(), (Sizes{8, 20}));
    EXPECT_TRUE(bit_equal(now.sliced(1, 0, 12, 1).copy(), old)) << slot;
    EXPECT_TRUE(bit_equal(now.sliced(1, 12, 8, 1).copy(), Array(DType::f32, {8, 8}))) << slot;
  }
  EXPECT_EQ(after.optimizer.at({weight, "count"}).get(0), 3);
  const Array& value = after.variables.at(weight);
  EXPECT_TRUE(bit_equal(value.sliced(1, 0, 12, 1).copy(), before.variables.at(weight)));
}

struct PolicyCase {
  const char* name;
  ResizePolicy policy;
  bool old_block;  // the common block is kept
  double count;    // of Adam afterwards
};

class Policies : public testing::TestWithParam<PolicyCase> {};

TEST_P(Policies, DecideWhatAResizedVariableGets) {
  Trainer trainer = test::small_trainer(9);
  train(trainer, 3);
  const VarId weight = trainer.model().graph().find_variable("block.feed_forward.expand.weight");
  const Array old = trainer.state().variables.at(weight);
  trainer.apply(widen(20, GetParam().policy));
  const TrainingState after = trainer.state();
  const Array now = after.variables.at(weight);
  const Array fresh = initial_value(trainer.model().graph().variable(weight), 9);
  EXPECT_EQ(bit_equal(now.sliced(1, 0, 12, 1).copy(), old), GetParam().old_block);
  EXPECT_TRUE(bit_equal(now.sliced(1, 12, 8, 1).copy(), fresh.sliced(1, 12, 8, 1).copy()));
  EXPECT_EQ(after.optimizer.at({weight, "count"}).get(0), GetParam().count);
}

INSTANTIATE_TEST_SUITE_P(All, Policies,
                         testing::Values(PolicyCase{"fresh", ResizePolicy::fresh, false, 0},
                                         PolicyCase{"overlap", ResizePolicy::overlap, true, 3},
                                         PolicyCase{"preserve", ResizePolicy::preserve, true, 3}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Apply, ThatIsRefusedChangesNothing) {
  Trainer trainer = test::small_trainer();
  train(trainer, 2);
  const TrainingState before = trainer.state();
  const Graph graph = trainer.model().graph();
  // Narrowing cannot keep the function; a cross-entropy of wrong shape has no types.
  EXPECT_THROW(trainer.apply(widen(6, ResizePolicy::preserve)), UserError);
  EXPECT_THROW(trainer.apply(one(edits::RemoveOutput{"loss"})), UserError);
  EXPECT_TRUE(trainer.model().graph() == graph);
  expect_kept(before, trainer.state());
  EXPECT_TRUE(trainer.snapshots().empty());
  train(trainer, 1);
}

TEST(Undo, KeepsWhatWasLearntAndBringsBackTheRest) {
  Trainer trainer = test::small_trainer();
  train(trainer, 3);
  const Graph graph = trainer.model().graph();
  trainer.apply(widen(20, ResizePolicy::preserve));
  train(trainer, 3);
  const TrainingState learnt = trainer.state();
  const VarId weight = trainer.model().graph().find_variable("block.feed_forward.expand.weight");
  const EditReport report = trainer.undo();
  EXPECT_TRUE(trainer.model().graph() == graph);
  EXPECT_EQ(trainer.steps(), 6);
  const TrainingState undone = trainer.state();
  expect_kept(learnt, undone, fate(report, VarFate::resized));
  const Array block = learnt.variables.at(weight).sliced(1, 0, 12, 1).copy();
  EXPECT_TRUE(bit_equal(undone.variables.at(weight), block));
  trainer.redo();
  // What the widened part had learnt comes back with it.
  EXPECT_TRUE(bit_equal(trainer.state().variables.at(weight), learnt.variables.at(weight)));
  train(trainer, 1);
}

TEST(Undo, BringsBackDroppedVariablesWithTheirValues) {
  Trainer trainer = test::small_trainer();
  train(trainer, 3);
  const TrainingState before = trainer.state();
  trainer.apply(one(edits::DeletePassthrough{.at = {"block"}}));
  train(trainer, 1);
  trainer.undo();
  const TrainingState after = trainer.state();
  const VarId weight = trainer.model().graph().find_variable("block.attention.query_projection.weight");
  EXPECT_TRUE(bit_equal(after.variables.at(weight), before.variables.at(weight)));
  EXPECT_TRUE(bit_equal(after.optimizer.at({weight, "mean"}), before.optimizer.at({weight, "mean"})));
}

TEST(ReturnTo, RestoresModelValuesAndCounters) {
  Trainer trainer = test::small_trainer();
  train(trainer, 3);
  const SnapshotId id = trainer.snapshot("here");
  const TrainingState before = trainer.state();
  const Graph graph = trainer.model().graph();
  train(trainer, 2);
  std::vector<double> expected;
  Trainer other = test::small_trainer();
  train(other, 3);
  for (int step = 0; step < 3; ++step) expected.push_back(other.step(test::small_data()).loss);

  trainer.apply(widen(20, ResizePolicy::overlap));
  trainer.set_learning_rate(1);
  train(trainer, 2);
  trainer.return_to(id);
  EXPECT_TRUE(trainer.model().graph() == graph);
  expect_kept(before, trainer.state());
  EXPECT_EQ(trainer.steps(), 3);
  EXPECT_EQ(trainer.state().variables.size(), before.variables.size());
  // The training goes on exactly as it did the first time.
  for (double loss : expected) EXPECT_EQ(trainer.step(test::small_data()).loss, loss);
  EXPECT_THROW(trainer.return_to(SnapshotId{99}), UserError);
}

TEST(Snapshots, OfEditsHaveABudget) {
  Trainer trainer(test::small_classifier(), std::make_shared<Interpreter>(), {.snapshot_bytes = 1});
  const SnapshotId mine = trainer.snapshot("mine");
  trainer.apply(swap_activation());
  trainer.apply(insert_dropout());
  const std::vector<SnapshotInfo> left = trainer.snapshots();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].id, mine);
  EXPECT_EQ(left[0].text, (Sentence{"mine", "mine"}));
  EXPECT_EQ(left[1].id, SnapshotId{3});
  EXPECT_TRUE(left[1].text.en.starts_with("before: inserted ")) << left[1].text.en;
  EXPECT_TRUE(left[1].text.ru.starts_with("перед: вставлено ")) << left[1].text.ru;
}

// The mask of every Dropout in the step, by the path of its node, at the given seed and step.
std::map<std::string, Array> dropout_masks(const Graph& model) {
  Graph graph = expand(model, Mode::train).graph;
  std::vector<Output> outputs;
  for (NodeId id : graph.node_ids()) {
    if (graph.node(id).op->name == "Dropout") outputs.push_back({graph.node(id).path(), {id, 1}});
  }
  graph.set_outputs(outputs);
  graph.set_updates({});
  Interpreter backend;
  const auto executable = backend.compile(graph);
  for (VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    Array value = initial_value(variable, 3).copy();
    if (variable.name == kSeedVariable) value.set_i64(0, 3);
    if (variable.name == kStepVariable) value.set_i64(0, 17);
    executable->write(id, value);
  }
  const data::Dataset data = test::small_data();
  std::map<std::string, Array> result;
  for (auto& [name, mask] : executable->run(data.all()).outputs) {
    result[name] = mask;
  }
  return result;
}

TEST(Masks, OfUntouchedLayersStayAfterEditsElsewhere) {
  Model model(test::small_classifier());
  const auto before = dropout_masks(model.graph());
  ASSERT_EQ(before.size(), 1U);
  model.apply(insert_dropout());
  model.apply(swap_activation());
  model.apply(widen(20, ResizePolicy::overlap));
  model.apply(one(edits::Rename{"dropout", "early_dropout"}));
  const auto after = dropout_masks(model.graph());
  ASSERT_EQ(after.size(), 2U);
  EXPECT_TRUE(bit_equal(before.begin()->second, after.at("early_dropout/mask")));
  EXPECT_FALSE(bit_equal(before.begin()->second, after.at("late_dropout/mask")));
}

TEST(Same, SeedGivesTheSameTraining) {
  Trainer a = test::small_trainer(4);
  Trainer b = test::small_trainer(4);
  Trainer c = test::small_trainer(5);
  train(a, 4);
  train(b, 4);
  train(c, 4);
  expect_kept(a.state(), b.state());
  EXPECT_NE(eval_loss(a), eval_loss(c));
}

TEST(Read, FindsVariablesStateAndValues) {
  Trainer trainer = test::small_trainer();
  EXPECT_EQ(trainer.read("head.weight").sizes(), (Sizes{8, 3}));
  EXPECT_EQ(trainer.read("optimizer/head.weight.mean").sizes(), (Sizes{8, 3}));
  EXPECT_THROW(trainer.read("pooled"), UserError);  // no batch yet
  train(trainer, 1);
  EXPECT_EQ(trainer.read("pooled").sizes(), (Sizes{12, 8}));
  EXPECT_EQ(trainer.read("block/feed_forward/activation").sizes(), (Sizes{12, 3, 12}));
  try {
    trainer.read("heed.weight");
    FAIL() << "found";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_scope);
    EXPECT_NE(std::string(error.what()).find("head.weight"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace asg::train
