#include "train_in_lab.h"

#include <condition_variable>
#include <mutex>

#include <fmt/core.h>

#include "stop_signal.h"
#include "train_report.h"

namespace asg::app {
namespace {

// Follows the events of one training until it is over, on whatever thread they come.
class Watcher {
 public:
  explicit Watcher(TrainReport& report) : report_(report) {}

  void take(train::TrainingId training, const train::Event& event) {
    const std::lock_guard lock(mutex_);
    if (!training_) training_ = training;  // the first one; the others are what the page opened or branched off
    if (training != *training_) return;
    report_.take(event);
    if (const auto* step = std::get_if<train::events::StepDone>(&event)) result_.steps = step->step;
    if (const auto* evaluated = std::get_if<train::events::Evaluated>(&event)) {
      result_.metrics = train::figures_of(evaluated->result);
    }
    if (const auto* paused = std::get_if<train::events::Paused>(&event); paused != nullptr && !is_over_) {
      result_.reason = paused->reason;
      is_over_ =
          paused->reason == "course_done" || paused->reason == "early_stopping" || paused->reason == "not_finite";
    }
    if (std::holds_alternative<train::events::Stopped>(event)) is_over_ = has_stopped_ = true;
    changed_.notify_all();
  }

  bool is_over() const {
    const std::lock_guard lock(mutex_);
    return is_over_;
  }
  bool has_stopped() const {
    const std::lock_guard lock(mutex_);
    return has_stopped_;
  }
  void wait_until_stopped() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_stopped_; });
  }
  train::TrainingResult result() const {
    const std::lock_guard lock(mutex_);
    return result_;
  }

 private:
  TrainReport& report_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<train::TrainingId> training_;
  train::TrainingResult result_;
  bool is_over_ = false;
  bool has_stopped_ = false;
};

}  // namespace

int train_in_lab(const recipe::Recipe& recipe, recipe::Prepared prepared, const LabOptions& options, bool keep) {
  const StopSignal stop;  // before there are threads
  const bool saves = !prepared.spec.course.saving.folder.empty();
  TrainReport report(recipe, prepared, prepared.spec.resume);
  Watcher watcher(report);
  lab::HubOptions hub = hub_options(options);
  hub.sink = [&watcher](train::TrainingId id, const train::Event& event) { watcher.take(id, event); };
  bool interrupted = false;
  {
    lab::Lab lab(options.server, std::move(hub));
    announce(lab, options);
    const train::TrainingId training = lab.hub().add(recipe.name, std::move(prepared.spec));
    lab.hub().post(training, train::messages::Run{});
    while (!interrupted && (keep || !watcher.is_over())) interrupted = stop.wait_for(std::chrono::milliseconds(100));
    if (!watcher.has_stopped()) {  // somebody may have stopped it on the page
      lab.hub().post(training, train::messages::Pause{});
      if (interrupted && saves) lab.hub().post(training, train::messages::Save{});
      lab.hub().post(training, train::messages::Stop{});
    }
    watcher.wait_until_stopped();
  }
  const train::TrainingResult result = watcher.result();
  report.conclude(result, interrupted && result.reason != "course_done");
  return result.reason == "not_finite" ? 1 : 0;
}

}  // namespace asg::app
