// Undo and redo: of a change without a step in between they restore every bit; with steps in between what was learned
// stays where it fits, and what the change took away comes back.
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/core/files.h"
#include "asg/core/platform.h"
#include "asg/io/safetensors.h"
#include "support/amount.h"
#include "support/temporary_folder.h"
#include "train/checkpoint_folder.h"
#include "train/checksum.h"
#include "train/history_json.h"
#include "train/models.h"

namespace asg::train {
namespace {

struct OptimizerRow {
  const char* name;
  optim::Optimizer optimizer;
};

optim::Optimizer with_means(optim::Optimizer optimizer, std::int64_t accumulate) {
  optimizer.ema.decay = 0.9;
  optimizer.accumulate = accumulate;
  return optimizer;
}

std::vector<OptimizerRow> optimizers() {
  return {{"adam", optim::Optimizer::adam(1e-2)},
          {"adamw_ema_accumulate", with_means(optim::Optimizer::adamw(1e-2), 2)},
          {"momentum", optim::Optimizer::sgd(1e-2, 0.9)},
          {"muon", optim::optimizer_named("muon")},
          {"lion", optim::optimizer_named("lion", {{"learning_rate", 1e-3}})}};
}

struct EditRow {
  const char* name;
  const char* commands;  // as JSON
};

const std::vector<EditRow>& edit_rows() {
  static const std::vector<EditRow> rows = {
      {"wider", R"({"do":"set_config","at":"block","attrs":{"hidden":20}})"},
      {"narrower", R"({"do":"set_config","at":"block","attrs":{"hidden":7}})"},
      {"fewer_heads", R"({"do":"set_config","at":"block","attrs":{"heads":1}})"},
      {"more_units", R"({"do":"set_config","at":"head","attrs":{"units":5}})"},
      {"turned", R"({"do":"set_config","at":"embed","attrs":{"transposed":true}})"},
      {"no_bias", R"({"do":"set_config","at":"head","attrs":{"bias":false}})"},
      {"other_ratio", R"({"do":"set_config","at":"dropout","attrs":{"ratio":0.5}})"},
      {"other_activation", R"({"do":"replace_op","at":"block/feed_forward/activation","op":"Silu"})"},
      {"inserted_layer",
       R"({"do":"insert_between","value":"pooled","user":"head","op":"nn.Linear","attrs":{"units":8},"name":"extra"})"},
      {"inserted_norm", R"({"do":"insert_between","value":"pooled","user":"head","op":"nn.LayerNorm","name":"extra"})"},
      {"without_block", R"({"do":"delete_passthrough","at":"block"})"},
      {"without_dropout", R"({"do":"delete_passthrough","at":"dropout"})"},
      {"frozen", R"({"do":"set_trainable","variable":"embed","trainable":false})"},
      {"frozen_block", R"({"do":"set_trainable","variable":"block","trainable":false})"},
      {"ungrouped", R"({"do":"ungroup","node":"block"})"},
      {"grouped", R"({"do":"group","nodes":["embed","dropout"],"name":"front"})"},
      {"renamed", R"({"do":"rename","node":"block","name":"trunk"})"},
      {"output", R"({"do":"set_output","name":"more","value":"pooled"})"},
      {"without_output", R"({"do":"remove_output","name":"logits"})"},
  };
  return rows;
}

Edit edit_of(const EditRow& row, std::string_view policy) {
  return edit_from_json(R"({"policy":")" + std::string(policy) + R"(","commands":[)" + row.commands + "]}");
}

Trainer trained(const optim::Optimizer& optimizer, int steps = 3) {
  Trainer trainer(test::small_classifier(), std::make_shared<CpuBackend>(1), {.optimizer = optimizer});
  for (int step = 0; step < steps; ++step) trainer.step(test::small_data());
  return trainer;
}

void expect_same_state(const TrainingState& now, const TrainingState& before) {
  ASSERT_EQ(now.variables.size(), before.variables.size());
  ASSERT_EQ(now.optimizer.size(), before.optimizer.size());
  for (const auto& [id, value] : before.variables) EXPECT_TRUE(bit_equal(now.variables.at(id), value)) << id.number;
  for (const auto& [key, value] : before.optimizer) {
    EXPECT_TRUE(bit_equal(now.optimizer.at(key), value)) << key.slot << " of " << key.parameter.number;
  }
  EXPECT_EQ(now.learning_rate, before.learning_rate);
  EXPECT_EQ(now.steps, before.steps);
  EXPECT_EQ(now.updates, before.updates);
}

class UndoAtOnce : public testing::TestWithParam<std::size_t> {};

TEST_P(UndoAtOnce, RestoresEveryBitForEveryCommandAndPolicy) {
  const OptimizerRow row = optimizers()[GetParam()];
  Trainer twin = trained(row.optimizer);
  std::vector<double> expected;
  for (int step = 0; step < 2; ++step) expected.push_back(twin.step(test::small_data()).loss);
  int applied = 0;
  Trainer trainer = trained(row.optimizer);
  const TrainingState before = trainer.state();
  const Graph graph = trainer.model().graph();
  for (const EditRow& edit : edit_rows()) {
    for (const char* policy : {"fresh", "overlap", "preserve"}) {
      if (test::kFewCases && policy != std::string_view("overlap")) continue;
      SCOPED_TRACE(edit.name + std::string(" ") + policy);
      try {
        trainer.apply(edit_of(edit, policy));
      } catch (const UserError& error) {
        EXPECT_EQ(error.code(), ErrorCode::preserve_impossible) << error.what();
        continue;
      }
      ++applied;
      const TrainingState after = trainer.state();
      trainer.undo();
      EXPECT_TRUE(trainer.model().graph() == graph);
      expect_same_state(trainer.state(), before);
      trainer.redo();
      expect_same_state(trainer.state(), after);
      trainer.undo();
      expect_same_state(trainer.state(), before);
    }
  }
  EXPECT_GE(applied, test::amount(40, 15));
  for (const double loss : expected) EXPECT_EQ(trainer.step(test::small_data()).loss, loss);
}

INSTANTIATE_TEST_SUITE_P(All, UndoAtOnce, testing::Range<std::size_t>(0, optimizers().size()),
                         [](const auto& row) { return std::string(optimizers()[row.param].name); });

// A chain of all kinds of changes, taken back one by one.
using Step = std::function<void(Trainer&)>;

std::vector<Step> all_kinds() {
  return {
      [](Trainer& trainer) { trainer.apply(edit_of(edit_rows()[1], "overlap")); },
      [](Trainer& trainer) { trainer.set_base_rate(0.05); },
      [](Trainer& trainer) { trainer.reset(std::vector<std::string>{"head"}); },
      [](Trainer& trainer) { trainer.set_value("embed.bias", std::vector<double>{0.25}); },
      [](Trainer& trainer) { trainer.set_value("optimizer/embed.bias.mean", std::vector<double>{0.5}); },
      [](Trainer& trainer) { trainer.set_schedule(optim::schedule_named("exponential", {{"gamma", 0.5}})); },
      [](Trainer& trainer) { trainer.set_optimizer({{"amsgrad", true}, {"learning_rate", 0.5}}); },
      [](Trainer& trainer) { trainer.apply(edit_of(edit_rows()[12], "fresh")); },
      [](Trainer& trainer) { trainer.set_optimizer({{"amsgrad", false}}); },
      [](Trainer& trainer) { trainer.apply(edit_of(edit_rows()[10], "fresh")); },
      [](Trainer& trainer) { trainer.reset(); },
      [](Trainer& trainer) { trainer.apply(edit_of(edit_rows()[0], "fresh")); },
  };
}

struct Moment {
  Graph graph;
  TrainingState state;
  RateSettings rate;
  Attrs optimizer;
};

Moment moment_of(const Trainer& trainer) {
  return {trainer.model().graph(), trainer.state(), trainer.rate_settings(), trainer.optimizer().settings};
}

void expect_moment(const Trainer& trainer, const Moment& moment) {
  EXPECT_TRUE(trainer.model().graph() == moment.graph);
  expect_same_state(trainer.state(), moment.state);
  EXPECT_EQ(trainer.rate_settings(), moment.rate);
  EXPECT_EQ(trainer.optimizer().settings, moment.optimizer);
}

// Without the last row, which needs the block that the one before the last but one took away.
TEST(History, HoldsChangesOfAllKindsInOrder) {
  Trainer trainer = trained(optim::Optimizer::adam(1e-2));
  std::vector<Moment> moments = {moment_of(trainer)};
  std::vector<Step> changes = all_kinds();
  changes.pop_back();
  for (const Step& change : changes) {
    change(trainer);
    moments.push_back(moment_of(trainer));
  }
  for (std::size_t k = changes.size(); k-- > 0;) {
    SCOPED_TRACE("undo " + std::to_string(k));
    trainer.undo();
    expect_moment(trainer, moments[k]);
  }
  EXPECT_FALSE(trainer.can_undo());
  EXPECT_THROW(trainer.undo(), UserError);
  for (std::size_t k = 0; k < changes.size(); ++k) {
    SCOPED_TRACE("redo " + std::to_string(k));
    trainer.redo();
    expect_moment(trainer, moments[k + 1]);
  }
  EXPECT_FALSE(trainer.can_redo());
  std::vector<std::string> names;
  const std::vector<JournalEntry> journal = trainer.journal();
  ASSERT_EQ(journal.size(), 3 * changes.size());
  for (std::size_t k = 0; k < changes.size(); ++k) {
    names.emplace_back(name_of(journal[k].how));
    EXPECT_FALSE(journal[k].undone);
    EXPECT_FALSE(journal[k].text.en.empty());
    const JournalEntry& undone = journal[changes.size() + k];
    EXPECT_EQ(undone.how, JournalEntry::How::undo);
    EXPECT_EQ(undone.text.en, "took back: " + journal[changes.size() - 1 - k].text.en);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"apply", "set_learning_rate", "reset", "set_value", "set_value", "set_schedule",
                                      "set_optimizer", "apply", "set_optimizer", "apply", "reset"}));
}

