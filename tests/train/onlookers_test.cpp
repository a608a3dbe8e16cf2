// Those who only look get a small part of the time of a training that runs, and an answer in any case.
#include "train/onlookers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "train/fair_queue.h"
#include "train/listener.h"
#include "train/time_budget.h"

namespace asg::train {
namespace {

using test::Listener;
using test::small_spec;
using Clock = std::chrono::steady_clock;

double onlooker_seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(TimeBudget, PaysBackBeforeItSpendsAgain) {
  TimeBudget budget(0.01, 0.5);
  EXPECT_TRUE(budget.is_left());
  budget.spend(1.5);
  EXPECT_FALSE(budget.is_left());
  budget.earn(99);
  EXPECT_FALSE(budget.is_left()) << "1 s of debt, of which 0.99 s are paid";
  budget.earn(2);
  EXPECT_TRUE(budget.is_left());
  budget.earn(1e6);
  budget.spend(0.6);
  EXPECT_FALSE(budget.is_left()) << "no more than 0.5 s are saved";
}

TEST(FairQueue, OwnersTakeTurns) {
  FairQueue<int> queue;
  for (int k = 0; k < 3; ++k) queue.push(7, 70 + k);
  queue.push(9, 90);
  queue.push(3, 30);
  std::vector<int> order;
  while (!queue.empty()) order.push_back(queue.pop());
  EXPECT_EQ(order, (std::vector<int>{30, 70, 90, 71, 72}));
  for (int k = 0; k < 3; ++k) queue.push(1, k);
  queue.push(2, 5);
  std::vector<int> taken;
  queue.take_while([](int each) { return each < 2; }, [&](int each) { taken.push_back(each); });
  EXPECT_EQ(taken, (std::vector<int>{0, 1}));
  EXPECT_EQ(queue.pop() + queue.pop(), 7);
  EXPECT_TRUE(queue.empty());
}

// A look takes 10 ms here, as much as many steps, and comes from ten owners.
TEST(Onlookers, TakeNoMoreThanTheirBudgetAndAreAllAnswered) {
  constexpr int kLooks = 300;
  constexpr double kSaved = 0.08, kShare = 0.006;
  std::atomic<int> answered = 0;
  std::atomic<double> looked = 0;  // of the engine's thread alone
  std::atomic<double> longest = 0;
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  engine.post(id, messages::Run{});
  listener.wait_for<events::StepDone>();
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < kLooks; ++k) {
    engine.ask(id,
               {.who = static_cast<std::uint64_t>(k % 10),
                .effort = Engine::Effort::large,
                .turned_away = [&] { ++answered; }},
               [&](Trainer* trainer) {
                 const Clock::time_point begin = Clock::now();
                 EXPECT_NE(trainer, nullptr);
                 std::this_thread::sleep_for(std::chrono::milliseconds(10));
                 const double seconds = onlooker_seconds_since(begin);
                 looked = looked + seconds;
                 longest = std::max<double>(longest, seconds);
                 ++answered;
               });
  }
  while (answered < kLooks) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_LE(looked, kSaved + kShare * onlooker_seconds_since(start) + 2 * longest);
}

// Where steps take seconds a look has waited long before its first turn.
// A budget that is left is no answer yet: messages that keep coming leave time for one look between two steps.
TEST(Onlookers, AreTurnedAwayAfterSomeTurnsWhateverTheBudget) {
  const Clock::time_point now = Clock::now();
  Onlookers onlookers;
  onlookers.add({TrainingId{1}, {.who = 1}, [](Trainer*) {}, now - std::chrono::seconds(10)});
  const auto turned_away = [&] {
    int count = 0;
    onlookers.take_late(now, [&](const WaitingLook&) { ++count; });
    return count;
  };
  onlookers.trained(9);
  EXPECT_EQ(turned_away(), 0) << "it waited for one step";
  onlookers.trained(0.1);
  EXPECT_EQ(turned_away(), 1);
  EXPECT_TRUE(onlookers.empty());
}

TEST(Onlookers, HoldUpNoMessage) {
  // What looks use outlives the engine, which shows all of them before it ends.
  std::promise<void> first_look, may_go_on;
  std::promise<int> at_message;
  auto go_on = may_go_on.get_future().share();
  std::atomic<int> looks = 0;
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  listener.wait_for<events::GraphReady>();
  for (int k = 0; k < 5; ++k) {
    engine.ask(id, {.who = 1}, [&, go_on](Trainer*) {
      if (looks++ == 0) first_look.set_value();
      go_on.wait();
    });
  }
  first_look.get_future().wait();
  // The engine's thread is in the first look; the others wait, and so does the message, which comes first then.
  engine.ask(id, [&](Trainer*) { at_message.set_value(looks); });
  may_go_on.set_value();
  EXPECT_EQ(at_message.get_future().get(), 1);
}

TEST(Onlookers, ThrowWithoutAnEffectOnTheTraining) {
  std::promise<std::int64_t> before;
  Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(small_spec());
  engine.post(id, messages::Run{});
  listener.wait_for<events::StepDone>();
  engine.ask(id, {.who = 1}, [](Trainer*) { fail(ErrorCode::bad_command, "a look", "none"); });
  engine.ask(id, {.who = 1}, [&](Trainer* trainer) { before.set_value(trainer->steps()); });
  const std::int64_t steps = before.get_future().get();
  engine.post(id, messages::Pause{});
  EXPECT_GE(listener.wait_for<events::Paused>().step, steps);
  EXPECT_EQ(listener.wait_for<events::Paused>().reason, "asked");
}

TEST(Onlookers, OfATrainingThatIsGoneSeeNothing) {
  std::promise<bool> is_gone;
  Listener listener;
  Engine engine(listener.sink());
  engine.ask(TrainingId{7}, {.who = 1}, [&](Trainer* trainer) { is_gone.set_value(trainer == nullptr); });
  EXPECT_TRUE(is_gone.get_future().get());
}

}  // namespace
}  // namespace asg::train
