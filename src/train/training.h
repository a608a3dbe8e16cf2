#pragma once

#include <functional>
#include <memory>
#include <string>

#include "asg/train/engine.h"

namespace asg::train {

// One training on the engine thread: turns messages into calls of the trainer, and everything that happens, errors
// included, into events.
class Training {
 public:
  using Emit = std::function<void(Event)>;

  // Null where the training cannot be made; that has been told then.
  static std::unique_ptr<Training> make(TrainingSpec spec, Emit emit);

  bool running() const { return steps_left_ != 0; }
  std::int64_t steps() const { return trainer_.steps(); }
  void step();
  void end();  // the training is about to go
  void handle(const Message& message);

 private:
  Training(TrainingSpec spec, Emit emit);

  void on(const messages::Run& message);
  void on(const messages::Pause& message);
  void on(const messages::Apply& message);
  void on(const messages::Undo& message);
  void on(const messages::Redo& message);
  void on(const messages::TakeSnapshot& message);
  void on(const messages::ReturnTo& message);
  void on(const messages::Read& message);
  void on(const messages::SetLearningRate& message);
  void on(const messages::Evaluate& message);
  void on(const messages::Stop& message);

  void edit(const char* how, const std::function<EditReport()>& change);
  void tell_ready();
  // Runs an action; what it throws becomes an event and pauses the training.
  void guarded(std::string_view what, const std::function<void()>& action);

  std::function<NamedArrays(std::int64_t)> batch_;
  std::map<std::string, data::Dataset> datasets_;
  std::function<void(const Trainer&)> at_end_;
  Emit emit_;
  Trainer trainer_;
  std::int64_t steps_left_ = 0;  // below 0: no end
};

// What an exception says, as an event carries it.
ErrorDetail detail_of(const std::exception& error);

}  // namespace asg::train
