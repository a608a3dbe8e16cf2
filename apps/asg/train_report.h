#pragma once

#include <cstdint>
#include <string>

#include "asg/recipe/recipe.h"
#include "asg/train/console.h"
#include "asg/train/event_log.h"
#include "run_files.h"

namespace asg::app {

enum class Ending : std::uint8_t { by_itself, interrupted, failed };

// Tells a person of a training by a recipe, and its files: what `asg train` prints and writes.
class TrainReport {
 public:
  // Says what is about to be trained. The files must live as long.
  TrainReport(const recipe::Recipe& recipe, const recipe::Prepared& prepared, RunFiles& files);

  void take(const train::Event& event);
  // A failure that does not end the command at once, on the standard error.
  void tell(const ErrorDetail& failure);
  // Ends the progress on the screen and the files, and says what was reached.
  void conclude(const train::TrainingResult& result, Ending ending);

 private:
  RunFiles& files_;
  train::Console screen_;
  train::EventLog shown_;
  std::string checkpoint_;  // the last one that was saved
  bool can_resume_ = false;
};

}  // namespace asg::app
