#pragma once

#include <CLI/App.hpp>

// One function per command of the program; each stands in the file of its name. A command runs when the command line
// has been read; a user's mistake leaves it as a UserError, and `outcome` becomes the exit code.
namespace asg::app {

void add_check(CLI::App& app, int& outcome);
void add_convert(CLI::App& app, int& outcome);
void add_data(CLI::App& app, int& outcome);
void add_demo(CLI::App& app, int& outcome);
void add_devices(CLI::App& app, int& outcome);
void add_explain(CLI::App& app, int& outcome);
void add_generate(CLI::App& app, int& outcome);
void add_gradcheck(CLI::App& app, int& outcome);
void add_inspect(CLI::App& app, int& outcome);
void add_lab(CLI::App& app, int& outcome);
void add_ops(CLI::App& app, int& outcome);
void add_plot(CLI::App& app, int& outcome);
void add_run(CLI::App& app, int& outcome);
void add_tokens(CLI::App& app, int& outcome);
void add_train(CLI::App& app, int& outcome);
void add_version(CLI::App& app, int& outcome);
void add_zoo(CLI::App& app, int& outcome);

}  // namespace asg::app
