#include "train_report.h"

#include <iostream>

#include <fmt/core.h>

#include "asg/core/platform.h"
#include "console.h"

namespace asg::app {

TrainReport::TrainReport(const recipe::Recipe& recipe, const recipe::Prepared& prepared, RunFiles& files)
    : files_(files), shown_(screen_, prepared.spec.course.last_step().value_or(0)) {
  fmt::print("{}\n  device  {} on {}\n  data    {}\n", recipe.name, recipe.device, platform::cpu_name(), prepared.data);
}

void TrainReport::take(const train::Event& event) {
  files_.take(event);
  if (const auto* ready = std::get_if<train::events::GraphReady>(&event)) {
    screen_.print(fmt::format("  model   {} nodes, {} parameters; the step has {} nodes\n", ready->model->node_count(),
                              ready->parameters, ready->step_nodes));
  }
  if (std::holds_alternative<train::events::CheckpointLoaded>(event)) can_resume_ = true;
  if (const auto* saved = std::get_if<train::events::CheckpointSaved>(&event)) {
    checkpoint_ = saved->path;
    can_resume_ = true;
  } else {
    shown_.write(event);
  }
}

void TrainReport::tell(const ErrorDetail& failure) {
  screen_.finish();
  std::cerr << painted("error: ", Paint::red, 2) << UserError(failure).what() << std::endl;
}

void TrainReport::conclude(const train::TrainingResult& result, Ending ending) {
  screen_.finish();
  const bool is_not_finite = result.reason == "not_finite";
  fmt::print("{} after {} steps", ending != Ending::by_itself || is_not_finite ? "Stopped" : "Done", result.steps);
  if (is_not_finite) fmt::print(", since the last one was not finite");
  if (result.reason == "early_stopping") fmt::print(", since nothing got better");
  fmt::print("\n");
  if (!checkpoint_.empty()) fmt::print("  checkpoint  {}\n", checkpoint_);
  if (const auto picture = files_.finish()) fmt::print("  loss plot   {}\n", *picture);
  if (ending == Ending::interrupted && can_resume_) fmt::print("  go on with  --resume\n");
  for (const auto& [name, value] : result.metrics) {
    if (name == "accuracy") {
      fmt::print("  held-out accuracy: {:.1f} %\n", 100 * value);
    } else {
      fmt::print("  held-out {}: {:.4f}\n", name, value);
    }
  }
}

}  // namespace asg::app
