#include "train_in_lab.h"

#include "stop_signal.h"
#include "train_report.h"
#include "training_watch.h"

namespace asg::app {
namespace {

// Other messages come from the page, which is told what becomes of them.
bool concerns_everybody(const train::events::Failed& failed) {
  return failed.message == "add" || failed.message == "run" || failed.message == "save";
}

}  // namespace

int train_in_lab(const recipe::Recipe& recipe, recipe::Prepared prepared, RunFiles& files, const LabOptions& options,
                 bool keep) {
  const StopSignal stop;  // before there are threads
  const bool saves = !prepared.spec.course.saving.folder.empty();
  TrainReport report(recipe, prepared, files);
  TrainingWatch watcher([&report](const train::Event& event) {
    const auto* failed = std::get_if<train::events::Failed>(&event);
    if (failed != nullptr && concerns_everybody(*failed)) report.tell(failed->error);
    report.take(event);
  });
  lab::HubOptions hub = hub_options(options);
  hub.sink = [&watcher](train::TrainingId id, const train::Event& event) { watcher.take(id, event); };
  bool interrupted = false;
  bool was_over = false;
  {
    lab::Lab lab(options.server, std::move(hub));
    announce(lab, options);
    const train::TrainingId training = lab.hub().add(recipe.name, std::move(prepared.spec));
    lab.hub().post(training, train::messages::Run{.within_course = true});
    const auto is_awaited = [&] { return keep || !(watcher.is_over() || watcher.failure()); };
    while (!interrupted && is_awaited()) interrupted = stop.wait_for(std::chrono::milliseconds(100));
    was_over = watcher.is_over();
    if (!watcher.has_stopped()) {  // somebody may have stopped it on the page
      lab.hub().post(training, train::messages::Pause{});
      if (interrupted && saves) lab.hub().post(training, train::messages::Save{});
      lab.hub().post(training, train::messages::Stop{});
    }
    watcher.wait_until_stopped();
  }
  const bool failed = watcher.failure() || (interrupted && watcher.is_unsaved());
  const train::TrainingResult result = watcher.result();
  report.conclude(result, failed ? Ending::failed : interrupted && !was_over ? Ending::interrupted : Ending::by_itself);
  return failed || result.reason == "not_finite" ? 1 : 0;
}

}  // namespace asg::app
