#include "asg/train/engine.h"

#include <atomic>

#include <gtest/gtest.h>

#include "asg/train/script.h"
#include "support/temporary_folder.h"
#include "train/listener.h"

namespace asg::train {
namespace {

using test::Listener;
using test::small_spec;

Edit widen(ResizePolicy policy) { return {{edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", 20}}}}, policy}; }

TEST(Engine, TrainsEditsAndGoesOn) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  EXPECT_EQ(listener.wait_for<events::GraphReady>().model->name(), "small");
  engine.post(id, messages::Run{5});
  EXPECT_EQ(listener.wait_for<events::Paused>().step, 5);
  engine.post(id, messages::Evaluate{"held_out"});
  engine.post(id, messages::Apply{widen(ResizePolicy::preserve)});
  engine.post(id, messages::Evaluate{"held_out"});
  engine.post(id, messages::Run{3});
  const double before = listener.wait_for<events::Evaluated>(1).result.loss;
  const double after = listener.wait_for<events::Evaluated>(2).result.loss;
  EXPECT_LE(std::abs(after - before), 1e-5 * std::abs(before));
  EXPECT_EQ(listener.wait_for<events::EditApplied>().how, "apply");
  EXPECT_EQ(listener.wait_for<events::Paused>(2).step, 8);
  engine.post(id, messages::Undo{});
  EXPECT_EQ(listener.wait_for<events::EditApplied>(2).how, "undo");
  engine.post(id, messages::Undo{});
  EXPECT_EQ(listener.wait_for<events::EditRefused>().problems.front().code(), ErrorCode::nothing_to_undo);
  engine.post(id, messages::Stop{});
  EXPECT_EQ(listener.wait_for<events::Stopped>().step, 8);
}

TEST(Engine, ServesReadsWhileItRunsAndWhilePaused) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  engine.post(id, messages::Run{});
  listener.wait_for<events::StepDone>(2);
  engine.post(id, messages::Read{"head.bias"});
  listener.wait_for<events::ValueRead>();
  engine.post(id, messages::SetLearningRate{0.5});
  engine.post(id, messages::Pause{});
  listener.wait_for<events::Paused>();
  engine.post(id, messages::Read{"head.bias"});
  engine.post(id, messages::Read{"head.bias"});
  const Array once = listener.wait_for<events::ValueRead>(2).value;
  EXPECT_TRUE(bit_equal(once, listener.wait_for<events::ValueRead>(3).value));
}

TEST(Engine, ReturnsToASnapshot) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  engine.post(id, messages::Run{2});
  listener.wait_for<events::Paused>();
  engine.post(id, messages::TakeSnapshot{"here"});
  engine.post(id, messages::Read{"head.weight"});
  engine.post(id, messages::Run{2});
  const SnapshotId snapshot = listener.wait_for<events::SnapshotTaken>().id;
  listener.wait_for<events::Paused>(2);
  engine.post(id, messages::ReturnTo{snapshot});
  engine.post(id, messages::Read{"head.weight"});
  EXPECT_EQ(listener.wait_for<events::Returned>().step, 2);
  EXPECT_TRUE(bit_equal(listener.wait_for<events::ValueRead>(1).value, listener.wait_for<events::ValueRead>(2).value));
}

TEST(Engine, RunsTrainingsInTurn) {
  Listener listener;
  {
    Engine engine(listener.sink());
    const TrainingId first = engine.add(small_spec());
    const TrainingId second = engine.add(small_spec());
    listener.wait_for<events::GraphReady>(2);
    engine.post(first, messages::Run{});
    engine.post(second, messages::Run{});
    listener.wait_for<events::StepDone>(20);
  }
  std::map<TrainingId, int> steps;
  for (const auto& [id, name] : listener.names()) steps[id] += name == "step_done" ? 1 : 0;
  ASSERT_EQ(steps.size(), 2U);
  // The first may have begun alone, before the second message came.
  EXPECT_GE(steps[TrainingId{2}], 5);
  EXPECT_GE(steps[TrainingId{1}], steps[TrainingId{2}]);
}

// Who hears that it stands finds its files begun, after a resume too.
TEST(Engine, CallsBeforeStartBeforeItSaysThatItStands) {
  const test::TemporaryFolder folder;
  for (const bool resume : {false, true}) {
    Listener listener;
    int ready_before = -1;
    {
      Engine engine(listener.sink());
      TrainingSpec spec = small_spec();
      spec.course.saving.folder = folder.path();
      spec.resume = resume;
      spec.before_start = [&] { ready_before = listener.count<events::GraphReady>(); };
      const TrainingId id = engine.add(std::move(spec));
      listener.wait_for<events::GraphReady>();
      engine.post(id, messages::Save{});
      listener.wait_for<events::CheckpointSaved>();
    }
    EXPECT_EQ(ready_before, 0) << resume;
    EXPECT_EQ(listener.count<events::GraphReady>(), 1) << resume;
    EXPECT_EQ(listener.count<events::CheckpointLoaded>(), resume ? 1 : 0);
  }
}

// A log that cannot be begun, say: whoever asked for a run meanwhile gets no step.
TEST(Engine, MakesNoStepOfATrainingThatMayNotStart) {
  Listener listener;
  Engine engine(listener.sink());
  TrainingSpec spec = small_spec();
  spec.before_start = [] { fail(ErrorCode::io_error, "the log", "a place for it"); };
  const TrainingId id = engine.add(std::move(spec));
  engine.post(id, messages::Run{3});
  EXPECT_EQ(listener.wait_for<events::Failed>().message, "add");
  EXPECT_EQ(listener.wait_for<events::Failed>(2).message, "run");
  EXPECT_EQ(listener.count<events::Stopped>(), 1);
  EXPECT_EQ(listener.count<events::StepDone>() + listener.count<events::GraphReady>(), 0);
}

TEST(Engine, ErrorsBecomeEvents) {
  Listener listener;
  Engine engine(listener.sink());
  TrainingSpec no_loss = small_spec();
  no_loss.options.loss = "nothing";
  engine.add(std::move(no_loss));
  EXPECT_EQ(listener.wait_for<events::Failed>().error.code, ErrorCode::missing_output);
  listener.wait_for<events::Stopped>();

  TrainingSpec bad_batch = small_spec();
  bad_batch.batch = [](std::int64_t) -> NamedArrays { throw std::runtime_error("no more data"); };
  const TrainingId id = engine.add(std::move(bad_batch));
  engine.post(id, messages::Run{});
  EXPECT_NE(listener.wait_for<events::Failed>(2).error.given.find("no more data"), std::string::npos);
  engine.post(id, messages::ReturnTo{SnapshotId{7}});
  EXPECT_EQ(listener.wait_for<events::Failed>(3).error.code, ErrorCode::no_such_snapshot);
  engine.post(id, messages::Evaluate{"nothing"});
  EXPECT_EQ(listener.wait_for<events::Failed>(4).error.code, ErrorCode::bad_command);
  engine.post(TrainingId{77}, messages::Pause{});
  EXPECT_EQ(listener.wait_for<events::Failed>(5).error.code, ErrorCode::bad_command);
}

TEST(Engine, ABranchTrainsBesideItsOrigin) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId origin = engine.add(small_spec());
  engine.post(origin, messages::Run{3});
  listener.wait_for<events::Paused>();
  engine.post(origin, messages::Branch{"other"});
  const events::Branched branched = listener.wait_for<events::Branched>();
  EXPECT_EQ(branched.step, 3);
  EXPECT_EQ(branched.label, "other");
  // Both go the same way as long as nobody changes one of them.
  engine.post(origin, messages::Run{2});
  engine.post(branched.branch, messages::Run{2});
  listener.wait_for<events::Paused>(3);
  engine.post(branched.branch, messages::Apply{widen(ResizePolicy::preserve)});
  engine.post(branched.branch, messages::Run{1});
  listener.wait_for<events::Paused>(4);
  engine.post(branched.branch, messages::Read{"block.feed_forward.expand.bias"});
  engine.post(origin, messages::Read{"block.feed_forward.expand.bias"});
  EXPECT_EQ(listener.wait_for<events::ValueRead>(1).value.count(), 20);
  EXPECT_EQ(listener.wait_for<events::ValueRead>(2).value.count(), 12);
  std::map<TrainingId, std::vector<double>> losses;
  for (int number = 1; number <= 8; ++number) {
    const auto [id, step] = listener.with_id<events::StepDone>(number);
    losses[id].push_back(step.loss);
  }
  ASSERT_EQ(losses[origin].size(), 5U);
  ASSERT_EQ(losses[branched.branch].size(), 3U);
  EXPECT_EQ(losses[origin][3], losses[branched.branch][0]);
  EXPECT_EQ(losses[origin][4], losses[branched.branch][1]);
}

std::vector<std::string> play(const std::vector<std::string>& lines, ScriptResult* result = nullptr) {
  std::vector<std::string> events;
  std::size_t next = 0;
  const auto next_line = [&](std::string& line) {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
  const auto sink = [&](TrainingId id, const Event& event) {
    const std::string text = to_json(id, event);
    events.push_back(text.substr(0, text.find(",\"seconds\"")));  // another one each time
  };
  const ScriptResult outcome = run_script(small_spec(), {next_line, sink});
  if (result != nullptr) *result = outcome;
  return events;
}

TEST(Script, ARunIsBrokenOffWhereSomebodyAsksForIt) {
  std::atomic<int> steps = 0;
  std::vector<std::string> lines = {R"({"do": "run", "steps": 1000000000})"};
  const auto next_line = [&](std::string& line) {
    if (lines.empty()) return false;
    line = lines.back();
    lines.pop_back();
    return true;
  };
  std::vector<std::string> reasons;
  const auto sink = [&](TrainingId, const Event& event) {
    if (std::holds_alternative<events::StepDone>(event)) ++steps;
    if (const auto* paused = std::get_if<events::Paused>(&event)) reasons.push_back(paused->reason);
  };
  const ScriptResult result = run_script(small_spec(), {next_line, sink, [&] { return steps > 2; }});
  EXPECT_EQ(result.refused, 0);
  EXPECT_EQ(reasons, std::vector<std::string>{"asked"});
}

TEST(Script, IsCarriedOutInOrder) {
  ScriptResult result;
  const std::vector<std::string> lines = {
      "# a comment",
      "",
      R"({"do": "run", "steps": 3})",
      R"({"do": "snapshot", "label": "a"})",
      R"({"do": "apply", "edit": {"policy": "preserve", "commands": [{"do": "set_config", "at": "block", "attrs": {"hidden": 20}}]}})",
      R"({"do": "step"})",
      R"({"do": "undo"})",
      R"({"do": "return_to", "id": 1})"};
  const auto events = play(lines, &result);
  std::vector<std::string> names;
  for (const std::string& event : events) names.push_back(event.substr(10, event.find('"', 10) - 10));
  const std::vector<std::string> expected = {"graph_ready",    "step_done",    "step_done",   "step_done",   "paused",
                                             "snapshot_taken", "edit_applied", "graph_ready", "step_done",   "paused",
                                             "edit_applied",   "graph_ready",  "returned",    "graph_ready", "stopped"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(result.lines, 6);
  EXPECT_EQ(result.refused, 0);
  EXPECT_EQ(events, play(lines));
}

struct BadLine {
  const char* line;
  const char* contains;
};

TEST(Script, AnswersWhatItDoesNotUnderstand) {
  const std::vector<BadLine> rows = {
      {"{", "bad_json"},
      {"[]", "no JSON object"},
      {"{}", "without 'do'"},
      {R"({"do": "fly"})", "set_learning_rate"},
      {R"({"do": "run", "steps": "many"})", "a whole number"},
      {R"({"do": "run", "steps": -3})", "0 or more"},
      {R"({"do": "run", "stops": 3})", "only its own"},
      {R"({"do": "read"})", "without 'path'"},
      {R"({"do": "read", "path": "nowhere"})", "unknown_scope"},
      {R"({"do": "return_to", "id": 5})", "no_such_snapshot"},
      {R"({"do": "set_learning_rate", "rate": -1})", "bad_attribute"},
      {R"({"do": "evaluate", "dataset": "moon"})", "held_out"},
      {R"({"do": "apply", "edit": {"commands": [{"do": "ungroup", "node": "nobody"}]}})", "edit_refused"},
      {R"({"do": "redo"})", "nothing_to_undo"}};
  for (const BadLine& row : rows) {
    ScriptResult result;
    const auto events = play({row.line}, &result);
    ASSERT_EQ(events.size(), 3U) << row.line;
    EXPECT_NE(events[1].find(row.contains), std::string::npos) << events[1];
    EXPECT_EQ(result.refused, 1) << row.line;
  }
}

}  // namespace
}  // namespace asg::train
