// Every question gets one answer, whatever becomes of it, and nobody can ask without end.
#include "lab/questions.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab_hub/room.h"

namespace asg::test {
namespace {

using lab::Asker;
using lab::ClientId;
using lab::Questions;
using nlohmann::json;

// Keeps what is sent.
class Mailbox : public lab::Outlet {
 public:
  void send(ClientId client, std::shared_ptr<const std::string> text, std::string_view /*key*/) override {
    const std::lock_guard lock(mutex_);
    mail_.emplace_back(client, json::parse(*text));
  }
  void send_binary(ClientId /*client*/, std::shared_ptr<const std::string> /*bytes*/) override {}

  std::vector<std::pair<ClientId, json>> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(mail_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<ClientId, json>> mail_;
};

constexpr double kLong = 600;

TEST(LabQuestions, TheSameQuestionIsWorkedAtOnceAndAnsweredToAll) {
  Mailbox mailbox;
  Questions questions(mailbox, kLong);
  const auto first = questions.add("level a", "level", {1, 5});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(questions.add("level a", "level", {2, 6}), nullptr);
  EXPECT_EQ(questions.add("level a", "level", {2, {}}), nullptr);
  EXPECT_NE(questions.add("level b", "level", {2, 7}), nullptr) << "another question";
  mailbox.take();  // the other one was given up at once
  first->begin();
  const auto later = questions.add("level a", "level", {3, 8});
  ASSERT_NE(later, nullptr) << "what is computed already may be old when it is told";
  first->answer(R"({"event":"level"})");
  const auto mail = mailbox.take();
  ASSERT_EQ(mail.size(), 3U);
  EXPECT_EQ(mail[0], (std::pair<ClientId, json>(1, {{"event", "level"}, {"ask", 5}})));
  EXPECT_EQ(mail[1], (std::pair<ClientId, json>(2, {{"event", "level"}, {"ask", 6}})));
  EXPECT_EQ(mail[2], (std::pair<ClientId, json>(2, {{"event", "level"}})));
  first->answer(R"({"event":"level"})");
  EXPECT_TRUE(mailbox.take().empty()) << "once";
  later->answer(R"({"event":"level"})");
  EXPECT_EQ(mailbox.take().size(), 1U);
}

TEST(LabQuestions, AQuestionThatIsGivenUpIsAnsweredByAnError) {
  Mailbox mailbox;
  Questions questions(mailbox, kLong);
  questions.add("plan", "plan", {1, 5}).reset();
  const auto mail = mailbox.take();
  ASSERT_EQ(mail.size(), 1U);
  EXPECT_EQ(mail[0].second.at("event"), "failed");
  EXPECT_EQ(mail[0].second.at("message"), "plan");
  EXPECT_EQ(mail[0].second.at("ask"), 5);
  EXPECT_EQ(mail[0].second.at("error").at("given"), "'plan', which was given up");
}

TEST(LabQuestions, AQuestionThatTakesTooLongIsAnsweredByAnError) {
  Mailbox mailbox;
  Questions questions(mailbox, 0.01);
  const auto question = questions.add("plan", "plan", {1, 5});
  std::vector<std::pair<ClientId, json>> mail;
  while (mail.empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    mail = mailbox.take();
  }
  EXPECT_EQ(mail[0].second.at("error").at("code"), "limit_exceeded");
  EXPECT_EQ(mail[0].second.at("error").at("given"), "'plan', without an answer for 0 s");
  question->answer("{}");
  EXPECT_TRUE(mailbox.take().empty()) << "once";
}

TEST(LabQuestions, OneClientCannotAskWithoutEnd) {
  Mailbox mailbox;
  Questions questions(mailbox, kLong);
  std::vector<std::shared_ptr<lab::OpenQuestion>> held;
  const auto ask = [&](ClientId client, std::size_t number) {
    auto question = questions.add("level " + std::to_string(number), "level", {client, 1});
    const bool is_taken = question != nullptr;
    if (is_taken) held.push_back(std::move(question));
    return is_taken;
  };
  for (std::size_t k = 0; k < Questions::kMostDifferent; ++k) ASSERT_TRUE(ask(1, k));
  EXPECT_FALSE(ask(1, Questions::kMostDifferent));
  const auto refused = mailbox.take();
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].second.at("error").at("code"), "limit_exceeded");
  EXPECT_EQ(refused[0].second.at("error").at("given"), "'level' while 256 different questions, or 1024 in all, wait");
  EXPECT_TRUE(ask(2, Questions::kMostDifferent)) << "others may";
  for (std::size_t k = Questions::kMostDifferent; k < Questions::kMostAsked; ++k) EXPECT_FALSE(ask(1, 0));
  EXPECT_TRUE(mailbox.take().empty()) << "the same question joins";
  EXPECT_FALSE(ask(1, 0));
  EXPECT_EQ(mailbox.take().size(), 1U) << "but not for ever";
  held.front()->answer("{}");
  mailbox.take();
  EXPECT_TRUE(ask(1, Questions::kMostDifferent + 1)) << "an answer makes room";
}

TEST(HubBudget, QuestionsOfARunningTrainingAreAllAnsweredAndNoneStopsIt) {
  Room room;
  room.enter(1);
  room.enter(2, lab::Access::read_only);
  room.say(1, {{"do", "run"}});
  room.next(1, "step_done");
  const std::vector<json> asked = {{{"do", "read"}, {"path", "head.bias"}},
                                   {{"do", "read"}, {"path", "no/such/node"}},
                                   {{"do", "read"}, {"path", "bend_1"}},
                                   {{"do", "journal"}},
                                   {{"do", "history"}},
                                   {{"do", "costs"}},
                                   {{"do", "plan"}},
                                   {{"do", "level"}, {"view", "optimised"}, {"scope", ""}},
                                   {{"do", "locate"}, {"view", "model"}, {"path", "bend_1"}},
                                   {{"do", "subscribe"}, {"values", {"bend_1"}}},
                                   {{"do", "subscribe"}, {"values", {"no/such/node"}}}};
  std::set<int> open;
  int number = 1000;
  for (int round = 0; round < 20; ++round) {
    for (json question : asked) {
      question["ask"] = ++number;
      open.insert(number);
      room.say(2, question);
    }
  }
  while (!open.empty()) {
    const json answer = room.next(2, [](const json& each) { return each.contains("ask"); });
    ASSERT_TRUE(answer.contains("ask")) << open.size() << " without an answer";
    EXPECT_EQ(open.erase(answer.at("ask").get<int>()), 1U) << "one answer each";
  }
  const json state = room.ask(1, {{"do", "pause"}});
  EXPECT_EQ(state.at("reason"), "asked") << "it ran until now";
}

TEST(HubBudget, ClientsWhoWatchTheSameGetTheReadingThatIsThere) {
  Room room;
  room.enter(1);
  room.enter(2);
  room.say(1, {{"do", "step"}});
  room.next(1, "paused");
  const json watch = {{"do", "subscribe"}, {"values", {"bend_1"}}};
  const auto is_reading = [](const json& each) { return each.at("event") == "watched" && !each.at("values").empty(); };
  room.say(1, watch);
  EXPECT_EQ(room.next(1, is_reading).at("step"), 1);
  room.say(2, watch);
  EXPECT_EQ(room.next(2, is_reading).at("values").at(0).at("path"), "bend_1");
}

TEST(HubBudget, PathsHaveALimit) {
  Room room;
  room.enter(1);
  std::string path;
  for (int k = 0; k < 100'000; ++k) path += "a/";
  const std::vector<json> asked = {{{"do", "read"}, {"path", path}},
                                   {{"do", "tensor"}, {"value", path}},
                                   {{"do", "subscribe"}, {"values", {path}}},
                                   {{"do", "level"}, {"view", "model"}, {"scope", path}},
                                   {{"do", "describe"}, {"view", "model"}, {"path", path}},
                                   {{"do", "locate"}, {"view", "model"}, {"path", path}}};
  for (const json& question : asked) {
    const json answer = room.ask(1, question);
    EXPECT_EQ(answer.at("event"), "failed");
    EXPECT_EQ(answer.at("error").at("code"), "limit_exceeded") << answer.at("error");
  }
}

TEST(HubBudget, TrainingsHaveALimit) {
  Room room({.most_trainings = 2});
  room.enter(1);
  room.say(1, {{"do", "step"}});
  room.next(1, "paused");
  const json branched = room.ask(1, {{"do", "branch"}, {"label", "side"}});
  ASSERT_EQ(branched.at("event"), "branched");
  const json refused = room.ask(1, {{"do", "branch"}, {"label", "another"}});
  EXPECT_EQ(refused.at("event"), "failed");
  EXPECT_EQ(refused.at("error").at("given"), "one training more than 2");
  EXPECT_EQ(refused.at("error").at("mend"), "stop one, or start the Lab with a larger --trainings");
  EXPECT_EQ(room.ask(1, {{"do", "stop"}, {"training", branched.at("branch")}}).at("event"), "stopped");
  EXPECT_EQ(room.ask(1, {{"do", "branch"}, {"label", "third"}}).at("event"), "branched");
}

}  // namespace
}  // namespace asg::test