TEST(History, TravelsInCheckpoints) {
  const test::TemporaryFolder folder;
  Trainer trainer = trained(optim::Optimizer::adam(1e-2));
  const Moment first = moment_of(trainer);
  std::vector<Step> changes = all_kinds();
  changes.pop_back();
  for (const Step& change : changes) change(trainer);
  trainer.undo();
  const Moment last = moment_of(trainer);
  CheckpointStore store(folder.path());
  store.save(trainer.checkpoint());
  Trainer other = trained(optim::Optimizer::adam(1e-2), 1);
  other.restore(store.load_latest()->data, trainer.optimizer().settings);
  other.begin_rate(trainer.rate_settings());
  expect_moment(other, last);
  EXPECT_EQ(other.journal().size(), trainer.journal().size());
  EXPECT_EQ(other.journal()[2].text.en, "reset head");
  while (other.can_undo()) other.undo();
  expect_moment(other, first);
  for (std::size_t k = 0; k + 1 < changes.size(); ++k) other.redo();
  expect_moment(other, last);
  EXPECT_TRUE(other.can_redo());
}

// The other values of a resized weight are those of before; what both sizes have goes on as it was learned.
TEST(UndoAfterSteps, KeepsTheCommonBlockAndBringsBackTheRest) {
  Trainer trainer = trained(optim::Optimizer::adam(1e-2));
  const VarId weight = trainer.model().graph().find_variable("block.feed_forward.expand.weight");
  const TrainingState before = trainer.state();
  trainer.apply(edit_of(edit_rows()[1], "overlap"));  // 12 → 7
  for (int step = 0; step < 2; ++step) trainer.step(test::small_data());
  const TrainingState learned = trainer.state();
  trainer.undo();
  const TrainingState after = trainer.state();
  const auto part = [](const Array& array, std::int64_t from, std::int64_t count) {
    return array.sliced(1, from, count, 1).copy();
  };
  for (const char* slot : {"", "mean", "square"}) {
    SCOPED_TRACE(slot);
    const auto value = [&](const TrainingState& state) {
      return *slot == '\0' ? state.variables.at(weight) : state.optimizer.at({weight, slot});
    };
    EXPECT_TRUE(bit_equal(part(value(after), 0, 7), value(learned)));
    EXPECT_TRUE(bit_equal(part(value(after), 7, 5), part(value(before), 7, 5)));
  }
  EXPECT_EQ(after.optimizer.at({weight, "count"}).get(0), 5);
  const VarId head = trainer.model().graph().find_variable("head.weight");
  EXPECT_TRUE(bit_equal(after.variables.at(head), learned.variables.at(head)));
}

