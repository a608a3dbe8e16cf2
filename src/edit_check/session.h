#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "asg/train/engine.h"

namespace asg::edit_check {

struct StepHeard {
  std::int64_t step = 0;
  double loss = 0;
  double rate = 0;
  bool committed = true;
};

// How a message was answered.
struct Answer {
  bool is_known = true;  // false: the line is no message, as its UserError says
  bool accepted = false;
  int verdicts = 0;  // that came for it
  bool in_time = true;
  std::optional<ErrorDetail> why;  // it was refused
  std::size_t steps_before = 0;    // that had run when the verdict came, since the session began
  std::int64_t steps_meanwhile = 0;
  std::vector<std::string> events;  // names of all events of the training until the answer was there
  train::TrainingId branch;         // that began
  std::optional<train::events::Journal> journal;
};

// One engine with a training, driven from another thread a message at a time.
class Session {
 public:
  explicit Session(train::TrainingSpec spec);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Waits for the answer. Throws what is not a UserError while the line is read.
  Answer say(const std::string& line);
  // The same to a branch.
  Answer say_to(train::TrainingId training, const std::string& line);
  // Calls `look` between two steps; false where the training is gone. What it throws is thrown here.
  bool look(const std::function<void(train::Trainer&)>& look);
  bool look_at(train::TrainingId training, const std::function<void(train::Trainer&)>& look);
  // While it runs without an end: until that many more steps have run, or it has stopped, or it takes too long (false).
  bool wait_for_steps(std::size_t more);

  train::TrainingId training() const { return training_; }
  bool is_running() const;                // as far as events say
  bool is_lost() const { return lost_; }  // an answer did not come in time
  std::vector<StepHeard> steps() const;
  // Of another training, since the last message.
  std::vector<StepHeard> steps_of(train::TrainingId training) const;
  // Why steps failed, or the training paused without having been asked to, since the last call.
  std::vector<std::string> take_troubles();

 private:
  struct Heard {
    train::TrainingId training;
    train::Event event;
  };

  void hear(train::TrainingId training, const train::Event& event);
  bool wait_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& holds);
  bool fence(train::TrainingId training);
  Answer judge(const train::Message& message, train::TrainingId training);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Heard> heard_;  // guarded by mutex_, as all below; since the last message
  std::vector<StepHeard> steps_;
  std::vector<std::string> troubles_;
  bool running_ = false;
  std::atomic<bool> lost_ = false;
  train::TrainingId training_;
  std::unique_ptr<train::Engine> engine_;
};

}  // namespace asg::edit_check
