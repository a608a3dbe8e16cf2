// The beginning and the end of a training, for those who look at it: questions that come too early, and those that come
// when it is stopped.
#include <latch>

#include <gtest/gtest.h>

#include "lab_hub/room.h"

namespace asg::test {
namespace {

using nlohmann::json;

const json kTopLevel = {{"do", "level"}, {"view", "model"}, {"scope", ""}};

TEST(Life, QuestionsBeforeTheModelAreAnsweredAfterIt) {
  std::latch may_begin(1);
  Room room({.sink = [&](train::TrainingId, const train::Event& event) {
    if (std::holds_alternative<train::events::GraphReady>(event)) may_begin.wait();
  }});
  room.enter(1);
  json question = kTopLevel;
  question["ask"] = 1000;
  room.say(1, question);
  // The clerk has come past the question when it answers this.
  EXPECT_EQ(room.ask(1, {{"do", "open"}, {"source", {{"zoo", "lenet"}}}}).at("event"), "failed");
  may_begin.count_down();
  const json answer = room.next(1, [](const json& each) { return each.contains("ask") && each.at("ask") == 1000; });
  EXPECT_EQ(answer.at("event"), "level") << answer;
  EXPECT_EQ(answer.at("version"), 1);
}

TEST(Life, QuestionsAboutWhatCouldNotBeginAreRefused) {
  train::TrainingSpec spec = small_training();
  spec.course.steps = -1;
  Room room({}, std::move(spec));
  room.enter(1);
  const json answer = room.ask(1, kTopLevel);
  EXPECT_EQ(answer.at("event"), "failed");
  EXPECT_NE(answer.at("error").at("given").get<std::string>().find("could not begin"), std::string::npos) << answer;
  const json run = room.ask(1, {{"do", "run"}});
  EXPECT_EQ(run.at("event"), "failed");
  EXPECT_NE(run.at("error").at("given").get<std::string>().find("could not begin"), std::string::npos) << run;
}

class Stopped : public testing::Test {
 protected:
  Stopped() {
    room_.enter(1);
    room_.ask(1, {{"do", "step"}});
    room_.ask(1, replace_op("bend_1", "Gelu"));
    EXPECT_EQ(room_.ask(1, {{"do", "stop"}}).at("event"), "stopped");
  }

  Room room_;
};

TEST_F(Stopped, CanStillBeLookedAt) {
  EXPECT_EQ(room_.ask(1, kTopLevel).at("event"), "level");
  EXPECT_EQ(room_.ask(1, {{"do", "describe"}, {"view", "model"}, {"path", "bend_1"}}).at("op"), "Gelu");
  EXPECT_EQ(room_.ask(1, {{"do", "history"}}).at("columns").at("step"), json::array({1}));
  const json journal = room_.ask(1, {{"do", "journal"}});
  ASSERT_EQ(journal.at("event"), "journal") << journal;
  EXPECT_EQ(journal.at("entries").size(), 1U);
  const json plan = room_.ask(1, {{"do", "plan"}});
  EXPECT_EQ(plan.at("event"), "plan") << plan;
  EXPECT_EQ(room_.ask(1, {{"do", "subscribe"}, {"values", json::array()}}).at("event"), "watched");
  room_.enter(2);
  const json state = room_.next(2, "welcome").at("trainings").at(0);
  EXPECT_EQ(state.at("state"), "stopped");
  EXPECT_TRUE(state.at("snapshots").empty()) << "there is nothing to return to";
}

TEST_F(Stopped, SaysSoToWhomItCannotServe) {
  const std::vector<json> wishes = {{{"do", "run"}},
                                    {{"do", "step"}},
                                    {{"do", "undo"}},
                                    {{"do", "stop"}},
                                    {{"do", "tensor"}, {"value", "bend_1"}},
                                    {{"do", "subscribe"}, {"values", json::array({"bend_1"})}}};
  for (const json& wish : wishes) {
    const json answer = room_.ask(1, wish);
    EXPECT_EQ(answer.at("event"), "failed") << wish;
    EXPECT_EQ(answer.at("message"), wish.at("do"));
    EXPECT_NE(answer.at("error").at("given").get<std::string>().find("is stopped"), std::string::npos) << answer;
    EXPECT_NE(answer.at("error").at("mend").get<std::string>().find("still there"), std::string::npos) << answer;
  }
}

}  // namespace
}  // namespace asg::test
