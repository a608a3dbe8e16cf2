#pragma once

#include <memory>
#include <string>

#include "asg/recipe/recipe.h"
#include "asg/train/console.h"
#include "asg/train/event_log.h"

namespace asg::app {

// Tells a person of a training by a recipe, and keeps its logs: what `asg train` prints and writes.
class TrainReport {
 public:
  // Says what is about to be trained. With `resume` logs go on where the latest checkpoint was taken.
  TrainReport(const recipe::Recipe& recipe, const recipe::Prepared& prepared, bool resume);

  void take(const train::Event& event);
  // Ends the progress on the screen and the files, and says what was reached. `interrupted`: somebody ended it.
  void conclude(const train::TrainingResult& result, bool interrupted);

 private:
  recipe::Recipe recipe_;
  train::Console screen_;
  std::unique_ptr<train::Logger> files_;
  train::EventLog shown_;
  train::EventLog kept_;
  std::string checkpoint_;
};

}  // namespace asg::app