TEST(UndoAfterSteps, OfAFreshWeightBringsTheOldOneBack) {
  Trainer trainer = trained(optim::Optimizer::adam(1e-2));
  const VarId weight = trainer.model().graph().find_variable("head.weight");
  const TrainingState before = trainer.state();
  trainer.apply(edit_of(edit_rows()[3], "fresh"));
  trainer.step(test::small_data());
  trainer.undo();
  const TrainingState after = trainer.state();
  EXPECT_TRUE(bit_equal(after.variables.at(weight), before.variables.at(weight)));
  for (const char* slot : {"mean", "square", "count"}) {
    EXPECT_TRUE(bit_equal(after.optimizer.at({weight, slot}), before.optimizer.at({weight, slot}))) << slot;
  }
}

TEST(UndoAfterSteps, OfAResetAndOfAValueBringsBackTheirsAlone) {
  const std::vector<Step> changes = {
      [](Trainer& trainer) { trainer.reset(std::vector<std::string>{"head"}); },
      [](Trainer& trainer) { trainer.set_value("head.weight", std::vector<double>{0.5}); },
  };
  for (const Step& change : changes) {
    Trainer trainer = trained(optim::Optimizer::adam(1e-2));
    const VarId head = trainer.model().graph().find_variable("head.weight");
    const VarId embed = trainer.model().graph().find_variable("embed.weight");
    const Array before = trainer.state().variables.at(head);
    change(trainer);
    trainer.step(test::small_data());
    const Array learned = trainer.state().variables.at(embed);
    trainer.undo();
    EXPECT_TRUE(bit_equal(trainer.state().variables.at(head), before));
    EXPECT_TRUE(bit_equal(trainer.state().variables.at(embed), learned));
  }
}

