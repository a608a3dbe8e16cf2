// Others may look at a trainer on the engine thread, between two steps.
#include <future>

#include "train/listener.h"

namespace asg::train {
namespace {

using test::Listener;
using test::small_spec;

// What `look` finds, brought to this thread.
template <class Found>
Found found_by(Engine& engine, TrainingId id, const std::function<Found(Trainer*)>& look) {
  auto promise = std::make_shared<std::promise<Found>>();
  std::future<Found> found = promise->get_future();
  engine.ask(id, [promise, look](Trainer* trainer) { promise->set_value(look(trainer)); });
  return found.get();
}

TEST(Ask, LooksBetweenTwoStepsInTheOrderOfMessages) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  const auto steps = [](Trainer* trainer) { return trainer->steps(); };
  EXPECT_EQ(found_by<std::int64_t>(engine, id, steps), 0);
  engine.post(id, messages::Run{4});
  listener.wait_for<events::Paused>();
  EXPECT_EQ(found_by<std::int64_t>(engine, id, steps), 4);
  engine.post(id, messages::Undo{});
  const auto nodes = [](Trainer* trainer) { return trainer->step_graph().graph.node_count(); };
  EXPECT_EQ(found_by<std::size_t>(engine, id, nodes), listener.wait_for<events::GraphReady>().step_nodes);
  EXPECT_EQ(listener.wait_for<events::EditRefused>().how, "undo");
}

TEST(Ask, ServesWhileItRuns) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  engine.post(id, messages::Run{});
  listener.wait_for<events::StepDone>(2);
  const auto bias = [](Trainer* trainer) { return trainer->read("head.bias"); };
  EXPECT_EQ((found_by<Array>(engine, id, bias).sizes()), Sizes{3});
  listener.wait_for<events::StepDone>(4);
}

TEST(Ask, WhatItThrowsIsTold) {
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  engine.ask(id, [](Trainer* trainer) { trainer->read("nowhere"); });
  const auto failed = listener.wait_for<events::Failed>();
  EXPECT_EQ(failed.message, "ask");
  EXPECT_EQ(failed.error.code, ErrorCode::unknown_scope);
}

TEST(Ask, GetsNullWhereThereIsNoSuchTraining) {
  Listener listener;
  Engine engine(listener.sink());
  EXPECT_TRUE(found_by<bool>(engine, TrainingId{7}, [](Trainer* trainer) { return trainer == nullptr; }));
  const auto failed = listener.wait_for<events::Failed>();
  EXPECT_EQ(failed.message, "ask");
  EXPECT_EQ(failed.error.needed, "a training that was added and not stopped");
  engine.ask(TrainingId{7}, [](Trainer*) { throw std::runtime_error("nobody there"); });
  EXPECT_EQ(listener.wait_for<events::Failed>(2).message, "ask");
}

// Called or dropped where the engine ends, nobody waits for ever.
TEST(Ask, IsNeverForgotten) {
  std::future<int> answer;
  {
    auto promise = std::make_shared<std::promise<int>>();
    answer = promise->get_future();
    Engine engine([](TrainingId, const Event&) {});
    engine.ask(engine.add(small_spec()), [promise](Trainer*) { promise->set_value(1); });
  }
  try {
    EXPECT_EQ(answer.get(), 1);
  } catch (const std::future_error& error) {
    EXPECT_EQ(error.code(), std::future_errc::broken_promise);
  }
}

}  // namespace
}  // namespace asg::train
