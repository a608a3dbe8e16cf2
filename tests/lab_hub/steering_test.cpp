// What somebody at the page expects of a training that is steered: courses, snapshots, settings, the journal, and what
// is told after a change while it waits.
#include <future>
#include <utility>

#include <gtest/gtest.h>

#include "lab_hub/room.h"

namespace asg::test {
namespace {

using nlohmann::json;

train::TrainingSpec short_course(std::int64_t steps) {
  train::TrainingSpec spec = small_training();
  spec.course.steps = steps;
  return spec;
}

// The next reading of what the client watches.
json reading(Room& room, lab::ClientId client) {
  const json event =
      room.next(client, [](const json& each) { return each.at("event") == "watched" && !each.at("values").empty(); });
  return event.empty() ? event : event.at("values").at(0);
}

TEST(Steering, ACourseHasAnEndAndARunGoesOnBeyondIt) {
  Room room({}, short_course(2));
  room.enter(1);
  EXPECT_EQ(room.next(1, "welcome").at("trainings").at(0).at("course"), (json{{"steps", 2}}));
  room.say(1, {{"do", "run"}});
  EXPECT_EQ(room.next(1, "paused").at("reason"), "course_done");
  EXPECT_EQ(room.ask(1, {{"do", "step"}}).at("step"), 3);
  EXPECT_EQ(room.ask(1, {{"do", "run"}, {"steps", 2}}).at("step"), 5);
  room.say(1, {{"do", "run"}});
  room.next(1, [](const json& each) { return each.at("event") == "step_done" && each.at("step") == 9; });
  const json paused = room.ask(1, {{"do", "pause"}});
  EXPECT_EQ(paused.at("reason"), "asked");
  EXPECT_GE(paused.at("step"), 9);
}

TEST(Steering, ACourseWithoutAnEndSaysSo) {
  Room room;
  room.enter(1);
  EXPECT_EQ(room.next(1, "welcome").at("trainings").at(0).at("course"), (json{{"steps", nullptr}}));
}

TEST(Steering, WhatIsWatchedIsReadAgainAfterAChangeWhileItWaits) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "step"}});
  room.ask(1, {{"do", "subscribe"}, {"values", json::array({"bend_2"})}});
  const json before = reading(room, 1);
  room.ask(1, replace_op("bend_1", "Tanh"));
  const json edited = reading(room, 1);
  EXPECT_NE(edited.at("mean"), before.at("mean"));
  room.ask(1, {{"do", "set_value"}, {"path", "first.weight"}, {"value", 0}});
  const json set = reading(room, 1);
  EXPECT_NE(set.at("mean"), edited.at("mean"));
  room.ask(1, {{"do", "reset"}, {"paths", json::array({"first"})}});
  EXPECT_NE(reading(room, 1).at("mean"), set.at("mean"));
  room.ask(1, {{"do", "return_to"}, {"id", 1}});
  const json returned = reading(room, 1);
  EXPECT_EQ(returned.at("mean"), before.at("mean"));
}

TEST(Steering, ARefusedEditTellsNoLoss) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "step"}});
  EXPECT_EQ(room.ask(1, replace_op("bend_1", "MatMul")).at("event"), "edit_refused");
  EXPECT_EQ(room.ask(1, {{"do", "set_value"}, {"path", "nobody"}, {"value", 0}}).at("event"), "failed");
  int losses = 0;
  room.say(1, replace_op("bend_1", "Gelu"));
  room.next(1, [&](const json& each) {
    if (each.at("event") == "evaluated_cone") ++losses;
    return each.at("event") == "evaluated_cone" && each.at("step") == 1;
  });
  room.ask(1, {{"do", "read"}, {"path", "head.bias"}});
  EXPECT_EQ(losses, 1);
}

TEST(Steering, EvaluationsTellTheirStep) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "run"}, {"steps", 3}});
  EXPECT_EQ(room.ask(1, {{"do", "evaluate"}}).at("step"), 3);
  EXPECT_EQ(room.ask(1, {{"do", "history"}}).at("evaluations").at(0).at("step"), 3);
}

