#pragma once

#include <string>

namespace asg::app {

// A folder for what a command writes, with those above it; one that is there stays as it is. `option` is where somebody
// names another one. Throws io_error.
void make_folder(const std::string& folder, const std::string& option);

}  // namespace asg::app
