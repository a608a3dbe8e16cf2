// A message that cannot be carried out is answered, once, and the training runs on as if it had not come.
#include "train/listener.h"

namespace asg::test {
namespace {

namespace events = train::events;
namespace messages = train::messages;

struct RefusalRow {
  const char* name;
  train::Message message;
  ErrorCode code;
};

const std::vector<RefusalRow>& refusals() {
  static const std::vector<RefusalRow> rows = {
      {"apply", messages::Apply{{{edits::RemoveOutput{"loss"}}}}, ErrorCode::missing_output},
      {"apply_to_nothing", messages::Apply{{{edits::Ungroup{"nobody"}}}}, ErrorCode::unknown_scope},
      {"undo", messages::Undo{}, ErrorCode::nothing_to_undo},
      {"redo", messages::Redo{}, ErrorCode::nothing_to_undo},
      {"return_to", messages::ReturnTo{train::SnapshotId{77}}, ErrorCode::no_such_snapshot},
      {"read", messages::Read{"nowhere"}, ErrorCode::unknown_scope},
      {"set_learning_rate", messages::SetLearningRate{-1}, ErrorCode::bad_attribute},
      {"set_learning_rate_beyond_f32", messages::SetLearningRate{1e39}, ErrorCode::bad_attribute},
      {"set_value", messages::SetValue{"nowhere", {1}}, ErrorCode::unknown_scope},
      {"set_value_of_other_size", messages::SetValue{"head.bias", {1, 2}}, ErrorCode::bad_shape},
      {"set_value_beyond_f32", messages::SetValue{"head.bias", {1e39}}, ErrorCode::bad_attribute},
      {"reset", messages::Reset{{"nowhere"}}, ErrorCode::unknown_scope},
      {"reset_of_nothing", messages::Reset{{"features"}}, ErrorCode::unknown_variable},
      {"set_schedule", messages::SetSchedule{{"plateau", {}}}, ErrorCode::bad_attribute},
      {"set_schedule_without_steps", messages::SetSchedule{{"cosine", {}}}, ErrorCode::missing_attribute},
      {"set_optimizer", messages::SetOptimizer{{{"beta3", 0.5}}}, ErrorCode::unknown_attribute},
      {"set_optimizer_out_of_range", messages::SetOptimizer{{{"beta1", 1.5}}}, ErrorCode::bad_attribute},
      {"set_optimizer_rate_beyond_f32", messages::SetOptimizer{{{"beta1", 0.5}, {"learning_rate", 1e39}}},
       ErrorCode::bad_attribute},
      {"watch", messages::Watch{{"nowhere"}}, ErrorCode::unknown_scope},
      {"evaluate", messages::Evaluate{"nowhere"}, ErrorCode::bad_command},
      {"save", messages::Save{}, ErrorCode::bad_command},
      {"load", messages::Load{"latest"}, ErrorCode::bad_command},
      {"load_from_nowhere", messages::Load{"/nowhere/step-00000001"}, ErrorCode::io_error},
  };
  return rows;
}

class Refusals : public testing::TestWithParam<std::size_t> {};

struct Answered {
  ErrorCode code = ErrorCode::bad_command;
  int refusals = 0;
  std::vector<std::string> others;  // names of events beside steps and the first graph_ready
  std::vector<double> losses;
};

// Two steps, the message in the middle of a run, and steps until the tenth.
Answered answered(const std::optional<train::Message>& message) {
  Listener listener;
  train::TrainingSpec spec = small_spec();
  Answered result;
  {
    train::Engine engine(listener.sink());
    const train::TrainingId id = engine.add(std::move(spec));
    engine.post(id, messages::Run{});
    listener.wait_for<events::StepDone>(2);
    if (message) engine.post(id, *message);
    listener.wait_for_refusals(message ? 1 : 0);
    const int done = listener.count<events::StepDone>();
    listener.wait_for<events::StepDone>(std::max(10, done + 2));
  }
  for (const auto& [id, event] : listener.all()) {
    if (const auto* step = std::get_if<events::StepDone>(&event); step != nullptr && step->step <= 10) {
      result.losses.push_back(step->loss);
    } else if (const auto* refused = std::get_if<events::EditRefused>(&event)) {
      ++result.refusals;
      result.code = refused->problems.front().code();
    } else if (const auto* failed = std::get_if<events::Failed>(&event)) {
      ++result.refusals;
      result.code = failed->error.code;
    } else if (step == nullptr) {
      result.others.emplace_back(train::name_of(event));
    }
  }
  return result;
}

TEST_P(Refusals, AreAnsweredOnceAndTheTrainingRunsOn) {
  const RefusalRow& row = refusals()[GetParam()];
  const Answered result = answered(row.message);
  EXPECT_EQ(result.refusals, 1);
  EXPECT_EQ(name_of(result.code), name_of(row.code));
  EXPECT_EQ(result.others, (std::vector<std::string>{"graph_ready", "stopped"}));
  static const std::vector<double> undisturbed = answered(std::nullopt).losses;
  EXPECT_EQ(result.losses, undisturbed);
}

INSTANTIATE_TEST_SUITE_P(All, Refusals, testing::Range<std::size_t>(0, refusals().size()),
                         [](const auto& row) { return std::string(refusals()[row.param].name); });

// Whoever looks and throws is told so; the training runs on.
TEST(Refusal, OfALook) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(small_spec());
  engine.post(id, messages::Run{});
  listener.wait_for<events::StepDone>(1);
  engine.ask(id, [](train::Trainer*) { throw std::runtime_error("nothing to see"); });
  EXPECT_EQ(listener.wait_for<events::Failed>().message, "ask");
  listener.wait_for<events::StepDone>(listener.count<events::StepDone>() + 2);
  EXPECT_EQ(listener.count<events::Paused>(), 0);
}

}  // namespace
}  // namespace asg::test
