#pragma once

#include "asg/recipe/recipe.h"
#include "lab_session.h"
#include "run_files.h"

namespace asg::app {

// Trains to the end of the course while the Lab shows it, and stays after that where `keep` says so. Ctrl-C ends it
// after the step, with a checkpoint where the recipe has a folder. A failure is told when it happens, and ends it where
// `keep` does not say otherwise. Returns the exit code.
int train_in_lab(const recipe::Recipe& recipe, recipe::Prepared prepared, RunFiles& files, const LabOptions& options,
                 bool keep);

}  // namespace asg::app
