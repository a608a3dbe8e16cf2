// Random messages to tiny trainings: every promise of docs/edit-check.md is a test. `asg check edits` goes on where
// this ends.
#include "asg/edit_check/edit_check.h"

#include <gtest/gtest.h>

#include "support/amount.h"

namespace asg::edit_check {
namespace {

constexpr std::uint64_t kSeed = 1;

// All trials are run once.
const std::vector<Trial>& trials() {
  static const std::vector<Trial> kTrials = [] {
    std::vector<Trial> result;
    const auto count = static_cast<std::uint64_t>(test::amount(20, 4));
    for (std::uint64_t number = 0; number < count; ++number) result.push_back(run_trial(kSeed, number));
    result.push_back(run_all_commands({"transformer", "adamw + ema + accumulate 2"}));
    if (!test::kFewCases) result.push_back(run_all_commands({"lenet", "sgd + momentum + clip"}));
    return result;
  }();
  return kTrials;
}

std::string script_of(const Trial& trial) {
  std::string text = trial.setup.model + " by " + trial.setup.optimizer + ", asg check edits --seed " +
                     std::to_string(kSeed) + " --count 1 --from " + std::to_string(trial.number);
  for (const std::string& line : trial.lines) text += "\n  " + line;
  return text;
}

void expect_promise(Promise promise) {
  ASSERT_FALSE(trials().empty());
  for (const Trial& trial : trials()) {
    for (const Failure& failure : trial.failures) {
      if (failure.promise == promise) ADD_FAILURE() << failure.detail << "\n" << script_of(trial);
    }
  }
}

TEST(EditCheck, EveryMessageGetsOneVerdict) { expect_promise(Promise::one_verdict); }
TEST(EditCheck, NoMessageStopsATraining) { expect_promise(Promise::keeps_running); }
TEST(EditCheck, RefusedMessagesChangeNothing) { expect_promise(Promise::refusal); }
TEST(EditCheck, LossesEqualThoseOfATwinWithoutTheRefusedMessages) { expect_promise(Promise::twin); }
TEST(EditCheck, UndoAndRedoRestoreEveryBit) { expect_promise(Promise::undo); }
TEST(EditCheck, UndoAfterStepsKeepsWhatWasLearned) { expect_promise(Promise::learned); }
TEST(EditCheck, UndoingEverythingGivesTheFirstModel) { expect_promise(Promise::undo_all); }
TEST(EditCheck, SnapshotsRestoreEveryBit) { expect_promise(Promise::return_to); }
TEST(EditCheck, PreserveKeepsTheOutputs) { expect_promise(Promise::preserve); }
TEST(EditCheck, NoValuesAreLostUnasked) { expect_promise(Promise::unasked); }
TEST(EditCheck, CheckpointsAndBranchesGoOnWithTheSameBits) { expect_promise(Promise::checkpoint); }

// Every kind of command met every policy, and what is asked of a training was asked.
TEST(EditCheck, CoversTheProtocol) {
  Coverage coverage;
  std::int64_t accepted = 0;
  for (const Trial& trial : trials()) {
    for (const auto& [name, count] : trial.coverage) coverage[name] += count;
    accepted += trial.accepted;
  }
  const auto was_sent = [&](const std::string& what) {
    return coverage.contains(what + " accepted") || coverage.contains(what + " refused");
  };
  for (std::size_t kind = 0; kind < std::variant_size_v<Command>; ++kind) {
    for (const char* policy : {"default", "fresh", "overlap", "preserve"}) {
      const std::string what = "edit " + std::string(command_names()[kind]) + " " + policy;
      EXPECT_TRUE(was_sent(what)) << what;
    }
  }
  for (const char* message : {"run", "undo", "redo", "snapshot", "return_to", "set_value", "reset"}) {
    EXPECT_TRUE(was_sent(std::string("message ") + message)) << message;
  }
  EXPECT_GT(accepted, test::amount(220, 80));
  EXPECT_GT(coverage["malformed"], 0);
}

// Snapshots share what did not change. `asg check edits --growth 2000` measures more.
TEST(EditCheck, MemoryGrowsWithWhatChanges) {
  constexpr std::int64_t kMostBytes = std::int64_t{25} << 20;
  const std::int64_t edits = test::amount(80, 12);
  const Growth growth = measure_growth(edits);
  EXPECT_EQ(growth.edits, edits);
  if (!test::kFewCases) {  // a sanitizer keeps what is freed
    EXPECT_LT(growth.after - growth.before, kMostBytes);
  }
}

TEST(EditCheck, TheSameSeedGivesTheSameTrial) {
  const Trial again = run_trial(kSeed, 2);
  EXPECT_EQ(again.lines, trials()[2].lines);
  EXPECT_EQ(again.accepted, trials()[2].accepted);
}

}  // namespace
}  // namespace asg::edit_check
