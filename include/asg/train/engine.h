#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "asg/data/dataset.h"
#include "asg/train/course.h"
#include "asg/train/events.h"
#include "asg/train/messages.h"

namespace asg::train {

// All that a training needs.
struct TrainingSpec {
  Graph model;
  std::shared_ptr<Backend> backend;
  TrainerOptions options = {};
  // Inputs of step number n, counted from 0: the same for the same n, so that trainings can go on and branch. Called on
  // the engine thread.
  std::function<NamedArrays(std::int64_t step)> batch;
  std::map<std::string, data::Dataset> datasets = {};  // that `evaluate` and the course can name
  Course course = {};
  bool resume = false;  // from the latest checkpoint in the folder of the course, where there is one
  // Called on the engine thread when the training stands, before GraphReady tells so; what it throws keeps the training
  // from being made.
  std::function<void()> before_start = {};
  // Called on the engine thread before a checkpoint is written; what it throws keeps it from being written.
  std::function<void()> before_save = {};
  // Called on the engine thread when the training stops, for a last look.
  std::function<void(const Trainer& trainer)> at_end = {};
};

// One thread that runs all trainings, round robin by step, and alone touches their executables and variables. Others
// post messages, from any thread, and get events through the sink.
class Engine {
 public:
  // The sink is called on the engine thread, for one event at a time. It may post messages, and must not block for long
  // or destroy the engine.
  using Sink = std::function<void(TrainingId training, const Event& event)>;

  explicit Engine(Sink sink);
  ~Engine();  // stops all trainings; messages that were not begun are dropped
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The training is made on the engine thread: GraphReady follows, or Failed and Stopped.
  TrainingId add(TrainingSpec spec);
  // Messages to one training are carried out in the order in which they were posted. One to a training that does not
  // exist (any more) is answered by Failed.
  void post(TrainingId training, Message message);
  // The same with a number above 0, that of the last one or more, by which the sink finds out what an event answers.
  void post(TrainingId training, Message message, std::uint64_t number);
  // For the sink: of the messages with numbers the last that was begun, and the one that is being carried out, 0 where
  // the event comes from something else.
  struct CarriedOut {
    std::uint64_t last = 0;
    std::uint64_t now = 0;
  };
  CarriedOut carried_out() const;
  // Calls `look` on the engine thread between two steps, in the order of messages: to copy graphs, to read values. The
  // trainer is good only during the call, which must not last long. It is null where there is no such training (any
  // more), and Failed follows, as it does for what `look` throws. Dropped without a call where the engine ends first.
  using Look = std::function<void(Trainer* trainer)>;
  void ask(TrainingId training, Look look);

  // Somebody who only looks on. While trainings run, all such looks together take less than 1 % of the time, small and
  // large ones from budgets of their own; owners take turns. A look that has waited for 1.5 s and for which there is
  // no time left is turned away instead. While no training runs nobody is turned away.
  enum class Effort : std::uint8_t { small, large };
  struct Onlooker {
    std::uint64_t who = 0;
    Effort effort = Effort::small;
    std::function<void()> turned_away = {};  // called in place of the look, on the engine thread
  };
  // As `ask`, but after all messages that wait. What it throws is logged and changes nothing.
  void ask(TrainingId training, Onlooker onlooker, Look look);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

struct TrainingResult {
  std::int64_t steps = 0;
  std::string reason;                          // why it ended, see events::Paused; "asked" by the sink
  std::map<std::string, double> metrics = {};  // of the last evaluation
};

// Runs a training to the end of its course on the calling thread. The sink gets every event; where it returns false the
// training ends after the step, with a checkpoint where the course keeps some. `at_end` may have a last look. Throws
// bad_attribute for a course without an end, and what made the training fail.
TrainingResult run_training(TrainingSpec spec, const std::function<bool(const Event& event)>& sink = {},
                            const std::function<void(Trainer& trainer)>& at_end = {});

}  // namespace asg::train
