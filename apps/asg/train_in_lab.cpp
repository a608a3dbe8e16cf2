#include "train_in_lab.h"

#include "stop_signal.h"
#include "train_report.h"
#include "training_watch.h"

namespace asg::app {

int train_in_lab(const recipe::Recipe& recipe, recipe::Prepared prepared, const LabOptions& options, bool keep) {
  const StopSignal stop;  // before there are threads
  const bool saves = !prepared.spec.course.saving.folder.empty();
  TrainReport report(recipe, prepared, prepared.spec.resume);
  TrainingWatch watcher([&report](const train::Event& event) { report.take(event); });
  lab::HubOptions hub = hub_options(options);
  hub.sink = [&watcher](train::TrainingId id, const train::Event& event) { watcher.take(id, event); };
  bool interrupted = false;
  {
    lab::Lab lab(options.server, std::move(hub));
    announce(lab, options);
    const train::TrainingId training = lab.hub().add(recipe.name, std::move(prepared.spec));
    lab.hub().post(training, train::messages::Run{.within_course = true});
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
