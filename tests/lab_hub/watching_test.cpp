// What clients watch: each for itself, nobody in another's way, and nothing at all while nobody is there.
#include <atomic>
#include <chrono>
#include <future>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "lab_hub/room.h"

namespace asg::test {
namespace {

using nlohmann::json;

// Counts what is compiled: the step, the model for evaluations, and what is made to look inside.
class CountingBackend : public CpuBackend {
 public:
  CountingBackend() : CpuBackend(1) {}
  std::unique_ptr<Executable> compile(const Graph& graph, const CompileOptions& options) override {
    ++compiled;
    return CpuBackend::compile(graph, options);
  }
  std::atomic<int> compiled = 0;
};

TEST(Watching, WithoutClientsMakesNoFramesAndWatchesNothing) {
  std::atomic<int> readings = 0;
  std::promise<void> began, looked, finished;
  const auto backend = std::make_shared<CountingBackend>();
  train::TrainingSpec spec = small_training();
  spec.backend = backend;
  lab::HubOptions options;
  options.sink = [&](train::TrainingId, const train::Event& event) {
    const auto* watched = std::get_if<train::events::Watched>(&event);
    if (watched != nullptr && !watched->readings.empty()) ++readings;
    const auto* paused = std::get_if<train::events::Paused>(&event);
    if (paused != nullptr && paused->step == 3) began.set_value();
    if (paused != nullptr && paused->step == 4) looked.set_value();
    if (paused != nullptr && paused->step == 9) finished.set_value();
  };
  Room room(std::move(options), std::move(spec));
  // Before anybody came.
  room.hub().post(room.training(), train::messages::Run{.steps = 3});
  ASSERT_EQ(began.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_EQ(room.sent(), 0U);
  const int compiled = backend->compiled;
  EXPECT_EQ(compiled, 1);  // the step; what only evaluation needs is made when it is asked for
  // While somebody looks.
  room.enter(1);
  room.say(1, {{"do", "subscribe"}, {"values", json::array({"bend_1:0"})}});
  room.say(1, {{"do", "step"}});
  room.next(1, [](const json& event) { return event.at("event") == "watched" && !event.at("values").empty(); });
  // A reading may also come while the training waits, before it takes the step.
  ASSERT_EQ(looked.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_EQ(backend->compiled, compiled + 1);
  // After the last one has gone.
  room.leave(1);
  const int before = readings;
  const std::size_t frames = room.sent();
  room.hub().post(room.training(), train::messages::Run{.steps = 5});
  ASSERT_EQ(finished.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_EQ(readings, before);
  EXPECT_EQ(room.sent(), frames);
  EXPECT_EQ(backend->compiled, compiled + 1);
}

TEST(Watching, ClientsGetWhatTheyWatchThemselves) {
  Room room;
  room.enter(1);
  room.enter(2);
  room.say(1, {{"do", "subscribe"}, {"values", json::array({"bend_1:0"})}});
  room.say(2, {{"do", "subscribe"}, {"values", json::array({"bend_2:0", "head"})}, {"gradients", true}});
  room.say(1, {{"do", "step"}});
  const json first = room.next(1, [](const json& each) {
    return each.at("event") == "watched" && each.at("step") == 1 && !each.at("values").empty();
  });
  ASSERT_EQ(first.at("values").size(), 1U);
  EXPECT_EQ(first.at("values").at(0).at("path"), "bend_1:0");
  EXPECT_EQ(first.at("values").at(0).at("count"), 12 * 8);
  const json second = room.next(2, [](const json& each) {
    return each.at("event") == "watched" && each.at("step") == 1 && each.at("values").size() == 2;
  });
  EXPECT_EQ(second.at("values").at(0).at("path"), "bend_2:0");
  EXPECT_TRUE(second.at("values").at(0).contains("gradient"));
}

TEST(Watching, WatchIsTheWishOfOneClientToo) {
  Room room;
  room.enter(1);
  room.enter(2, lab::Access::read_only);
  room.ask(1, {{"do", "subscribe"}, {"values", json::array({"bend_1:0"})}});
  room.ask(2, {{"do", "watch"}, {"paths", json::array({"bend_2:0"})}});
  room.say(1, {{"do", "step"}});
  const auto is_reading = [](const json& each) {
    return each.at("event") == "watched" && each.at("step") == 1 && !each.at("values").empty();
  };
  const json first = room.next(1, is_reading);
  ASSERT_EQ(first.at("values").size(), 1U);
  EXPECT_EQ(first.at("values").at(0).at("path"), "bend_1:0");
  const json second = room.next(2, is_reading);
  ASSERT_EQ(second.at("values").size(), 1U);
  EXPECT_EQ(second.at("values").at(0).at("path"), "bend_2:0");
}

TEST(Watching, OneWhoWatchesNonsenseDoesNotBlindTheOthers) {
  Room room;
  room.enter(1);
  room.enter(2);
  room.say(1, {{"do", "step"}});
  EXPECT_EQ(room.ask(1, {{"do", "subscribe"}, {"values", json::array({"bend_1"})}}).at("event"), "watched");
  EXPECT_EQ(room.ask(2, {{"do", "subscribe"}, {"values", json::array({"nonsense"})}}).at("event"), "failed");
  room.say(1, {{"do", "step"}});
  const json reading = room.next(1, [](const json& each) {
    return each.at("event") == "watched" && each.at("step") == 2 && !each.at("values").empty();
  });
  EXPECT_EQ(reading.at("values").at(0).at("path"), "bend_1");
}

}  // namespace
}  // namespace asg::test
