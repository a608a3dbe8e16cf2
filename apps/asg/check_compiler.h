#pragma once

#include <CLI/App.hpp>

namespace asg::app {

// `asg check compiler`: random graphs on the backend cpu, compiled in many ways, against the interpreter.
void add_check_compiler(CLI::App& check, int& outcome);

}  // namespace asg::app
