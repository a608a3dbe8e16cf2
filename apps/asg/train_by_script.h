#pragma once

#include <string>

#include "asg/recipe/recipe.h"
#include "run_files.h"

namespace asg::app {

// Throws io_error where the script cannot be read; "-" is the standard input.
void check_script(const std::string& script);

// Lets messages drive a training, see docs/script.md; events go to the standard output and to the files of the run.
// Ctrl-C ends it after the step, with a checkpoint where the recipe has a folder. Returns the exit code.
int train_by_script(recipe::Prepared prepared, const std::string& script, RunFiles& files);

}  // namespace asg::app
