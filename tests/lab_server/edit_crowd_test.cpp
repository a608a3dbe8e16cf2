// Several clients change one training at once, with random edits and other messages.
#include <atomic>
#include <map>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/edit_check/edit_check.h"
#include "asg/lab/lab.h"
#include "edit_check/random_message.h"
#include "lab_server/client.h"
#include "support/amount.h"

namespace asg::lab {
namespace {

using nlohmann::json;

// One who sends random messages and waits for the answer to each.
class RandomClient {
 public:
  RandomClient(const Lab& lab, std::uint64_t seed) : client_(lab.server().port()), dice_(seed, 9) {
    const std::string url = lab.server().url();
    EXPECT_EQ(client_.upgrade("/ws" + url.substr(url.find('?'))).status, 101);
  }

  void send_random(const edit_check::Picture& picture, int messages) {
    for (int sent = 0; sent < messages && is_open_; ++sent) {
      json message = json::parse(edit_check::random_line(dice_, picture, dice_.one_in(2)), nullptr, false);
      if (!message.is_object() || is_endless(message)) message = question();
      ask(std::move(message));
    }
    ask({{"do", "history"}});  // answers to what came before have come by now
    for (const auto& [number, count] : answers_) EXPECT_EQ(count, 1) << "answers to message " << number;
  }

  // The direct answer.
  json ask(json message) {
    const int number = ++last_;
    message["ask"] = number;
    client_.send_text(message.dump(-1, ' ', true, json::error_handler_t::replace));
    while (is_open_) {
      const auto text = client_.text();
      if (!text) {
        ADD_FAILURE() << "no answer to " << message;
        is_open_ = false;
        break;
      }
      json event = json::parse(*text, nullptr, false);
      if (!event.is_object() || !event.contains("ask")) continue;
      ++answers_[event.at("ask").get<int>()];
      if (event.at("ask") == number) return event;
    }
    return {{"event", "nothing"}};
  }

 private:
  // Answered when somebody pauses, which nobody promises.
  static bool is_endless(const json& message) {
    const bool runs = message.value("do", json()) == "run";
    return runs && (!message.contains("steps") || message.at("steps") > 1000);
  }

  json question() {
    const std::string view =
        dice_.any_of(std::vector<std::string>{"model", "expanded", "gradient", "optimised", "plan"});
    switch (dice_.pick(6)) {
      case 0:
        return {{"do", "level"}, {"view", view}, {"scope", ""}};
      case 1:
        return {{"do", "describe"}, {"view", view}, {"path", "head"}};
      case 2:
        return {{"do", "find"}, {"view", view}, {"text", "norm"}};
      case 3:
        return {{"do", "costs"}};
      case 4:
        return {{"do", "plan"}};
      default:
        return {{"do", "subscribe"}, {"values", json::array({"head"})}};
    }
  }

  Client client_;
  Dice dice_;
  int last_ = 0;
  bool is_open_ = true;
  std::map<int, int> answers_;
};

void crowd_edits(const char* model, const char* optimizer, bool runs) {
  Lab lab({}, {});
  lab.hub().add("edited", edit_check::make_spec({model, optimizer}, ""));
  edit_check::Picture picture;
  picture.graph = edit_check::make_model(model);
  picture.snapshots = {{1, 0}, {2, 0}, {3, 0}};
  RandomClient first(lab, 1);
  EXPECT_EQ(first.ask({{"do", "snapshot"}}).at("event"), "snapshot_taken");
  if (runs) {
    EXPECT_EQ(first.ask({{"do", "run"}, {"steps", 2}}).at("event"), "paused");
    RandomClient(lab, 2).ask({{"do", "history"}});
  }
  std::vector<std::thread> crowd;
  for (std::uint64_t seed = 10; seed < 13; ++seed) {
    crowd.emplace_back([&lab, &picture, seed] {
      RandomClient client(lab, seed);
      client.send_random(picture, test::amount(30, 6));
    });
  }
  for (std::thread& each : crowd) each.join();
  // Whatever they did, the training can be taken back to its beginning and trains.
  EXPECT_EQ(first.ask({{"do", "pause"}}).at("event"), "paused");
  EXPECT_EQ(first.ask({{"do", "return_to"}, {"id", 1}}).at("event"), "returned");
  const json paused = first.ask({{"do", "run"}, {"steps", 2}});
  EXPECT_EQ(paused.value("reason", ""), "steps_done") << paused;
}

TEST(EditCrowd, SeveralClientsEditATransformer) { crowd_edits("transformer", "adamw + ema + accumulate 2", false); }
TEST(EditCrowd, SeveralClientsEditALeNetThatHasTrained) { crowd_edits("lenet", "sgd + momentum + clip", true); }

}  // namespace
}  // namespace asg::lab