TEST(Steering, LateComersHearOfSnapshots) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "run"}, {"steps", 2}});
  room.ask(1, {{"do", "snapshot"}, {"label", "mine"}});
  room.ask(1, replace_op("bend_1", "Gelu"));
  room.state(1, [](const json& state) { return state.at("snapshots").size() == 2; });
  room.enter(2);
  const json snapshots = room.next(2, "welcome").at("trainings").at(0).at("snapshots");
  ASSERT_EQ(snapshots.size(), 2U);
  EXPECT_EQ(snapshots.at(0), (json{{"id", 1}, {"step", 2}, {"text", {{"en", "mine"}, {"ru", "mine"}}}}));
  EXPECT_EQ(snapshots.at(1).at("text"),
            (json{{"en", "before: replaced bend_1 by Gelu"}, {"ru", "перед: замена: bend_1 → Gelu"}}));
}

TEST(Steering, ReturningBringsBackTheSettings) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "set_learning_rate"}, {"rate", 0.5}});
  const auto has_rate = [](double rate) {
    return [rate](const json& state) {
      return state.at("learning_rate") == rate && state.at("optimizer").at("settings").at("learning_rate") == rate;
    };
  };
  room.state(1, has_rate(0.5));
  room.ask(1, {{"do", "snapshot"}});
  room.ask(1, {{"do", "set_optimizer"}, {"settings", {{"learning_rate", 0.25}, {"beta1", 0.5}}}});
  room.state(1, has_rate(0.25));
  room.ask(1, {{"do", "set_schedule"}, {"schedule", {{"kind", "cosine"}, {"steps", 10}}}});
  room.state(1, [](const json& state) { return !state.at("schedule").get<std::string>().empty(); });
  room.ask(1, {{"do", "return_to"}, {"id", 1}});
  const json back = room.state(1, [&](const json& state) {
    return has_rate(0.5)(state) && state.at("optimizer").at("settings").at("beta1") == 0.9;
  });
  EXPECT_EQ(back.at("schedule"), "constant") << "as it was made";
  room.ask(1, {{"do", "step"}});
  const json rates = room.ask(1, {{"do", "history"}}).at("columns").at("learning_rate");
  EXPECT_EQ(rates, json::array({0.5}));
}

TEST(Steering, AResetIsInTheJournalAndCanBeTakenBack) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "step"}});
  room.ask(1, replace_op("bend_1", "Gelu"));
  room.ask(1, {{"do", "read"}, {"path", "first.weight"}});
  const json learnt = room.ask(1, {{"do", "read"}, {"path", "first.weight"}}).at("value").at("values");
  room.ask(1, {{"do", "reset"}, {"paths", json::array({"first"})}});
  const json journal = room.ask(1, {{"do", "journal"}});
  ASSERT_EQ(journal.at("entries").size(), 2U);
  const json& entry = journal.at("entries").at(1);
  EXPECT_EQ(entry.at("how"), "reset");
  EXPECT_EQ(entry.at("id"), 2);
  EXPECT_EQ(entry.at("step"), 1);
  EXPECT_EQ(entry.at("text"), (json{{"en", "reset first"}, {"ru", "сброшено first"}}));
  EXPECT_TRUE(journal.at("can_undo"));
  room.ask(1, {{"do", "return_to"}, {"id", entry.at("snapshot")}});
  EXPECT_EQ(room.ask(1, {{"do", "read"}, {"path", "first.weight"}}).at("value").at("values"), learnt);
  room.ask(1, {{"do", "undo"}});
  EXPECT_EQ(room.ask(1, {{"do", "journal"}}).at("entries").back().at("text").at("en"),
            "took back: replaced bend_1 by Gelu");
}

// A training whose first step lasts until the gate opens.
struct Gate {
  std::promise<void> begun, may_go_on;

  train::TrainingSpec spec() {
    train::TrainingSpec spec = small_training();
    spec.batch = [this, examples = spec.batch, first = true](std::int64_t step) mutable {
      if (step == 0 && std::exchange(first, false)) {
        begun.set_value();
        may_go_on.get_future().wait();
      }
      return examples(step);
    };
    return spec;
  }
};

