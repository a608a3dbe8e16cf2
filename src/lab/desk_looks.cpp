#include "lab/desk_looks.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/compile/profile.h"
#include "asg/core/log.h"
#include "lab/desk.h"

namespace asg::lab {
namespace {

// A look that throws must not pause the training that it looks at.
template <class Look>
train::Engine::Look careful(Look look) {
  return [look = std::move(look)](train::Trainer* trainer) {
    try {
      if (trainer != nullptr) look(*trainer);
    } catch (const std::exception& error) {
      log(LogLevel::warning, std::string("the Lab could not look at a training: ") + error.what());
    }
  };
}

}  // namespace

std::vector<double> step_seconds_of(const train::Trainer& trainer) {
  const std::shared_ptr<const Profile> profile = trainer.profile();
  std::vector<double> seconds;
  if (profile == nullptr) return seconds;
  for (const StepTiming& step : profile->steps) {
    const auto runs = static_cast<double>(std::max<std::int64_t>(step.runs, 1));
    seconds.push_back(static_cast<double>(step.total) * 1e-9 / runs);
  }
  return seconds;
}

// Somebody may have let the training run before it comes to this; then its steps tell the loss.
void Hub::Desk::look_at_loss(train::TrainingId training, std::shared_ptr<train::Cone> cone, bool tell) {
  engine_.ask(training, careful([this, training, tell, cone = std::move(cone)](train::Trainer& trainer) {
                if (!trainer.has_batch()) return;
                if (tell) {
                  const std::lock_guard lock(mutex_);
                  if (folders_.at(training).record.condition() == Condition::running) return;
                }
                const train::Cone::Result result = cone->evaluate(trainer);
                if (!tell) return;
                const nlohmann::ordered_json event = {{"event", "evaluated_cone"},   {"training", training.number},
                                                      {"step", trainer.steps()},     {"loss", result.loss},
                                                      {"computed", result.computed}, {"kept", result.kept}};
                const std::lock_guard lock(mutex_);
                send_to_all(event.dump());
              }));
}

void Hub::Desk::look_at_snapshots(train::TrainingId training) {
  engine_.ask(training, careful([this, training](const train::Trainer& trainer) {
                std::vector<train::SnapshotInfo> snapshots = trainer.snapshots();
                const std::lock_guard lock(mutex_);
                Record& record = folders_.at(training).record;
                if (record.set_snapshots(std::move(snapshots))) send_state(record);
              }));
}

void Hub::Desk::look_before_stop(train::TrainingId training) {
  engine_.ask(training, careful([this, training](const train::Trainer& trainer) {
                auto last = std::make_shared<LastLook>();
                last->explanation = trainer.explain();
                last->step_seconds = step_seconds_of(trainer);
                last->journal = {trainer.journal(), trainer.can_undo(), trainer.can_redo()};
                const std::lock_guard lock(mutex_);
                folders_.at(training).last_look = std::move(last);
              }));
}

}  // namespace asg::lab