// An older ASG counted the updates of a parameter in f32.
TEST(Checkpoint, WithCountsInF32IsResumed) {
  const test::TemporaryFolder folder;
  optim::Optimizer optimizer = optim::Optimizer::adam(1e-2);
  optimizer.ema = {.decay = 0.9, .warmup = true};
  Trainer trainer = trained(optimizer);
  CheckpointData data = trainer.checkpoint();
  std::size_t counts = 0;
  for (auto& [key, value] : data.state.optimizer) {
    if (key.slot != "count" && key.slot != "ema.count") continue;
    ++counts;
    value = value.cast(DType::f32);
  }
  EXPECT_GT(counts, 1U);
  Trainer other = trained(optimizer, 1);
  other.restore(load_checkpoint(CheckpointStore(folder.path()).save(data).path));
  EXPECT_EQ(other.step(test::small_data()).loss, trainer.step(test::small_data()).loss);
  EXPECT_EQ(other.step(test::small_data()).loss, trainer.step(test::small_data()).loss);
}

TrainingState dropped_from(const TrainingState& before, const Trainer& trainer) {
  TrainingState result;
  for (const auto& [id, value] : before.variables) {
    if (!trainer.model().graph().has(id)) result.variables.emplace(id, value);
  }
  return result;
}

// A checkpoint of an ASG that kept what edits take away in a file of its own.
TEST(History, OfAnOldCheckpointIsInItsAttic) {
  const test::TemporaryFolder folder;
  Trainer trainer = trained(optim::Optimizer::adam(1e-2));
  const TrainingState before = trainer.state();
  trainer.apply(edit_of(edit_rows()[10], "fresh"));
  const TrainingState taken = dropped_from(before, trainer);
  CheckpointData data = trainer.checkpoint();
  data.history = {};
  const std::string saved = CheckpointStore(folder.path()).save(data).path;
  Manifest manifest = read_manifest(saved);
  ASSERT_FALSE(manifest.files.contains(kHistoryFile));
  io::Tensors tensors;
  for (const auto& [id, value] : taken.variables) {
    const std::string name = "#" + std::to_string(id.number);
    tensors.emplace(name, value);
    manifest.tensors[std::string(kAtticFile)].push_back({name, id, ""});
  }
  const std::string attic = saved + "/" + std::string(kAtticFile);
  io::save_safetensors(attic, tensors, {{"format", "asg"}});
  const std::string bytes = platform::read_file(attic);
  Checksum sum;
  sum.add(bytes);
  manifest.files[std::string(kAtticFile)] = {bytes.size(), sum.hex()};
  std::ofstream(saved + "/" + std::string(kManifestFile)) << to_json(manifest);

  Trainer other = trained(optim::Optimizer::adam(1e-2), 1);
  other.restore(load_checkpoint(saved));
  EXPECT_EQ(other.journal().size(), 1U);
  other.undo();
  const VarId weight = other.model().graph().find_variable("block.attention.query_projection.weight");
  EXPECT_TRUE(bit_equal(other.state().variables.at(weight), before.variables.at(weight)));
}

constexpr const char* kChange =
    R"({"how":"apply","is_whole":true,"values":[],"resizes":[{"variable":3,"from":[2],"to":[4],)"
    R"("kept":[[[0,1,1],[1,3,1]]]}],"learning_rate":0.1,"optimizer":{},"base_rate":0.1,)"
    R"("schedule":{"kind":"constant"},"seen":{"bad":0,"cooldown":0,"factor":1}})";

std::string history_text(const std::string& journal, const std::string& undo) {
  return R"({"format":"asg-history","version":1,"journal":[)" + journal + R"(],"undo":[)" + undo + R"(],"redo":[]})";
}

