#include "asg/lab/hub.h"

#include <gtest/gtest.h>
#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "lab_hub/room.h"

namespace asg::test {
namespace {

using nlohmann::json;

// Until the model stands, questions about it cannot be answered.
void await_model(Room& room, lab::ClientId client) {
  room.next(client, [](const json& event) {
    const auto is_ready = [](const json& training) { return training.at("version") > 0; };
    if (event.at("event") == "welcome") return is_ready(event.at("trainings").at(0));
    return event.at("event") == "training" && is_ready(event.at("state"));
  });
}

std::vector<std::string> paths_of(const json& items) {
  std::vector<std::string> paths;
  for (const json& item : items) paths.push_back(item.at("path"));
  return paths;
}

TEST(Hub, WelcomesWithAllTrainings) {
  Room room({.version = "1.2.3", .language = "ru"});
  room.enter(1);
  const json welcome = room.next(1, "welcome");
  EXPECT_EQ(welcome.at("version"), "1.2.3");
  EXPECT_EQ(welcome.at("lang"), "ru");
  EXPECT_EQ(welcome.at("read_only"), false);
  ASSERT_EQ(welcome.at("trainings").size(), 1U);
  const json& training = welcome.at("trainings").at(0);
  EXPECT_EQ(training.at("label"), "small");
  EXPECT_EQ(training.at("state"), "paused");
  EXPECT_EQ(training.at("optimizer").at("name"), "adam");
  EXPECT_EQ(training.at("datasets"), json::array({"held_out"}));
}

TEST(Hub, BringsMessagesToTheTrainingAndEventsToAll) {
  Room room;
  room.enter(1);
  room.enter(2);
  room.say(1, {{"do", "run"}, {"steps", 3}});
  for (const lab::ClientId client : {1U, 2U}) {
    for (int step = 1; step <= 3; ++step) EXPECT_EQ(room.next(client, "step_done").at("step"), step);
    EXPECT_EQ(room.next(client, "paused").at("reason"), "steps_done");
    EXPECT_EQ(room.next(client, "training").at("state").at("state"), "paused");
  }
}

TEST(Hub, AnswersCarryTheNumberOfTheQuestion) {
  Room room;
  room.enter(1);
  room.enter(2);
  const json set = room.ask(1, {{"do", "set_learning_rate"}, {"rate", 0.5}});
  EXPECT_EQ(set.at("event"), "learning_rate_set");
  const json seen = room.next(2, "learning_rate_set");
  EXPECT_FALSE(seen.contains("ask"));
  const json state = room.next(2, "training");
  EXPECT_EQ(state.at("state").at("learning_rate"), 0.5);
}

TEST(Hub, AnswersQuestionsAboutTheModel) {
  Room room;
  room.enter(1);
  await_model(room, 1);
  const json level = room.ask(1, {{"do", "level"}, {"view", "model"}, {"scope", ""}});
  ASSERT_EQ(level.at("event"), "level") << level;
  const std::vector<std::string> paths = paths_of(level.at("items"));
  EXPECT_NE(std::find(paths.begin(), paths.end(), "bend_1"), paths.end());
  EXPECT_EQ(level.at("version"), 1);
  const json inside = room.ask(1, {{"do", "level"}, {"view", "model"}, {"scope", "first"}});
  EXPECT_GE(inside.at("items").size(), 3U) << inside;

  const json described = room.ask(1, {{"do", "describe"}, {"view", "model"}, {"path", "bend_1"}});
  EXPECT_EQ(described.at("op"), "Relu");
  EXPECT_FALSE(described.at("what").at("ru").get<std::string>().empty());

  const json found = room.ask(1, {{"do", "find"}, {"view", "model"}, {"text", "bend"}});
  EXPECT_EQ(found.at("items").size(), 2U);

  const json gradient = room.ask(1, {{"do", "level"}, {"view", "gradient"}, {"scope", ""}});
  EXPECT_EQ(gradient.at("event"), "level") << gradient;
}

TEST(Hub, TellsWhatTheDeviceMakesOfTheModelOnceItHasRun) {
  Room room;
  room.enter(1);
  await_model(room, 1);
  const json early = room.ask(1, {{"do", "level"}, {"view", "optimised"}, {"scope", ""}});
  EXPECT_EQ(early.at("event"), "failed");
  EXPECT_EQ(early.at("error").at("code"), "missing_value");
  room.ask(1, {{"do", "step"}});
  const json level = room.ask(1, {{"do", "level"}, {"view", "optimised"}, {"scope", ""}});
  EXPECT_EQ(level.at("event"), "level") << level;
  EXPECT_FALSE(level.at("items").empty());
  const json plan = room.ask(1, {{"do", "plan"}});
  EXPECT_GT(plan.at("arena"), 0);
  const json places = room.ask(1, {{"do", "locate"}, {"view", "model"}, {"path", "bend_1"}}).at("places");
  for (const char* view : {"model", "expanded", "gradient", "optimised"}) {
    EXPECT_FALSE(places.at(view).empty()) << view << " in " << places;
  }
}

TEST(Hub, TellsWhatThePartsOfAModelTakeOnceAStepWasMeasured) {
  Room room;
  room.enter(1);
  await_model(room, 1);
  EXPECT_EQ(room.ask(1, {{"do", "costs"}}).at("error").at("code"), "missing_value");
  room.ask(1, {{"do", "step"}});
  const json planned = room.ask(1, {{"do", "costs"}});
  EXPECT_FALSE(planned.at("parts").at(0).contains("seconds")) << planned;
  room.ask(1, {{"do", "run"}, {"steps", 3}});
  const json costs = room.ask(1, {{"do", "costs"}});
  std::map<std::string, json> parts;
  for (const json& part : costs.at("parts")) parts[part.at("path")] = part;
  for (const char* figure : {"seconds", "bytes"}) {
    const json& whole = parts.at("").at(figure);
    const json& layer = parts.at("bend_1").at(figure);
    EXPECT_GT(layer.at("forward"), 0) << figure;
    EXPECT_GT(layer.at("gradient"), 0) << figure;
    EXPECT_LE(layer.at("forward"), whole.at("forward")) << figure;
  }
  EXPECT_GT(parts.at("").at("seconds").at("update"), 0);
}

TEST(Hub, RefusesWithHelpAndStaysAlive) {
  Room room;
  room.enter(1);
  await_model(room, 1);
  const std::vector<json> bad = {
      {{"do", "level"}, {"view", "model"}, {"scope", "nowhere"}},
      {{"do", "level"}, {"view", "upside_down"}, {"scope", ""}},
      {{"do", "describe"}, {"view", "model"}, {"path", 7}},
      {{"do", "dance"}},
      {{"do", "run"}, {"training", 99}},
      {{"do", "subscribe"}, {"values", "all"}},
      {{"do", "subscribe"}, {"values", json::array({"no/such/node"})}},
      {{"do", "tensor"}, {"value", "no/such/node"}},
      {{"do", "tensor"}, {"value", "bend_1"}, {"limit", -1}},
      {{"do", "open"}, {"source", {{"zoo", "lenet"}}}},
      {{"do", "set_learning_rate"}, {"rate", "fast"}},
  };
  for (const json& message : bad) {
    const json answer = room.ask(1, message);
    EXPECT_EQ(answer.at("event"), "failed") << message;
    EXPECT_FALSE(answer.at("error").at("needed").get<std::string>().empty()) << answer;
  }
  for (const char* text : {"", "[]", "{", "null", "{\"do\":1}", "\"run\"", "{\"ask\":-1,\"do\":\"history\"}"}) {
    room.hub().received(1, text);
    EXPECT_EQ(room.next(1, "failed").at("event"), "failed") << text;
  }
  std::string deep = "{\"do\":\"apply\",\"edit\":";
  deep.append(300'000, '[').append(300'000, ']').append("}");
  room.hub().received(1, deep);
  EXPECT_EQ(room.next(1, "failed").at("error").at("code"), "limit_exceeded");
  EXPECT_EQ(room.ask(1, {{"do", "history"}}).at("event"), "history");
}

TEST(Hub, ARunIsAnsweredWhenItEnds) {
  Room room;
  room.enter(1);
  const json ended = room.ask(1, {{"do", "run"}, {"steps", 2}});
  EXPECT_EQ(ended.at("event"), "paused");
  EXPECT_EQ(ended.at("step"), 2);
  EXPECT_EQ(room.ask(1, {{"do", "step"}}).at("step"), 3);
}

TEST(Hub, LetsViewersLookAndNothingElse) {
  Room room;
  room.enter(1, lab::Access::read_only);
  EXPECT_EQ(room.next(1, "welcome").at("read_only"), true);
  for (const char* name : {"run", "step", "pause", "undo", "redo", "snapshot", "save", "load", "branch", "stop"}) {
    const json answer = room.ask(1, {{"do", name}});
    EXPECT_EQ(answer.at("event"), "failed") << name;
    EXPECT_NE(answer.at("error").at("given").get<std::string>().find("only look"), std::string::npos) << answer;
  }
  EXPECT_EQ(room.ask(1, replace_op("bend_1", "Gelu")).at("event"), "failed");
  EXPECT_EQ(room.ask(1, {{"do", "history"}}).at("event"), "history");
  EXPECT_EQ(room.ask(1, {{"do", "read"}, {"path", "head.bias"}}).at("event"), "value_read");
}

TEST(Hub, TellsLateComersWhatHappened) {
  Room room;
  room.enter(1);
  room.say(1, {{"do", "run"}, {"steps", 4}});
  room.next(1, "paused");
  room.ask(1, replace_op("bend_1", "Gelu"));
  room.ask(1, {{"do", "evaluate"}, {"dataset", "held_out"}});
  room.enter(2);
  const json history = room.ask(2, {{"do", "history"}});
  EXPECT_EQ(history.at("columns").at("step"), json::array({1, 2, 3, 4}));
  EXPECT_EQ(history.at("columns").at("loss").size(), 4U);
  ASSERT_EQ(history.at("marks").size(), 1U);
  EXPECT_EQ(history.at("marks").at(0).at("kind"), "edit");
  EXPECT_EQ(history.at("marks").at(0).at("step"), 4);
  ASSERT_EQ(history.at("evaluations").size(), 1U);
  EXPECT_EQ(history.at("evaluations").at(0).at("dataset"), "held_out");
}

TEST(Hub, SendsTensorsAsTheyAre) {
  Room room;
  room.enter(1);
  room.say(1, {{"do", "set_value"}, {"path", "head.bias"}, {"value", {1.5, -2.0, 0.25}}});
  room.say(1, {{"do", "tensor"}, {"ask", 5}, {"value", "head.bias"}});
  const lab::TensorFrame frame = room.next_tensor(1);
  EXPECT_EQ(frame.values, (std::vector<float>{1.5F, -2.0F, 0.25F}));
  const json header = json::parse(frame.header);
  EXPECT_EQ(header.at("ask"), 5);
  EXPECT_EQ(header.at("shape"), json::array({3}));
  room.say(1, {{"do", "tensor"}, {"value", "first.weight"}, {"limit", 10}});
  const lab::TensorFrame part = room.next_tensor(1);
  EXPECT_EQ(part.values.size(), 10U);
  EXPECT_EQ(json::parse(part.header).at("elided"), true);
}

TEST(Hub, AnEditWhileWaitingComputesItsConeOnly) {
  Room room;
  room.enter(1);
  room.say(1, {{"do", "step"}});
  room.next(1, "paused");
  room.ask(1, replace_op("bend_2", "Gelu"));
  const json late = room.next(1, "evaluated_cone");
  EXPECT_GT(late.at("kept"), 0) << late;
  room.ask(1, replace_op("bend_1", "Gelu"));
  const json early = room.next(1, "evaluated_cone");
  EXPECT_LT(late.at("computed"), early.at("computed")) << "less hangs on a later node";
  room.ask(1, {{"do", "undo"}});
  const json undone = room.next(1, "evaluated_cone");
  EXPECT_DOUBLE_EQ(undone.at("loss"), late.at("loss"));
  room.ask(1, {{"do", "set_value"}, {"path", "head.bias"}, {"value", 0.5}});
  const json biased = room.next(1, "evaluated_cone");
  EXPECT_LT(biased.at("computed"), late.at("computed")) << "of the head only the sum and what follows";
}

TEST(Hub, ARefusedEditIsToldToWhoAskedForIt) {
  Room room;
  room.enter(1);
  room.enter(2);
  await_model(room, 1);
  const json refused = room.ask(1, replace_op("nothing_there", "Gelu"));
  EXPECT_EQ(refused.at("event"), "edit_refused");
  room.ask(2, {{"do", "set_learning_rate"}, {"rate", 0.25}});
  // Client 2 has taken all that came before its answer, and no refusal was told to it.
  const json applied = room.ask(1, replace_op("bend_1", "Gelu"));
  EXPECT_EQ(applied.at("event"), "edit_applied");
  EXPECT_EQ(room.next(2,
                      [](const json& each) {
                        return each.at("event") == "edit_applied" || each.at("event") == "edit_refused";
                      })
                .at("event"),
            "edit_applied");
}

TEST(Hub, BranchesAreTrainingsOfTheirOwn) {
  Room room;
  room.enter(1);
  room.say(1, {{"do", "run"}, {"steps", 2}});
  room.next(1, "paused");
  const json branched = room.ask(1, {{"do", "branch"}, {"label", "side"}});
  const json id = branched.at("branch");
  const json state = room.next(1, [&](const json& each) {
    return each.at("event") == "training" && each.at("training") == id && each.at("state").at("version") > 0;
  });
  EXPECT_EQ(state.at("state").at("parent"), (json{{"training", 1}, {"step", 2}}));
  room.say(1, {{"do", "step"}, {"training", id}});
  const json step = room.next(1, "step_done");
  EXPECT_EQ(step.at("training"), id);
  EXPECT_EQ(step.at("step"), 3);
  EXPECT_EQ(room.ask(1, {{"do", "level"}, {"training", id}, {"view", "model"}, {"scope", ""}}).at("event"), "level");
}

TEST(Hub, OpensTrainings) {
  Room room({.open = [](std::string_view request) {
    if (json::parse(request).at("source").at("zoo") != "small") fail(ErrorCode::bad_command, "it", "small");
    return lab::Opened{"another", small_training()};
  }});
  room.enter(1);
  const json opened = room.ask(1, {{"do", "open"}, {"source", {{"zoo", "small"}}}});
  ASSERT_EQ(opened.at("event"), "opened");
  EXPECT_EQ(room.ask(1, {{"do", "history"}, {"training", opened.at("training")}}).at("event"), "history");
  EXPECT_EQ(room.ask(1, {{"do", "open"}, {"source", {{"zoo", "large"}}}}).at("event"), "failed");
}

#if defined(__linux__)

int niceness_of_this_thread() { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))); }

// A backend starts its threads where the training is opened, and they inherit the priority of that thread.
TEST(Hub, OpensTrainingsAtThePriorityOfTheProgram) {
  int niceness = -1;
  Room room({.open = [&niceness](std::string_view) {
    niceness = niceness_of_this_thread();
    return lab::Opened{"another", small_training()};
  }});
  room.enter(1);
  ASSERT_EQ(room.ask(1, {{"do", "open"}, {"source", {{"zoo", "small"}}}}).at("event"), "opened");
  EXPECT_EQ(niceness, niceness_of_this_thread());
}

#endif

}  // namespace
}  // namespace asg::test