TEST(Steering, AnswersGoToWhoAskedWhateverOthersAskTheSame) {
  Gate gate;
  Room room({}, gate.spec());
  room.enter(1);
  room.enter(2);
  room.say(1, {{"do", "snapshot"}});
  room.say(1, {{"do", "set_learning_rate"}, {"rate", 0.5}});
  room.next(1, "learning_rate_set");
  room.next(2, "learning_rate_set");
  room.say(1, {{"do", "run"}, {"steps", 1}});
  gate.begun.get_future().wait();
  // The first says no number, and `return_to` tells of a rate too; the second asks for one of its own.
  room.say(1, {{"do", "set_learning_rate"}, {"rate", -1}});
  room.say(1, {{"do", "return_to"}, {"id", 1}});
  room.say(2, {{"do", "set_learning_rate"}, {"rate", 0.75}, {"ask", 77}});
  gate.may_go_on.set_value();
  const json refused = room.next(1, [](const json& each) { return each.at("event") == "failed"; });
  EXPECT_EQ(refused.at("message"), "set_learning_rate");
  EXPECT_FALSE(refused.contains("ask"));
  const json answer = room.next(2, [](const json& each) {
    EXPECT_NE(each.at("event"), "failed") << "of somebody else: " << each;
    return each.contains("ask");
  });
  EXPECT_EQ(answer.at("event"), "learning_rate_set");
  EXPECT_EQ(answer.at("rate"), 0.75);
}

// What the desk knows it tells while the engine is busy, unless a change is on its way.
TEST(Steering, TheJournalIsToldDuringAStep) {
  Gate gate;
  Room room({}, gate.spec());
  room.enter(1);
  room.ask(1, {{"do", "set_learning_rate"}, {"rate", 0.5}});
  room.next(1, "journal");
  room.say(1, {{"do", "run"}, {"steps", 1}});
  gate.begun.get_future().wait();
  EXPECT_EQ(room.ask(1, {{"do", "journal"}}).at("entries").size(), 1U);
  room.say(1, {{"do", "set_learning_rate"}, {"rate", 0.25}});
  room.say(1, {{"do", "journal"}, {"ask", 99}});
  gate.may_go_on.set_value();
  const json later = room.next(1, [](const json& each) { return each.contains("ask") && each.at("ask") == 99; });
  EXPECT_EQ(later.at("entries").size(), 2U);
}

TEST(Steering, WhatIsMisspeltIsToldWithTheNearestName) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "step"}});
  const auto mend = [&](const json& message) { return room.ask(1, message).at("error").value("mend", ""); };
  EXPECT_EQ(mend({{"do", "subscribe"}, {"values", json::array({"bent_2"})}}), "did you mean 'bend_2'?");
  EXPECT_EQ(mend({{"do", "watch"}, {"paths", json::array({"haed"})}}), "did you mean 'head'?");
  EXPECT_EQ(mend({{"do", "read"}, {"path", "head.wieght"}}), "did you mean 'head.weight'?");
  EXPECT_EQ(mend({{"do", "tensor"}, {"value", "haed"}}), "did you mean 'head'?");
  EXPECT_EQ(mend({{"do", "set_value"}, {"path", "head.wieght"}, {"value", 0}}), "did you mean 'head.weight'?");
  EXPECT_EQ(mend({{"do", "reset"}, {"paths", json::array({"haed"})}}), "did you mean 'head'?");
  EXPECT_EQ(mend({{"do", "evaluate"}, {"dataset", "held_ot"}}), "did you mean 'held_out'?");
}

TEST(Steering, AReadingWithoutFiniteElementsTellsNothing) {
  Room room;
  room.enter(1);
  room.ask(1, {{"do", "step"}});
  room.ask(1, {{"do", "subscribe"}, {"values", json::array({"head.bias"})}});
  EXPECT_TRUE(reading(room, 1).at("mean").is_number());
  room.hub().post(room.training(), train::messages::SetValue{"head.bias", {INFINITY}});
  const json infinite = reading(room, 1);
  EXPECT_EQ(infinite.at("not_finite"), 3);
  for (const char* name : {"mean", "deviation", "min", "max", "histogram"}) {
    EXPECT_TRUE(infinite.at(name).is_null()) << name << " in " << infinite;
  }
  room.say(1, {{"do", "step"}});
  const json where = room.next(1, "not_finite");
  EXPECT_NE(where.at("what").at("en").get<std::string>().find("'head.bias' holds 3"), std::string::npos) << where;
  EXPECT_NE(where.at("what").at("ru").get<std::string>().find("в переменной 'head.bias'"), std::string::npos) << where;
}

}  // namespace
}  // namespace asg::test
