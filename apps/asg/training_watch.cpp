#include "training_watch.h"

namespace asg::app {

void TrainingWatch::take(train::TrainingId training, const train::Event& event) {
  const std::lock_guard lock(mutex_);
  if (!training_) training_ = training;
  if (training != *training_ || has_stopped_) return;
  tell_(event);
  if (const auto* step = std::get_if<train::events::StepDone>(&event)) result_.steps = step->step;
  if (const auto* evaluated = std::get_if<train::events::Evaluated>(&event)) {
    result_.metrics = train::figures_of(evaluated->result);
  }
  if (const auto* paused = std::get_if<train::events::Paused>(&event); paused != nullptr && !is_over_) {
    result_.reason = paused->reason;
    is_over_ = paused->reason == "course_done" || paused->reason == "early_stopping" || paused->reason == "not_finite";
    if (is_over_) failure_.reset();
  }
  if (const auto* failed = std::get_if<train::events::Failed>(&event)) {
    if (failed->message == "add" || failed->message == "run") failure_ = failed->error;
    if (failed->message == "save") is_unsaved_ = true;
  }
  if (std::holds_alternative<train::events::CheckpointSaved>(event)) is_unsaved_ = false;
  if (std::holds_alternative<train::events::Stopped>(event)) is_over_ = has_stopped_ = true;
  changed_.notify_all();
}

bool TrainingWatch::is_over() const {
  const std::lock_guard lock(mutex_);
  return is_over_;
}

bool TrainingWatch::has_stopped() const {
  const std::lock_guard lock(mutex_);
  return has_stopped_;
}

void TrainingWatch::wait_until_stopped() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_stopped_; });
}

std::optional<ErrorDetail> TrainingWatch::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool TrainingWatch::is_unsaved() const {
  const std::lock_guard lock(mutex_);
  return is_unsaved_;
}

train::TrainingResult TrainingWatch::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

}  // namespace asg::app
