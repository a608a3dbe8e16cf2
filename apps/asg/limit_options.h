#pragma once

#include <CLI/App.hpp>

namespace asg::app {

// An option for each limit on what files may make the program do (asg/core/limits.h), understood before and behind the
// name of every command. Call it before commands are added.
void add_limit_options(CLI::App& app);

}  // namespace asg::app
