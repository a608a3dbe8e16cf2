// Optimisers and schedules as messages and checkpoints write them.
#include "asg/optim/json.h"

#include <gtest/gtest.h>

namespace asg::optim {
namespace {

TEST(OptimJson, SchedulesComeBack) {
  const std::vector<Schedule> schedules = {
      schedule_named("constant"), schedule_named("cosine", {{"steps", 100}, {"minimum", 0.1}, {"warmup", 5}}),
      schedule_named("multi_step", {{"milestones", std::vector<std::int64_t>{3, 9}}}),
      schedule_named("plateau", {{"maximise", true}})};
  for (const Schedule& schedule : schedules) EXPECT_EQ(schedule_from_json(to_json(schedule)), schedule);
  EXPECT_EQ(to_json(schedules[1]), R"({"kind":"cosine","minimum":0.1,"steps":100,"warmup":5})");
}

TEST(OptimJson, SchedulesInWords) {
  EXPECT_EQ(to_text(schedule_named("constant")), "constant");
  EXPECT_EQ(to_text(schedule_named("cosine", {{"steps", 100}, {"minimum", 0.1}})), "cosine(minimum 0.1, steps 100)");
}

TEST(OptimJson, RefusesSchedulesThatCannotBe) {
  const std::vector<std::pair<const char*, ErrorCode>> rows = {
      {"{", ErrorCode::bad_json},
      {"[]", ErrorCode::bad_attribute},
      {R"({"kind": "cosinus"})", ErrorCode::bad_attribute},
      {R"({"kind": "cosine"})", ErrorCode::missing_attribute},
      {R"({"kind": "cosine", "steps": 0})", ErrorCode::bad_attribute},
      {R"({"kind": "cosine", "steps": {"a": 1}})", ErrorCode::bad_attribute},
      {R"({"kind": "constant", "steps": 3})", ErrorCode::unknown_attribute}};
  for (const auto& [text, code] : rows) {
    try {
      schedule_from_json(text);
      ADD_FAILURE() << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), code) << text;
    }
  }
}

TEST(OptimJson, SettingsInForceHaveTheirDefaults) {
  const Attrs settings = settings_in_force(Optimizer::adamw(0.5).set("amsgrad", true));
  EXPECT_EQ(to_json(settings),
            R"({"amsgrad":true,"beta1":0.9,"beta2":0.999,"epsilon":1e-08,"learning_rate":0.5,"weight_decay":0.01})");
  EXPECT_EQ(settings_from_json(to_json(settings)), settings);
  EXPECT_EQ(settings_in_force(Schedule{"constant", {}}).find("warmup")->as_integer(), 0);
}

}  // namespace
}  // namespace asg::optim
