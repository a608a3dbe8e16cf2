#include "unsaved_work.h"

#include <algorithm>
#include <iostream>

#include "console.h"

namespace asg::app {
namespace {

namespace happened = train::events;

template <class... Kinds>
bool is_any_of(const train::Event& event) {
  return (std::holds_alternative<Kinds>(event) || ...);
}

bool changes_training(const train::Event& event) {
  return is_any_of<happened::StepDone, happened::EditApplied, happened::Returned, happened::ValueSet,
                   happened::ResetDone, happened::LearningRateSet, happened::ScheduleSet, happened::OptimizerSet>(
      event);
}

}  // namespace

void UnsavedWork::take(train::TrainingId training, const train::Event& event) {
  const std::lock_guard lock(mutex_);
  if (is_any_of<happened::Stopped>(event)) {
    living_.erase(training);
    changed_.notify_all();
    return;
  }
  if (is_any_of<happened::GraphReady>(event)) living_.try_emplace(training);
  const auto entry = living_.find(training);
  if (entry == living_.end()) return;  // not made yet, or gone
  State& state = entry->second;
  if (changes_training(event)) state.is_unsaved = true;
  if (is_any_of<happened::CheckpointSaved, happened::CheckpointLoaded>(event)) state.is_unsaved = false;
  const auto* loaded = std::get_if<happened::CheckpointLoaded>(&event);
  if (loaded != nullptr && loaded->part) state.is_unsaved = true;
  if (is_any_of<happened::StepDone>(event)) state.is_running = true;
  if (is_any_of<happened::Paused>(event)) state.is_running = false;
  const auto* failed = std::get_if<happened::Failed>(&event);
  // One without a folder is not meant to be saved.
  if (failed == nullptr || failed->message != "save" || failed->error.code == ErrorCode::bad_command) return;
  has_failed_ = true;
  std::cerr << painted("error: ", Paint::red, 2) << UserError(failed->error).what() << std::endl;
}

bool UnsavedWork::save_and_stop(lab::Hub& hub) {
  std::unique_lock lock(mutex_);
  has_failed_ = false;
  const std::map<train::TrainingId, State> living = living_;
  lock.unlock();
  for (const auto& [training, state] : living) {
    hub.post(training, train::messages::Pause{});
    if (state.is_unsaved || state.is_running) hub.post(training, train::messages::Save{});
    hub.post(training, train::messages::Stop{});
  }
  lock.lock();
  const auto lives = [this](const auto& entry) { return living_.contains(entry.first); };
  changed_.wait(lock, [&] { return std::none_of(living.begin(), living.end(), lives); });
  return !has_failed_;
}

}  // namespace asg::app
