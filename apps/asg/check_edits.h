#pragma once

#include <CLI/App.hpp>

namespace asg::app {

// `asg check edits`: random messages to tiny trainings, and what must hold after each.
void add_check_edits(CLI::App& check, int& outcome);

}  // namespace asg::app
