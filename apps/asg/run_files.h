#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asg/recipe/recipe.h"
#include "asg/train/event_log.h"
#include "run_lock.h"

namespace asg::app {

// A recipe as somebody gave it, so that its folder can be opened again as it is; see `asg lab`.
struct GivenRecipe {
  std::string text;
  recipe::Format format = recipe::Format::toml;
  std::vector<std::string> changes;
};

// What a training by a recipe keeps in its folder beside its checkpoints: the recipe, its tokeniser, logs and the plot
// of its loss. All of it is written when the training stands, so that one which cannot begin leaves what was there
// before it. Without a folder nothing is written. The calls may come from one thread after another.
class RunFiles {
 public:
  // Locks the folder and removes what a killed process left there. Throws io_error where another training runs there,
  // or where the folder holds a run that is neither to be resumed nor to be overwritten; bad_attribute where the
  // training would go on by another tokeniser than that of its checkpoints.
  RunFiles(const recipe::Recipe& recipe, const recipe::Prepared& prepared, GivenRecipe given, bool overwrite);

  // When the training stands. Throws io_error where the files cannot be begun.
  void begin();
  void take(const train::Event& event);
  // All that was logged is on the disk when it returns: a checkpoint never has a step that its log does not have.
  void sync();
  // Ends the logs and plots them. Returns the path of the picture; nothing where there is none, and a warning where it
  // cannot be made: the training is done all the same.
  std::optional<std::string> finish();

 private:
  recipe::Recipe recipe_;
  GivenRecipe given_;
  std::string tokenizer_;
  std::int64_t total_;
  bool resume_;
  bool overwrite_;
  std::optional<RunLock> lock_;
  std::optional<std::int64_t> resumed_after_;  // the step of the checkpoint that it goes on from
  std::string resumed_from_;                   // and its folder
  std::vector<train::Event> early_;            // what was told before the files were begun
  std::unique_ptr<train::Logger> files_;
  std::optional<train::EventLog> log_;
};

}  // namespace asg::app