std::string changed_text(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(HistoryFile, RefusesWhatIsMalformed) {
  const auto array_of = [](const std::string& name) -> Array {
    fail(ErrorCode::missing_value, "the tensor '" + name + "'", "one that is there");
  };
  const std::string good = history_text(R"({"how":"apply","step":3})", kChange);
  EXPECT_EQ(history_from_json(good, array_of).undo.size(), 1U);
  EXPECT_EQ(history_from_json(good, array_of).notes.front()->step, 3);
  const std::pair<const char*, const char*> changes[] = {
      {"asg-history", "asg-model"},
      {R"("version":1)", R"("version":2)"},
      {R"("version":1)", R"("version":1e300)"},
      {R"("step":3)", R"("step":1e300)"},
      {R"("step":3)", R"("step":18446744073709551615)"},
      {R"({"how":"apply","step")", R"({"how":"fly","step")"},
      {R"({"how":"apply","is_whole")", R"({"how":"undo","is_whole")"},
      {R"("is_whole":true)", R"("is_whole":1)"},
      {R"("values":[])", R"("values":[{"variable":1,"tensor":"0"}])"},
      {R"("values":[])", R"("values":[{"variable":-1,"tensor":"0"}])"},
      {R"("variable":3)", R"("variable":4294967296)"},
      {R"("variable":3)", R"("variable":"1")"},
      {R"("from":[2])", R"("from":[2,1])"},
      {R"("from":[2])", R"("from":[-2])"},
      {R"("kept":[[)", R"("kept":[[],[)"},
      {R"([0,1,1])", R"([-1,1,1])"},
      {R"([0,1,1])", R"([0,1,-1])"},
      {R"([0,1,1])", R"([0,1,2])"},
      {R"([1,3,1])", R"([1,3,2])"},
      {R"([1,3,1])", R"([0,3,1])"},
      {R"([1,3,1])", R"([1,9223372036854775807,1])"},
      {R"([1,3,1])", R"([1,3])"},
      {R"("learning_rate":0.1)", R"("learning_rate":"much")"},
      {R"("kind":"constant")", R"("kind":"none")"},
      {R"("factor":1)", R"("factor":"1")"},
      {R"("cooldown":0)", R"("cooldown":0.5)"},
      {R"("redo":[])", R"("rodo":[])"},
  };
  for (const auto& [from, to] : changes) {
    SCOPED_TRACE(to);
    EXPECT_THROW(history_from_json(changed_text(good, from, to), array_of), UserError);
  }
}

// The oldest changes go when there is no place for them; the journal tells of them still.
TEST(History, StaysWithinItsBudget) {
  constexpr std::int64_t kValueBytes = 8 * 3 * 4;  // of head.weight
  Trainer trainer(test::small_classifier(), std::make_shared<CpuBackend>(1), {.snapshot_bytes = 10 * kValueBytes});
  for (int k = 0; k < 128; ++k) trainer.set_value("head.weight", std::vector<double>{k / 4.0});
  EXPECT_EQ(trainer.journal().size(), 128U);
  int undone = 0;
  for (; trainer.can_undo(); ++undone) trainer.undo();
  EXPECT_LT(undone, 10 + 64);  // it is looked at now and then
  EXPECT_GE(undone, 5);
  EXPECT_EQ(trainer.read("head.weight").get(0), (127 - undone) / 4.0);
}

// What a change costs does not depend on how many there were before it.
TEST(Memory, GrowsWithChangesAndNotWithTheirSquare) {
  if (test::kFewCases) GTEST_SKIP() << "a sanitizer keeps memory that was given back";
  Trainer trainer = trained(optim::Optimizer::adam(1e-2));
  const auto change = [&](int count) {
    for (int k = 0; k < count; ++k) {
      const std::string ratio = k % 2 == 0 ? "0.5" : "0.25";
      trainer.apply(
          edit_from_json(R"({"commands":[{"do":"set_config","at":"dropout","attrs":{"ratio":)" + ratio + "}}]}"));
      trainer.step(test::small_data());
    }
    return platform::resident_bytes();
  };
  change(40);
  const std::int64_t first = change(80);
  const std::int64_t second = change(80);
  EXPECT_LT(second - first, std::int64_t{80} * 32 * 1024);
  EXPECT_LE(trainer.snapshots().size(), TrainerOptions{}.snapshot_count);
  EXPECT_EQ(trainer.snapshots().front().id, SnapshotId{1});
}

}  // namespace
}  // namespace asg::train
