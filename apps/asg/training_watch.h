#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "asg/train/engine.h"

namespace asg::app {

// Follows the first training of a Lab until it is over, on whatever thread its events come. Other trainings are what
// people opened or branched off on the page.
class TrainingWatch {
 public:
  // `tell` gets the events of that training, one at a time.
  explicit TrainingWatch(std::function<void(const train::Event& event)> tell) : tell_(std::move(tell)) {}

  void take(train::TrainingId training, const train::Event& event);

  // Its course is done, or it has stopped. A training that somebody paused is not over.
  bool is_over() const;
  bool has_stopped() const;
  void wait_until_stopped();
  // What made it impossible, or broke a step; nobody may be there to press "run" again. Nothing where somebody was,
  // and the course came to its end.
  std::optional<ErrorDetail> failure() const;
  // Whether the last attempt to save it failed.
  bool is_unsaved() const;
  train::TrainingResult result() const;

 private:
  std::function<void(const train::Event& event)> tell_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<train::TrainingId> training_;
  train::TrainingResult result_;
  std::optional<ErrorDetail> failure_;
  bool is_unsaved_ = false;
  bool is_over_ = false;
  bool has_stopped_ = false;
};

}  // namespace asg::app
