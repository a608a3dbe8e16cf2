#pragma once

#include <string>

// The folder of a run. All but the check are for who has locked it (run_lock.h).
namespace asg::app {

// Throws io_error where there are checkpoints; `hint` tells what can be done.
void check_holds_no_run(const std::string& folder, const std::string& hint);
// Removes temporary files that a killed process left.
void remove_leftovers(const std::string& folder);
void remove_checkpoints(const std::string& folder);

}  // namespace asg::app
