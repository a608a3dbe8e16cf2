#include "asg/version.h"

#include <fmt/core.h>

#include "commands.h"

namespace asg::app {

void add_version(CLI::App& app, int& /*outcome*/) {
  app.add_subcommand("version", "Print the version")->callback([] { fmt::print("asg {}\n", kVersion); });
}

}  // namespace asg::app
